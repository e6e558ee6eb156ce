"""A file of products as drafts of what the hub is to have: its columns, its rows, what is wrong with them."""
