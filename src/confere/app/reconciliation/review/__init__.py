"""Who settles findings and by when, terms of the law, and a reviewer's signature under a month."""
