"""Orders and returns of the hub: lists, the feed, details, and what is written to an order."""
