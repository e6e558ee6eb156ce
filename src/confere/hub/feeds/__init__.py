"""The hub's feeds of changes: reading and marking them, and the records that they name."""
