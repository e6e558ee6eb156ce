"""The bridge of a month: every order and every invoice in exactly one place between orders taken and invoices."""
