"""Who and what the world is made of: companies, buyers, products, cities and their numbers."""
