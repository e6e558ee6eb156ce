"""Searches: totals, protocols and the last digits of access keys are looked up by index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_document_total", "document", ["total"], sqlite_where=sa.text("is_current = 1"))
    op.create_index("ix_document_protocol", "document", ["protocol"], sqlite_where=sa.text("protocol IS NOT NULL"))
    op.create_index("ix_document_key_end", "document", [sa.text("substr(access_key, -8)")])
    op.create_index("ix_event_protocol", "event", ["protocol"], sqlite_where=sa.text("protocol IS NOT NULL"))
