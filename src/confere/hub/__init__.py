"""The hub's interfaces as a client."""
