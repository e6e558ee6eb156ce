"""Fiscal documents of the world: their facts, numbers, events and XML."""
