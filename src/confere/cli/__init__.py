"""The headless face: one command per file."""
