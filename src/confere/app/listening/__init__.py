"""Listening for a hub's callbacks: each is a hint which document to fetch, and nothing more."""
