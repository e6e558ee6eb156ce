"""Vault checks: when each share of the contents was last read back, and which were found damaged or missing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "vault_check",
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("checked_at", sa.Text(), nullable=False),
        sa.Column("contents", sa.Integer(), nullable=False),
        sa.Column("damaged", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("part", "parts", name="pk_vault_check"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vault_damage",
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("found_at", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("content_id", name="pk_vault_damage"),
    )
