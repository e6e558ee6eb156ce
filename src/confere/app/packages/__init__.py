"""Use cases of filing: export packages and name files."""
