"""The archive's history of schemas, one Alembic revision each."""
