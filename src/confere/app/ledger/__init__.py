"""The use case "the month's ledger": a company's month as tables, with every tax as its documents write it."""
