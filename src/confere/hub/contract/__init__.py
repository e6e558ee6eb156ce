"""The hub's own contract (OpenAPI): reading it, what it says of lists, and requests built from it."""
