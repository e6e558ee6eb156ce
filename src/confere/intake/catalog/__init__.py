"""A hub's catalog into the archive."""
