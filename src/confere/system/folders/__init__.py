"""Folders for data and copies: the chosen one, those in a cloud or on a share, those that a person names."""
