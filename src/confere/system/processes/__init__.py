"""Processes of our own: workers, isolated pieces of work, priority and cancellation."""
