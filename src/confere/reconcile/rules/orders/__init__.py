"""Rules on orders and their sales: R1 to R6, R7b, R25."""
