"""Both sides of a finding beside each other."""
