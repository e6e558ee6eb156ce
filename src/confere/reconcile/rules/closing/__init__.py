"""Rules that hold an archive against the months that were closed in it."""
