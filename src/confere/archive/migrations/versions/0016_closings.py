"""Closings of months: a hash chain of acts, the rows that were frozen, and the time stamps of their heads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "closing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("company", sa.Text(), nullable=False),
        sa.Column("month", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("preparer", sa.Text(), nullable=True),
        sa.Column("reviewer", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("is_incomplete", sa.Integer(), nullable=False),
        sa.Column("totals", sa.Text(), nullable=False),
        sa.Column("previous_head", sa.LargeBinary(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_closing")),
    )
    op.create_index("ix_closing_month", "closing", ["month", "company", "id"])
    op.create_table(
        "closing_part",
        sa.Column("closing_id", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("closing_id", "section", "position", name=op.f("pk_closing_part")),
    )
    op.create_table(
        "closing_stamp",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("closing_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("received_at", sa.Text(), nullable=False),
        sa.Column("response", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_closing_stamp")),
    )
    op.create_index("ix_closing_stamp_closing_id", "closing_stamp", ["closing_id"])
