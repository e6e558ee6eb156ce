"""A company's month as it is closed: its papers, what is known of each, and the numbers of its series."""
