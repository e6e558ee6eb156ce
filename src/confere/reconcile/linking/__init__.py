"""How orders and documents are linked: one module for each kind of evidence, over one board of what is known so far."""
