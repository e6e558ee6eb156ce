"""How the window looks: palettes, the one style sheet, icons and measures."""
