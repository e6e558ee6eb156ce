"""Accounts at hubs, their preferences, runs and the audit trail."""
