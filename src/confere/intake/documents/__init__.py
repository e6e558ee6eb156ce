"""Sync of fiscal documents: list, download, record."""
