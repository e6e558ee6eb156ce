"""The story of one product at the embedded sandbox, from its brand to the end of its publication, step by step."""
