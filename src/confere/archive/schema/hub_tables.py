"""The tables of the hub's own word of documents: its records, what is to be downloaded, and which days were listed.

Conventions are those of `schema`.
"""

from __future__ import annotations

from sqlalchemy import (
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

hub_document = Table(
    "hub_document",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("identity", Text, nullable=False),
    Column("hub_id", Text),
    Column("access_key", Text, index=True),
    Column("type", Text),
    Column("subtype", Text),
    Column("cfop", Text),
    Column("document_type_value", Text),
    Column("marketplace", Text),
    Column("order_id", Text),
    Column("created_at", Text),  # UTC
    Column("updated_at", Text),  # UTC
    Column("list_digest", LargeBinary),
    Column("detail_digest", LargeBinary),
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),
    Column("problem", Text),  # why nothing that it names was understood, where that is so
    Column("gone_since", Text),  # UTC: when a list that had to show it no longer did
    UniqueConstraint("account_id", "identity"),
    Index("ix_hub_document_order", "account_id", "order_id"),
    Index("ix_hub_document_problem", "account_id", sqlite_where=text("problem IS NOT NULL")),
    Index("ix_hub_document_gone", "account_id", sqlite_where=text("gone_since IS NOT NULL")),
)

hub_record = Table(
    "hub_record",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hub_document_id", ForeignKey("hub_document.id"), nullable=False, index=True),
    Column("source", Text, nullable=False),  # list, detail
    Column("content_id", Integer, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("run_id", Integer, nullable=False),
)

hub_history = clustered(
    "hub_history",
    Column("hub_document_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("status", Text),
    Column("at", Text),
    Column("protocol", Text),
    Column("item_id", Text),
    Column("description", Text),
    PrimaryKeyConstraint("hub_document_id", "position"),
)

hub_metadata = clustered(
    "hub_metadata",
    Column("hub_document_id", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Text),
    PrimaryKeyConstraint("hub_document_id", "name"),
)

download = Table(
    "download",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("hub_document_id", ForeignKey("hub_document.id"), nullable=False, index=True),
    Column("item_id", Text, nullable=False),
    Column("kind", Text),
    Column("state", Text, nullable=False),  # waiting, failed, done
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("reason", Text),
    Column("tried_at", Text),
    Column("content_id", Integer),
    UniqueConstraint("account_id", "item_id"),
    Index("ix_download_content_id", "content_id", sqlite_where=text("content_id IS NOT NULL")),
    Index("ix_download_open", "account_id", "id", sqlite_where=text("state != 'done'")),
)

coverage = Table(
    "coverage",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("axis", Text, nullable=False),  # created, updated; orders, returns
    Column("from_at", Text, nullable=False),  # UTC, inclusive
    Column("to_at", Text, nullable=False),  # UTC, inclusive
    Column("narrowed", Text, nullable=False, server_default=""),  # JSON of what narrowed it; empty: everything
    Column("method", Text, nullable=False),  # window, scan
    Column("offset", Integer, nullable=False, server_default="0"),  # the cursor, in items
    Column("pages", Integer, nullable=False, server_default="0"),
    Column("run_id", Integer, nullable=False),
    Column("finished_at", Text),
    Index("ix_coverage_account", "account_id", "axis", "from_at"),
)

declaration = Table(
    "declaration",  # a person's word that what was imported is all there is of a month
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("what", Text, nullable=False),  # orders, documents
    Column("month", Text, nullable=False),  # YYYY-MM
    Column("marketplaces", Text, nullable=False),  # JSON of names; an empty list: all
    Column("file", Text, nullable=False),
    Column("sha256", Text, nullable=False),  # of the file; of several, of the sorted list of theirs
    Column("at", Text, nullable=False),  # UTC
    Column("actor", Text, nullable=False),
    Column("run_id", Integer, nullable=False),  # the import
    Column("revoked_at", Text),
    Column("revoked_by", Text),
    Index("ix_declaration_account", "account_id", "what", "month"),
)

hub_shape = clustered(
    "hub_shape",  # how an account's hub wants to be asked and answers, as it was learned
    Column("account_id", Integer, nullable=False),
    Column("trait", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("learned_at", Text, nullable=False),  # UTC
    PrimaryKeyConstraint("account_id", "trait"),
)
