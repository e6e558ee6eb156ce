"""Of which period everything is here, and by whose word."""
