"""The command palette: every command, page, section, company and month by a few letters of its name."""
