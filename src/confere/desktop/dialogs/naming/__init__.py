"""The dialogs that ask for a name."""
