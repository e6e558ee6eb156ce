"""Where secrets are and whom they belong to: kept in the configuration of this installation, never in an archive."""
