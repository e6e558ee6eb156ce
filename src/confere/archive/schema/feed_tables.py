"""The tables of what the hub's feeds name beside orders: the records, every version of each, and published prices.

Conventions are those of `schema`. A record is named by its feed and the hub's id of it.
"""

from __future__ import annotations

from sqlalchemy import (
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

feed_record = Table(
    "feed_record",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("feed", Text, nullable=False),
    Column("hub_id", Text, nullable=False),
    Column("content_id", Integer),  # its newest JSON as received; none where the hub gave none
    Column("digest", LargeBinary),  # SHA-256 of the JSON, apart from blanks and the order of names
    Column("outcome", Text, nullable=False),  # found, absent, failed; named: the hub has no record to read
    Column("reason", Text),  # a sentence, where it failed
    Column("changed_at", Text, nullable=False),  # UTC: when the feed was read that named it last
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),
    UniqueConstraint("account_id", "feed", "hub_id"),
)

feed_record_version = clustered(
    "feed_record_version",
    Column("record_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # oldest first
    Column("content_id", Integer, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("record_id", "position"),
)

published_price = clustered(
    "published_price",  # a price and since when it is a publication's
    Column("account_id", Integer, nullable=False),
    Column("publication", Text, nullable=False),  # the hub's id of it
    Column("since_at", Text, nullable=False),  # UTC
    Column("marketplace", Text),
    Column("sku", Text, nullable=False),  # the seller's code
    Column("price", BigInteger),
    Column("discount_price", BigInteger),  # after discount
    Column("campaign", Text),
    Column("is_dated", Integer, nullable=False),  # whether the hub says since when; else it is when it was seen
    PrimaryKeyConstraint("account_id", "publication", "since_at"),
    Index("ix_published_price_sku", "account_id", "sku"),
)
