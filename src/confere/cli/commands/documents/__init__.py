"""Commands on documents: list, show, relations, import, export, pdf, verify."""
