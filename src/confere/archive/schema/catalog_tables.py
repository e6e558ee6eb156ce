"""A hub's catalog: products and their SKUs as they stand, every version, and what was pushed from files.

See the conventions in `confere.archive.schema.schema`. Products go by the hub's ids, SKUs by their codes.
"""

from __future__ import annotations

from sqlalchemy import (  # fmt: skip
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from confere.archive.schema.metadata import clustered, metadata

catalog_product = Table(
    "catalog_product",  # its newest version
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("hub_id", Text, nullable=False),
    Column("content_id", Integer, nullable=False),  # its JSON as received
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of the JSON, apart from blanks and the order of names
    Column("title", Text),
    Column("ncm", Text),
    Column("origin", Text),
    Column("brand", Text),
    Column("brand_id", Text),
    Column("category_id", Text),
    Column("model", Text),
    Column("changed_at", Text),  # as the hub writes it
    Column("words", Text, nullable=False),  # what it is found by: without accents, in one case
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),  # that saw it, changed or not
    Column("seen_at", Text, nullable=False),
    Column("gone_since", Text),  # UTC: a listing of everything did not show it
    UniqueConstraint("account_id", "hub_id"),
    Index("ix_catalog_product_title", "account_id", "title", "id"),
)

catalog_sku = clustered(
    "catalog_sku",
    Column("product_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("account_id", Integer, nullable=False),
    Column("hub_id", Text),
    Column("code", Text, nullable=False),
    Column("ean", Text),
    Column("title", Text),
    Column("price_cents", BigInteger),
    Column("stock", Text),  # decimal as written
    Column("unit", Text),
    Column("extra_days", Integer),
    Column("variations", Text, nullable=False),  # JSON: pairs of type and value
    PrimaryKeyConstraint("product_id", "position"),
    Index("ix_catalog_sku_code", "account_id", "code"),
)

catalog_version = clustered(
    "catalog_version",
    Column("product_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # oldest first
    Column("content_id", Integer, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("product_id", "position"),
)

catalog_name = clustered(
    "catalog_name",  # brands, categories and variations, as they were listed last
    Column("account_id", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("hub_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("partner_id", Text),
    Column("parent_id", Text),
    Column("choices", Text, nullable=False),  # JSON: the values of a variation
    PrimaryKeyConstraint("account_id", "kind", "hub_id"),
)

catalog_push = Table(
    "catalog_push",  # a file that was pushed to an account's hub
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("file_digest", LargeBinary, nullable=False),  # SHA-256 of its bytes
    Column("file_name", Text, nullable=False),
    Column("begun_at", Text, nullable=False),
    Column("finished_at", Text),
    UniqueConstraint("account_id", "file_digest"),
)

catalog_push_step = clustered(
    "catalog_push_step",  # one request's worth of a file: written before it is sent, and after the answer
    Column("push_id", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # brand, category, variation, product, sku, image, stock
    Column("name", Text, nullable=False),  # what it is called by in the file
    Column("state", Text, nullable=False),  # creating, changing (being sent); created, changed, refused
    Column("hub_id", Text),
    Column("words", Text),  # the hub's own, where it refused
    Column("at", Text, nullable=False),
    PrimaryKeyConstraint("push_id", "kind", "name"),
)
