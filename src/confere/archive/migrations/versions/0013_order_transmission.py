"""Orders: what became of their transmission to the marketplace, and of their way to the buyer, for lists of them.

Rows that are here have none of it yet: the next sync or `confere reindex` fills them from the JSON in the vault.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    shipment = ("carrier", "tracking_number", "ready_by", "estimated_at")
    for name in ("transmission_status", "transmission_message", *shipment):
        op.add_column("sales_order", sa.Column(name, sa.Text(), nullable=True))
    op.create_index(
        "ix_sales_order_transmission_error",
        "sales_order",
        ["account_id", "created_on", "id"],
        sqlite_where=sa.text("transmission_status = 'ERROR'"),
    )
