"""The page Settings: accounts, archive, export names, appearance and language."""
