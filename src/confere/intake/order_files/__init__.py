"""Import of orders from CSV and XLSX files."""
