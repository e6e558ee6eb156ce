"""The page Overview: is the archive complete and fresh, what the month holds, what to do next."""
