"""A marketplace's middleware: it answers the hub's hooks and reports to the hub what became of each ad."""
