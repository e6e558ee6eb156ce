"""What the terminal says of accounts."""
