"""The relations of a document, as a graph and as a list."""
