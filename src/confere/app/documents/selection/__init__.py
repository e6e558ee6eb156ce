"""Use cases of a selection: documents of a list, all of it or the rows somebody chose, saved as files."""
