"""Callbacks: the hub posts to an address of the seller's whenever a document is created or edited."""
