"""Closing a month: its papers and numbers, the chain of closings, the rows that were frozen, the stamps of heads."""
