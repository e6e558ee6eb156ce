"""The orders interface: lists, details, feed, moves and updates."""
