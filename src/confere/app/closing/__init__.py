"""Closing a month: its checklist, what is frozen, what changed since, and the time stamps of heads."""
