"""The overview: the month in figures, what to do next, and what ran."""
