"""A document as data: sections of labelled lines, which the terminal, the window and a PDF show each in its way."""
