"""Seals: a short digest beside each row that nothing else proves, so that what another program wrote is named."""
