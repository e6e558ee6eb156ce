"""The tables of the archive, as SQLAlchemy metadata, and the migrations that create them."""
