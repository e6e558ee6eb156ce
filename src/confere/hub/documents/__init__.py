"""Fiscal documents of the hub: records, the files that they name, and downloads."""
