"""The hub's catalog: what its contract lets read and write, products and registered names as values."""
