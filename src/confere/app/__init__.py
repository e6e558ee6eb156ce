"""Use cases and the composition root, shared by every face."""
