"""Copies of the archive: made, kept by calendar, held against what they held, and restored."""
