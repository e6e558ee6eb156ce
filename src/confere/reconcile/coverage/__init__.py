"""For which periods the archive is complete: listed at the hub, or declared complete by a person."""
