"""Use cases of a selection: rows of a list, all of it or those that somebody chose, saved as files."""
