"""Decisions on findings and links: commands, dialogs and how they are written."""
