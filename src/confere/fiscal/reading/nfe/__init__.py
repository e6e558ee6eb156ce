"""Reading NF-e and NFC-e: the row that lists need, and everything the document says."""
