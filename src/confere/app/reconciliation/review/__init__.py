"""Who settles findings and by when, terms of the law, a month's signature, and what closing a month changes."""
