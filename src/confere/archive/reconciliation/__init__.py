"""Reconciliation in the archive: its input, links, findings and decisions."""
