"""A hub's catalog: synced, looked at, and written to from a file."""
