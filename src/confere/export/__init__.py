"""How documents go out: the filing package of a company and month."""
