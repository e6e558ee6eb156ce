"""The tables of orders and returns: what the hub or a file says of them, every version, and which were asked for.

Conventions are those of `schema`. An order is named by the hub's id of it; row numbers stay inside the archive.
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
    text,
)

from confere.archive.schema.metadata import clustered, metadata


def _lines(name: str, owner: str) -> Table:
    """What an order holds, or what comes back of it: the hub tells both in the same words."""
    return clustered(
        name,
        Column(owner, Integer, nullable=False),
        Column("position", Integer, nullable=False),
        Column("code", Text),
        Column("ean", Text),
        Column("description", Text),
        Column("quantity", Text),  # decimal as written
        Column("unit", BigInteger),
        Column("discount", BigInteger),
        Column("gross", BigInteger),
        Column("total", BigInteger),
        PrimaryKeyConstraint(owner, "position"),
    )


sales_order = Table(
    "sales_order",  # its newest version
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("hub_id", Text, nullable=False),
    Column("content_id", Integer, nullable=False),  # its JSON as received
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of the JSON, apart from blanks and the order of names
    Column("source", Text, nullable=False),  # hub, file
    Column("created_at", Text),  # UTC
    Column("created_on", Text, nullable=False),  # in America/Sao_Paulo
    Column("status", Text),
    Column("marketplace", Text),
    Column("marketplace_id", Text),
    Column("total", BigInteger),
    Column("gross", BigInteger),
    Column("discount", BigInteger),
    Column("freight", BigInteger),
    Column("buyer_tax_id", Text),
    Column("buyer_name", Text),
    Column("uf", Text),
    Column("invoice_key", Text),
    Column("invoice_series", Integer),
    Column("invoice_number", Integer),
    Column("invoice_at", Text),
    Column("invoice_on", Text, nullable=False),
    Column("shipped_at", Text),
    Column("delivered_at", Text),
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),  # that saw it, changed or not
    Column("seen_at", Text, nullable=False),
    Column("partner_id", Text),
    Column("marketplace_number", Text),
    Column("interest", BigInteger),
    Column("fulfillment", Text),
    Column("updated_at", Text),  # UTC, by the hub
    Column("reader", Integer),  # that made this row of the JSON; none where it was one before the second
    Column("transmission_status", Text),  # in capitals
    Column("transmission_message", Text),
    Column("carrier", Text),
    Column("tracking_number", Text),
    Column("ready_by", Text),  # UTC, as the next one
    Column("estimated_at", Text),
    UniqueConstraint("account_id", "hub_id"),
    Index("ix_sales_order_list", "account_id", "created_on", "id", "status", "invoice_key"),
    Index("ix_sales_order_invoice_key", "invoice_key", sqlite_where=text("invoice_key IS NOT NULL")),
    Index("ix_sales_order_marketplace_id", "marketplace_id", sqlite_where=text("marketplace_id IS NOT NULL")),
    Index("ix_sales_order_partner_id", "partner_id", sqlite_where=text("partner_id IS NOT NULL")),
    Index(
        "ix_sales_order_marketplace_number", "marketplace_number", sqlite_where=text("marketplace_number IS NOT NULL")
    ),
    Index(
        "ix_sales_order_transmission_error",
        "account_id",
        "created_on",
        "id",
        sqlite_where=text("transmission_status = 'ERROR'"),
    ),
)

order_item = _lines("order_item", "order_id")

order_version = clustered(
    "order_version",
    Column("order_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # oldest first
    Column("content_id", Integer, nullable=False),
    Column("source", Text, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("order_id", "position"),
)

order_asked = clustered(
    "order_asked",  # ids that documents quote, asked for one by one: the newest answer
    Column("account_id", Integer, nullable=False),
    Column("hub_id", Text, nullable=False),
    Column("asked_at", Text, nullable=False),
    Column("outcome", Text, nullable=False),  # found, absent, failed
    Column("reason", Text),  # a sentence, where it failed
    PrimaryKeyConstraint("account_id", "hub_id"),
)

hub_return = Table(
    "hub_return",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("hub_id", Text, nullable=False),
    Column("content_id", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("order_hub_id", Text),
    Column("kind", Text),
    Column("status", Text),
    Column("created_at", Text),
    Column("created_on", Text, nullable=False),
    Column("access_key", Text),
    Column("total", BigInteger),
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),
    Column("seen_at", Text, nullable=False),
    UniqueConstraint("account_id", "hub_id"),
    Index("ix_hub_return_order", "account_id", "order_hub_id"),
)

return_item = _lines("return_item", "return_id")
