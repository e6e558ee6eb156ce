"""The PDF of a document: made, shown and printed."""
