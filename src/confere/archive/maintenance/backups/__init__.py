"""Backups: how they are made, checked and encrypted, what they hold, which stay, and what a restore loses."""
