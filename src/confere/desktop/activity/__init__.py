"""The page Activity: what ran, how it ended, what failed, and the audit trail."""
