"""Use cases on accounts at hubs: add, change, test, sync."""
