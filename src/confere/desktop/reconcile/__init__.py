"""The page Reconcile: what orders, documents and freight do not agree on, both sides of it, and what is decided."""
