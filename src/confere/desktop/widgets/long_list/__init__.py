"""A list that may hold a million rows: ids of all of them, rows of those that are painted, columns as data."""
