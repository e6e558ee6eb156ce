"""Short lists beside or below a long one: a table with a sentence, and the columns that several pages have."""
