"""The tables beside the findings: orders, stock, taxes, ties, near misses."""
