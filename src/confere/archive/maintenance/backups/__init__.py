"""What is known of backups beyond their files: what they hold, which stay, and what the audit trail says of them."""
