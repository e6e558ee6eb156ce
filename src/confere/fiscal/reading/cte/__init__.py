"""Reading CT-e and CT-e OS: the row that lists need, and everything the document says."""
