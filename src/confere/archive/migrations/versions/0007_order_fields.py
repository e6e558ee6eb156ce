"""Orders: the fields that real hubs add to the specification's, and which reader made a row.

Rows that are here have none of them yet: `archive.order_rereading` fills them from the JSON in the vault.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("partner_id", sa.Text(), nullable=True),
        sa.Column("marketplace_number", sa.Text(), nullable=True),
        sa.Column("interest", sa.BigInteger(), nullable=True),
        sa.Column("fulfillment", sa.Text(), nullable=True),
        sa.Column("updated_at", sa.Text(), nullable=True),
        sa.Column("reader", sa.Integer(), nullable=True),
    ):
        op.add_column("sales_order", column)
    for name in ("partner_id", "marketplace_number"):
        op.create_index(f"ix_sales_order_{name}", "sales_order", [name], sqlite_where=sa.text(f"{name} IS NOT NULL"))
