"""How a package gets to the disk and is proven there: read back, folders, bags."""
