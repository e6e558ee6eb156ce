"""The panel about one document: summary, items, history, relations and its XML."""
