"""Looking through findings by words, and for what could belong to an order or a document."""
