"""What reconciliation compares and what it says: orders, papers as ledger entries, links and findings, as values."""
