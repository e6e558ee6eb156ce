"""Rules on returns, refusals and warehouses: R13, R15, R16, R26."""
