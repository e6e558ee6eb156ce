"""The page Orders: the list of orders, one in full, and the moves that a seller makes."""
