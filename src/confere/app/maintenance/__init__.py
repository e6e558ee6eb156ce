"""Check-ups, storage, reindexing, repair."""
