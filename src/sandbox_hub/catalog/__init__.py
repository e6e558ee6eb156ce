"""The catalog of an environment: what its world sells, and what clients wrote on top of it."""
