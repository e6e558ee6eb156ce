"""The filing package of a company and month: selection, names, ZIP and manifest."""
