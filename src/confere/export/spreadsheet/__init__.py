"""Spreadsheets: the writer in constant memory, and the reconciliation report."""
