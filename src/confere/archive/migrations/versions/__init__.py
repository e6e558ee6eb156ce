"""Revisions, oldest first by their number."""
