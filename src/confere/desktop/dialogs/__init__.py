"""Dialogs: export, import, account, help, about, errors."""
