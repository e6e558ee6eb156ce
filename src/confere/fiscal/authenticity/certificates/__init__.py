"""Certificates of signers and authorities: parsed, bundled, and chained to a pinned root."""
