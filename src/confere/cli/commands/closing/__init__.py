"""Commands that close a month and say what changed since."""
