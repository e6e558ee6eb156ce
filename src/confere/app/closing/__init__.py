"""Closing a month: what is frozen, what changed since, and the time stamps of heads."""
