"""Rules on freight: R8 to R11."""
