"""Orders that a client posted to the hub, the stock they reserve, and the invoices that were issued for them."""
