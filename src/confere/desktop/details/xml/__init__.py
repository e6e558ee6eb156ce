"""The XML of a document: highlighted, folded, searched."""
