"""Publications over HTTP: the seller's screens, the backoffice's transmissions, and what the marketplace calls."""
