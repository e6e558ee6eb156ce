"""A hub's catalog in the archive: products as versions, registered names, and what was pushed from files."""
