"""Keeping the archive file whole: backups, page sums, health and salvage."""
