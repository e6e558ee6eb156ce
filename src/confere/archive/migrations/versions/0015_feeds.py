"""Records that the hub's feeds name beside orders, published prices, and the origin of goods on documents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("item", sa.Column("origin", sa.Text(), nullable=True))
    op.create_table(
        "feed_record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("feed", sa.Text(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.Text(), nullable=False),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("last_run_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_feed_record_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feed_record")),
        sa.UniqueConstraint("account_id", "feed", "hub_id", name=op.f("uq_feed_record_account_id_feed_hub_id")),
    )
    op.create_table(
        "feed_record_version",
        sa.Column("record_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("record_id", "position", name=op.f("pk_feed_record_version")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "published_price",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("publication", sa.Text(), nullable=False),
        sa.Column("since_at", sa.Text(), nullable=False),
        sa.Column("marketplace", sa.Text(), nullable=True),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=True),
        sa.Column("discount_price", sa.BigInteger(), nullable=True),
        sa.Column("campaign", sa.Text(), nullable=True),
        sa.Column("is_dated", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "publication", "since_at", name=op.f("pk_published_price")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_published_price_sku", "published_price", ["account_id", "sku"])
