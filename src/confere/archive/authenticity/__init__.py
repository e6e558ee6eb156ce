"""Verdicts on authenticity, by content."""
