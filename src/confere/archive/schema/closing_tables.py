"""The tables of closed months: the chain of acts, the rows that were frozen, and time stamps of heads.

A closing refers to no row of another table: what was filed stays as it was, whatever becomes of the rest.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, LargeBinary, PrimaryKeyConstraint, Table, Text

from confere.archive.schema.metadata import metadata

closing = Table(
    "closing",  # one row an act: a month is closed while its newest act is a close
    metadata,
    Column("id", Integer, primary_key=True),
    Column("company", Text, nullable=False),  # tax id
    Column("month", Text, nullable=False),  # YYYY-MM
    Column("kind", Text, nullable=False),  # close, reopen
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("preparer", Text),
    Column("reviewer", Text),
    Column("reason", Text),  # of a reopening
    Column("is_incomplete", Integer, nullable=False),  # 1: something lacked, and it was closed all the same
    Column("totals", Text, nullable=False),  # JSON: what was filed, see `FiledTotals`
    Column("previous_head", LargeBinary, nullable=False),
    Column("head", LargeBinary, nullable=False),
    # Of each text its random salt and its salted SHA-256, which the head covers; a salt goes with the text.
    Column("preparer_salt", LargeBinary),
    Column("preparer_digest", LargeBinary),
    Column("reviewer_salt", LargeBinary),
    Column("reviewer_digest", LargeBinary),
    Column("reason_salt", LargeBinary),
    Column("reason_digest", LargeBinary),
    Index("ix_closing_month", "month", "company", "id"),
)

closing_part = Table(
    "closing_part",  # a stretch of the frozen rows of one kind
    metadata,
    Column("closing_id", Integer, nullable=False),
    Column("section", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of the text
    Column("payload", LargeBinary, nullable=False),  # the text, compressed by zstd
    PrimaryKeyConstraint("closing_id", "section", "position"),
)

closing_stamp = Table(
    "closing_stamp",  # what a time stamping authority answered about a head (RFC 3161)
    metadata,
    Column("id", Integer, primary_key=True),
    Column("closing_id", Integer, nullable=False, index=True),
    Column("address", Text, nullable=False),
    Column("received_at", Text, nullable=False),
    Column("response", LargeBinary, nullable=False),  # DER
)
