"""Documents: types of credit and debit notes, the marketplace, the buyer's presence; items that name items.

Rows that are here have none of them yet: `confere reindex` reads their XML again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("credit_type", "debit_type", "intermediary", "presence"):
        op.add_column("document", sa.Column(name, sa.Text(), nullable=True))
    for name in ("credit_type", "debit_type"):
        op.create_index(f"ix_document_{name}", "document", [name], sqlite_where=sa.text(f"{name} IS NOT NULL"))
    op.create_table(
        "item_reference",
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("target_key", sa.Text(), nullable=False),
        sa.Column("target_item", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("document_id", "position", "target_key", name="pk_item_reference"),
        sqlite_with_rowid=False,
    )
