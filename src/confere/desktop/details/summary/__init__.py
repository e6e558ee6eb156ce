"""The summary of a document, section by section."""
