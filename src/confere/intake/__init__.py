"""How documents come in: sync from a hub and file import, through one recorder."""
