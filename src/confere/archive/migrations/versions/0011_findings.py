"""Reconciliation: pairs that nearly fit, and the differences that R3 explains itself, by run.

Both are empty until the next run of an account.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "suggestion",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("order_hub_id", sa.Text(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=False),
        sa.Column("agrees", sa.Text(), nullable=False),
        sa.Column("differs", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "order_hub_id", "access_key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "explained_difference",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("keys", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("gone_run_id", sa.Integer(), nullable=True),
    )
    op.create_index("ix_explained_difference_account", "explained_difference", ["account_id", "gone_run_id"])
