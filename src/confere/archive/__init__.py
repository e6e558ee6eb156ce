"""The local store: schema, migrations, XML vault, search, queries and audit trail."""
