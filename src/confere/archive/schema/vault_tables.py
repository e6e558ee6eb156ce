"""The tables of the vault: bytes as received, each content once, and what makes them small.

Conventions are those of `schema`.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, PrimaryKeyConstraint, Table, Text, text

from confere.archive.schema.metadata import clustered, metadata

dictionary = Table(
    "dictionary",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("family", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("trained_at", Text, nullable=False),
    Column("ratio", Integer, nullable=False),  # stored per mille of raw on its own samples
)

certificate = Table(
    "certificate",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest_head", BigInteger, nullable=False, index=True),
    Column("data", LargeBinary, nullable=False),  # the text between the tags, as written
)

content = Table(
    "content",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest_head", BigInteger, nullable=False, index=True),
    Column("digest", LargeBinary, nullable=False),
    Column("family", Integer, nullable=False),  # 0 xml, 1 json: each has dictionaries of its own
    Column("size", Integer, nullable=False),  # bytes as received
    Column("dictionary_id", Integer),  # null: compressed without one
    Column("cuts", LargeBinary),  # certificates taken out: (offset, certificate id) pairs
    Column("payload", LargeBinary, nullable=False),
    Column("problem", Text),  # why it cannot be read, where it cannot
    Column("reader", Integer),  # which one made its rows; -1: refused, given to none; null: one before versions
    Index("ix_content_problem", "id", sqlite_where=text("problem IS NOT NULL")),
    Index("ix_content_reader", "reader", "family", sqlite_where=text("family = 0")),  # what waits for a newer one
)

arrival = clustered(
    "arrival",
    Column("content_id", Integer, nullable=False),
    Column("source", Text, nullable=False),  # a file's name, or hub:account/item
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("content_id", "source"),
)

wrapping = clustered(
    "wrapping",  # what came inside something else: the XML's content, and that of the bytes as received
    Column("content_id", Integer, nullable=False),
    Column("received_id", Integer, nullable=False),
    Column("layers", Text, nullable=False),  # outermost first: gzip, zip, base64, json
    PrimaryKeyConstraint("content_id", "received_id"),
)

vault_check = clustered(
    "vault_check",  # when a share of the contents was last read back
    Column("part", Integer, nullable=False),
    Column("parts", Integer, nullable=False),
    Column("checked_at", Text, nullable=False),  # UTC
    Column("contents", Integer, nullable=False),
    Column("damaged", Integer, nullable=False),
    PrimaryKeyConstraint("part", "parts"),
)

vault_damage = Table(
    "vault_damage",  # contents that are missing or no longer match their SHA-256, until they are back
    metadata,
    Column("content_id", Integer, primary_key=True),
    Column("found_at", Text, nullable=False),  # UTC
    Column("reason", Text, nullable=False),  # missing, damaged
)
