"""Verdicts: what was judged and by what, roots of an account's own, and which reader made the rows.

A document's parties stand in `taxpayer` alone; their copies on the document go.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

REPEATED = ("emitter_tax_id", "emitter_name", "recipient_tax_id", "recipient_name")
LISTED = (
    "issued_on",
    "id",
    "is_current",
    "type",
    "state",
    "operation",
    "direction",
    "total",
    "number",
    "emitter_id",
    "recipient_id",
    "taker_id",
    "warning_count",
    "hub_marketplace",
    "hub_order_id",
    "hub_disagrees",
    "verdict",
)


def upgrade() -> None:
    op.drop_index("ix_document_list", "document")
    for name in REPEATED:
        op.drop_column("document", name)
    op.add_column("document", sa.Column("verdict", sa.Integer(), nullable=True))
    op.create_index("ix_document_list", "document", list(LISTED), sqlite_where=sa.text("is_current = 1"))
    op.create_index(
        "ix_document_failed",
        "document",
        ["verdict", "is_current"],
        sqlite_where=sa.text("is_current = 1 AND verdict = 2"),
    )
    op.add_column("content", sa.Column("reader", sa.Integer(), nullable=True))
    op.create_index("ix_content_reader", "content", ["reader", "family"], sqlite_where=sa.text("family = 0"))
    _verdicts()
    op.create_table(
        "account_root",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("certificate", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("added_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_account_root"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_root_account_id"),
        sa.UniqueConstraint("account_id", "certificate", name="uq_account_root_account_id"),
    )


def _verdicts() -> None:
    op.create_table(
        "basis",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("trust", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_basis"),
        sa.UniqueConstraint("rules", "trust", name="uq_basis_rules"),
    )
    op.create_table(
        "why",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest_head", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_why"),
    )
    op.create_index("ix_why_digest_head", "why", ["digest_head"])
    op.create_table(
        "verdict",
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("basis_id", sa.Integer(), nullable=False),
        sa.Column("result", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("whys", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("content_id", "kind", "position", name="pk_verdict"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_verdict_failed", "verdict", ["kind", "result"], sqlite_where=sa.text("result = 2"))
