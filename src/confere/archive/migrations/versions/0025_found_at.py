"""When a finding was found that no run found first, but a decision on links or a closing of its month."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("finding", sa.Column("found_at", sa.Text(), nullable=True))
