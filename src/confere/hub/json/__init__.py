"""The hub's JSON: read exactly, with hostile bodies refused, and written exactly."""
