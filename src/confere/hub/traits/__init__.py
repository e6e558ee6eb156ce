"""How one hub differs from the specification: discovered, kept, surveyed and recorded."""
