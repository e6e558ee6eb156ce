"""Reading what happened to a document: events of all models."""
