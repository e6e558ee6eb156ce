"""Lists: where each order begins, and what few documents have, is found by index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_INDEXES = (
    ("order", ["hub_order_id"], "hub_order_id IS NOT NULL"),
    ("emitter", ["emitter_id", "recipient_id"], "emitter_id > 0"),
    ("recipient", ["recipient_id"], "recipient_id > 0"),
    ("marketplace", ["hub_marketplace"], "hub_marketplace IS NOT NULL"),
    ("type", ["type"], "type != 'nfe'"),
    ("other_total", ["total"], "type != 'nfe' AND total IS NOT NULL"),
    ("state", ["state", "total"], "state != 'authorized'"),
    ("operation", ["operation"], "operation != 'sale'"),
    ("verdict", ["verdict"], "verdict IS NOT NULL"),
    ("ground", ["state_ground"], "state_ground != 2"),
    ("warnings", ["warning_count"], "warning_count > 0"),
)


def upgrade() -> None:
    for name, columns, condition in _INDEXES:
        op.create_index(
            f"ix_document_{name}", "document", columns, sqlite_where=sa.text(f"is_current = 1 AND {condition}")
        )
    op.create_index("ix_taxpayer_name", "taxpayer", [sa.text("name COLLATE NOCASE")])
