"""Lists of documents: filters, sort orders and full-text search as SQL."""
