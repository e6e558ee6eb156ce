"""What the hub says: its records, what was listed, what waits to be downloaded."""
