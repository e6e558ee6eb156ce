"""What the month's ledger takes from a document: the taxes of its items, and how the law sorts them."""
