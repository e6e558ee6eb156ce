"""The tables of whose archive it is and of what was done in it: accounts, establishments, runs, the audit trail, seals.

Conventions are those of `schema`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (  # fmt: skip
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import UserDefinedType

from confere.archive.schema.metadata import clustered, metadata


class _AnyKey(UserDefinedType[Any]):
    """A whole number or a text, stored as it is given: a column of SQLite without an affinity."""

    cache_ok = True
    python_type = object

    def get_col_spec(self, **_: Any) -> str:
        return "BLOB"


info = Table(
    "info",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

account = Table(
    "account",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("environment", Text, nullable=False),  # production, sandbox, embedded
    Column("address", Text, nullable=False),
    Column("platform", Text, nullable=False),
    Column("facts", Text, nullable=False, server_default="{}"),  # JSON: what was learned of this hub
    Column("created_at", Text, nullable=False),
    Column("removed_at", Text),
    Column("preferences", Text, nullable=False, server_default="{}"),  # JSON: what its owner wants of it
)

establishment = Table(
    "establishment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("tax_id", Text, nullable=False),
    Column("name", Text),
    UniqueConstraint("account_id", "tax_id"),
)

run = Table(
    "run",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),  # sync, import, export, …
    Column("account_id", ForeignKey("account.id")),
    Column("started_at", Text, nullable=False),
    Column("finished_at", Text),
    Column("outcome", Text),  # done, partial, failed, stopped; null while it runs or after a kill
    Column("parameters", Text, nullable=False, server_default="{}"),
    Column("counts", Text, nullable=False, server_default="{}"),
    Column("problem", Text),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text),
    Column("salt", LargeBinary),  # of the detail's digest; null: no detail, or a person was taken out of it
    Column("detail_digest", LargeBinary),
    Column("prev_hash", LargeBinary),
    Column("hash", LargeBinary),  # as `archive.accounts.audit_chain` computes it
)

seal = clustered(
    "seal",  # beside each row that nothing else proves: see `confere.archive.seals`
    Column("table_number", Integer, nullable=False),  # as `seals.sealed_tables.SealedTable.number`
    Column("row_key", _AnyKey(), nullable=False),  # the row's id; of a table without one its key as a text
    Column("seal", LargeBinary, nullable=False),  # as `seals.row_seal` makes it
    PrimaryKeyConstraint("table_number", "row_key"),
)
