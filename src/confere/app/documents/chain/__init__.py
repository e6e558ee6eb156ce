"""The chain of a document, from the shipment to the return."""
