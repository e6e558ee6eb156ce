"""Options and typed values that commands share."""
