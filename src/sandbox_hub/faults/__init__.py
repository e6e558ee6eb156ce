"""Misbehaviour on demand: which request meets which fault, decided by seed and request number."""
