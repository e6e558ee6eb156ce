"""The rules of reconciliation, one module each: `RULE` says what it is, `find` yields what it finds."""
