"""The tables of authenticity: what was judged and by what, why it did not hold, and an account's own authorities."""

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
    text,
)

from confere.archive.schema.metadata import clustered, metadata

account_root = Table(
    "account_root",  # certificates that are trusted for the papers of this account alone, and of no other
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("certificate", LargeBinary, nullable=False),  # as given: PEM or DER, one or several
    Column("name", Text, nullable=False),
    Column("added_at", Text, nullable=False),
    UniqueConstraint("account_id", "certificate"),
)

basis = Table(
    "basis",  # what papers were judged by: another set of rules or of trusted certificates is another basis
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rules", Integer, nullable=False),
    Column("trust", LargeBinary, nullable=False),
    UniqueConstraint("rules", "trust"),
)

why = Table(
    "why",  # sentences of verdicts, each once: thousands of papers lack the same certificate
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest_head", BigInteger, nullable=False, index=True),
    Column("text", Text, nullable=False),
)

verdict = clustered(
    "verdict",
    Column("content_id", Integer, nullable=False),
    Column("kind", Integer, nullable=False),  # 0 document, 1 event, 2 voiding, 9 nothing that can be judged
    Column("position", Integer, nullable=False),  # among those of its kind in the content
    Column("basis_id", Integer, nullable=False),
    Column("result", Integer, nullable=False),  # 0 ok, 1 unchecked, 2 failed, 3 a test
    Column("lines", Text, nullable=False),  # one letter a check, in their order; see verdicts
    Column("whys", Text),  # "check:why …" of the lines that failed or could not be checked
    PrimaryKeyConstraint("content_id", "kind", "position"),
    Index("ix_verdict_failed", "kind", "result", sqlite_where=text("result = 2")),
)
