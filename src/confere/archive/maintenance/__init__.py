"""Keeping the archive file whole: backups, health, diagnosis and salvage."""
