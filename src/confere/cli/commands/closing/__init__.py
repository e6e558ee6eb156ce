"""Commands that close a month."""
