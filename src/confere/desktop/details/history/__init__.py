"""The history of a document."""
