"""The bytes as received: compressed, deduplicated, and checked on every read."""
