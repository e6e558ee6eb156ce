"""What the archive derives, computed anew from bytes, hub records and decisions, and compared with what is stored."""
