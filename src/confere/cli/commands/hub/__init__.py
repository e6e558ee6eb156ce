"""Commands that speak with the hub by its own contract."""
