"""Judging a paper: is it what its emitter signed and the authority answered for, line by line."""
