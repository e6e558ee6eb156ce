"""The tables of what a person arranged: searches that were saved, tags, and which documents bear them.

Nothing here is made of the bytes, so reading them again changes nothing of it.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table, Text

from confere.archive.schema.metadata import clustered, metadata

saved_search = Table(
    "saved_search",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False, unique=True),  # without accents and case: two that look alike are one
    Column("words", Text, nullable=False),  # in the search language, as typed
    Column("filters", Text, nullable=False),  # JSON: fields of `DocumentQuery` that differ from its own defaults
    Column("position", Integer, nullable=False),  # from the top of the list
    Column("created_at", Text, nullable=False),
)

tag = Table(
    "tag",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False, unique=True),
    Column("colour", Integer, nullable=False),  # a place in the window's palette of tags
    Column("created_at", Text, nullable=False),
)

document_tag = clustered(
    "document_tag",  # of a document with a key it holds for the key, whichever of its contents is current
    Column("tag_id", Integer, nullable=False),
    Column("content_id", Integer, nullable=False),  # with the position what a document keeps when it is read again
    Column("position", Integer, nullable=False),
    Column("access_key", Text),
    Column("tagged_at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    PrimaryKeyConstraint("tag_id", "content_id", "position"),
    Index("ix_document_tag_access_key", "access_key"),
    Index("ix_document_tag_content_id", "content_id"),
)
