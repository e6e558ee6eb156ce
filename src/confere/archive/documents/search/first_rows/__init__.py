"""The first rows of long lists in orders other than that of their days, without reading all documents for them."""
