"""The words that people read for what the archive keeps as codes."""
