"""Use cases on orders: find, show, import, write back, and the persons in them."""
