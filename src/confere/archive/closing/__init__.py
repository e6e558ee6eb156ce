"""Closed months: the chain of closings, the rows that were frozen, and the time stamps of heads."""
