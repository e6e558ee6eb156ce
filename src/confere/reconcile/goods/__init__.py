"""Goods: quantities, returns, refusals, freight and the marketplace's warehouse."""
