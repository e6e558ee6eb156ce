"""The hub's feeds of changes: one reading for all, and the sync of those that are not of orders."""
