"""Documents as rows: recorded, listed, related, recomputed and handed to exports."""
