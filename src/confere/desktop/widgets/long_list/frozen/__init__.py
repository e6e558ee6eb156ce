"""Columns of a long list that stay where they are while the others scroll to the side."""
