"""`confere reconcile`, findings, links, declarations, stock and taxes."""
