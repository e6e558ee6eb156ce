"""The page Closing: is a month complete, how orders lead to invoices, what is handed over, and what changed since."""
