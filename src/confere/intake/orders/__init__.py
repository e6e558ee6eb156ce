"""Sync of orders and returns."""
