"""Use cases of authenticity: verify, trust, learn authorities."""
