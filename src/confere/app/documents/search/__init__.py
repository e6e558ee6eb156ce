"""The search language: fields, values and how they become a filter."""
