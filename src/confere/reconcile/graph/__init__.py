"""Orders and documents as a graph: references, groups and cycles."""
