"""Confere: archives, explains and hands over the fiscal documents a marketplace hub holds for a seller."""
