"""Orders and returns as rows, and the persons in them."""
