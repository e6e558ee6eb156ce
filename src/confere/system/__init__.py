"""Paths, settings, secrets, logs, messages and job progress; knows nothing of the domain."""
