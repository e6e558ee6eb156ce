"""The table of seals: beside each row that nothing else proves, a digest of it. See `confere.archive.seals`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Integer, LargeBinary, PrimaryKeyConstraint
from sqlalchemy.types import UserDefinedType

from confere.archive.schema.metadata import clustered


class _AnyKey(UserDefinedType[Any]):
    """A whole number or a text, stored as it is given: a column of SQLite without an affinity."""

    cache_ok = True
    python_type = object

    def get_col_spec(self, **_: Any) -> str:
        return "BLOB"


seal = clustered(
    "seal",
    Column("table_number", Integer, nullable=False),  # as `seals.sealed_tables.SealedTable.number`
    Column("row_key", _AnyKey(), nullable=False),  # the row's id; of a table without one its key as a text
    Column("seal", LargeBinary, nullable=False),  # as `seals.row_seal` makes it
    PrimaryKeyConstraint("table_number", "row_key"),
)
