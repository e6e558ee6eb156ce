"""The objects that operations take and answer, a module for each domain."""
