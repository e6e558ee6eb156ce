"""Links between orders and documents, findings and runs (comes with its own issue)."""
