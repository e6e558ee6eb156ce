"""Which orders and documents belong together: what a decision changes, candidates, and ties in order."""
