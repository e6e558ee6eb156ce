"""Schedulers of the operating systems: what is written for each, and the few calls of their own programs."""
