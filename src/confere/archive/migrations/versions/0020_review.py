"""Who is to settle a finding and by when, and a reviewer's signature under the findings of a company's month."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("finding", sa.Column("assignee", sa.Text(), nullable=True))
    op.add_column("finding", sa.Column("due_on", sa.Text(), nullable=True))
    op.create_table(
        "signoff",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("company", sa.Text(), nullable=False),
        sa.Column("month", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("findings", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signoff")),
    )
    op.create_index("ix_signoff_month", "signoff", ["month", "company", "id"])
