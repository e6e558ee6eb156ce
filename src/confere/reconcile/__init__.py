"""Reconciliation: links between orders and documents, and the rules that find what does not agree."""
