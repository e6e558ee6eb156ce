"""The page Documents: filter chips, search, the virtual list and its totals."""
