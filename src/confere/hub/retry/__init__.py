"""When a request is tried again and how fast: retries, rate, and whether the hub still answers."""
