"""Handing files to the printers of the system."""
