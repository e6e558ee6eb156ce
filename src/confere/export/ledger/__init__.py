"""The month's ledger: the company's documents read once, their taxes added up, and files of the tables."""
