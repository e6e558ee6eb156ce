"""What is seen of a package before it is written: its verdict, its table, and the names in it."""
