"""The search above the pages: its box, and what is suggested while typing."""
