"""The closing of months for people."""
