"""The texts of closings get salts and digests: of the closings that are there, whose heads hash the texts, none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for text in ("preparer", "reviewer", "reason"):
        for kind in ("salt", "digest"):
            op.add_column("closing", sa.Column(f"{text}_{kind}", sa.LargeBinary(), nullable=True))
