"""Columns of tables: what they show, and how they share the room."""
