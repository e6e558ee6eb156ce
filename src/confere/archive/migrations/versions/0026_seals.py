"""Seals beside the rows that nothing else proves. `migrate.upgrade` seals what is there."""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "CREATE TABLE seal (table_number INTEGER NOT NULL, row_key BLOB NOT NULL, seal BLOB NOT NULL,"
        " CONSTRAINT pk_seal PRIMARY KEY (table_number, row_key)) WITHOUT ROWID"
    )
