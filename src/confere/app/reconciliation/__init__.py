"""Use cases of reconciliation: run, findings, comparison, decisions, report."""
