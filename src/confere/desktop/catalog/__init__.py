"""The page Catalog: the products at the hub as they are archived, one in full, and what a file writes to them."""
