"""Feeds: what changed in the last thirty days and nobody has marked as read."""
