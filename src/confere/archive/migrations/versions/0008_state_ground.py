"""Documents: on what their state stands, and the authority's answers that came in files of their own.

States that an event or another document decides are settled anew by `archive.settling.owed`: what an event's own
verdict speaks against counts no longer.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# fmt: off
LISTED = (
    "issued_on", "id", "is_current", "type", "state", "operation", "direction", "total", "number", "emitter_id",
    "recipient_id", "taker_id", "warning_count", "hub_marketplace", "hub_order_id", "hub_disagrees", "verdict",
    "state_ground",
)
# fmt: on
_ANSWER_ALONE, _NOTHING = 2, 5  # as `archive.grounds` numbers them


def upgrade() -> None:
    op.add_column("document", sa.Column("signed_digest", sa.Text(), nullable=True))
    op.add_column("document", sa.Column("state_ground", sa.Integer(), nullable=True))
    op.drop_index("ix_document_list", "document")
    op.create_table(
        "lone_answer",
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=True),
        sa.Column("cstat", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("protocol", sa.Text(), nullable=True),
        sa.Column("received_at", sa.Text(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("environment", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("content_id", "position", name="pk_lone_answer"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_lone_answer_access_key", "lone_answer", ["access_key"])
    op.execute(
        f"UPDATE document SET state_ground = CASE WHEN cstat IS NULL THEN {_NOTHING} ELSE {_ANSWER_ALONE} END"
        " WHERE type NOT IN ('voiding', 'other')"
        " AND (access_key IS NULL OR access_key NOT IN (SELECT access_key FROM event WHERE access_key IS NOT NULL)"
        " AND access_key NOT IN (SELECT target_key FROM relation))"
        " AND coalesce(instr(warnings, 'protocol_key_differs'), 0) = 0"
    )
    op.create_index("ix_document_unsettled", "document", ["id"], sqlite_where=sa.text("state_ground IS NULL"))
    op.create_index("ix_document_list", "document", list(LISTED), sqlite_where=sa.text("is_current = 1"))
