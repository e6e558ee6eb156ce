"""Use cases of unattended work: one run of everything, when it runs by itself, and whether it still does."""
