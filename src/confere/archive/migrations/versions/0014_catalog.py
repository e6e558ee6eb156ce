"""The catalog of a hub: products as versions with their SKUs, registered names, and the journal of pushed files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "catalog_product",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=True)
            for name in ("title", "ncm", "origin", "brand", "brand_id", "category_id", "model", "changed_at")
        ),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("last_run_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("gone_since", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_catalog_product_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_catalog_product"),
        sa.UniqueConstraint("account_id", "hub_id", name="uq_catalog_product_account_id_hub_id"),
    )
    op.create_index("ix_catalog_product_title", "catalog_product", ["account_id", "title", "id"])
    op.create_table(
        "catalog_sku",
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("ean", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("price_cents", sa.BigInteger(), nullable=True),
        sa.Column("stock", sa.Text(), nullable=True),
        sa.Column("unit", sa.Text(), nullable=True),
        sa.Column("extra_days", sa.Integer(), nullable=True),
        sa.Column("variations", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("product_id", "position", name="pk_catalog_sku"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_catalog_sku_code", "catalog_sku", ["account_id", "code"])
    op.create_table(
        "catalog_version",
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("product_id", "position", name="pk_catalog_version"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "catalog_name",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("partner_id", sa.Text(), nullable=True),
        sa.Column("parent_id", sa.Text(), nullable=True),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "kind", "hub_id", name="pk_catalog_name"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "catalog_push",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("file_digest", sa.LargeBinary(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("begun_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_catalog_push_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_catalog_push"),
        sa.UniqueConstraint("account_id", "file_digest", name="uq_catalog_push_account_id_file_digest"),
    )
    op.create_table(
        "catalog_push_step",
        sa.Column("push_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=True),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("push_id", "kind", "name", name="pk_catalog_push_step"),
        sqlite_with_rowid=False,
    )
