"""First contact: how each account's hub speaks, records that were not understood or are gone, wrapped downloads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("hub_document", sa.Column("problem", sa.Text(), nullable=True))
    op.add_column("hub_document", sa.Column("gone_since", sa.Text(), nullable=True))
    op.create_index(
        "ix_hub_document_problem", "hub_document", ["account_id"], sqlite_where=sa.text("problem IS NOT NULL")
    )
    op.create_index(
        "ix_hub_document_gone", "hub_document", ["account_id"], sqlite_where=sa.text("gone_since IS NOT NULL")
    )
    op.create_table(
        "hub_shape",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("trait", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("learned_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "trait", name="pk_hub_shape"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "wrapping",
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("received_id", sa.Integer(), nullable=False),
        sa.Column("layers", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("content_id", "received_id", name="pk_wrapping"),
        sqlite_with_rowid=False,
    )
