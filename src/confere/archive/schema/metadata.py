"""What all tables of the archive share: their metadata, how constraints are named, and tables kept in one tree."""

from __future__ import annotations

from sqlalchemy import Column, Index, MetaData, PrimaryKeyConstraint, Table

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


def clustered(name: str, *parts: Column[object] | PrimaryKeyConstraint | Index) -> Table:
    """A table stored in its primary key's B-tree: one tree where a rowid table would keep two."""
    return Table(name, metadata, *parts, sqlite_with_rowid=False)
