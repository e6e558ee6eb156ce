"""`confere demo`, `doctor`, `reindex`, `sandbox` and `trust`."""
