"""Sentences: stored as codes, so that rewording one changes nothing that is stored.

A sentence that this release does not know, of an older one, stays as its English text.
"""

from __future__ import annotations

import hashlib
import json

import sqlalchemy as sa
from alembic import op

from confere.system.message_codes import stored_id

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SENTENCES = (
    ("run", "problem"),
    ("content", "problem"),
    ("hub_document", "problem"),
    ("download", "reason"),
    ("order_asked", "reason"),
    ("tie", "reason"),
    ("suggestion", "agrees"),
    ("suggestion", "differs"),
    ("explained_difference", "evidence"),
    ("finding", "evidence"),
    ("link", "evidence"),
    ("why", "text"),
)
"""Columns that hold sentences as JSON, alone or in lists, with others within them."""


def upgrade() -> None:
    connection = op.get_bind()
    for table, column in SENTENCES:
        _rewrite(connection, table, column)
    for number, text in connection.exec_driver_sql("SELECT id, text FROM why").fetchall():
        connection.exec_driver_sql("UPDATE why SET digest_head = ? WHERE id = ?", (_digest_head(text), number))
    phrases = connection.exec_driver_sql("SELECT id, text FROM phrase").fetchall()
    for number, text in phrases:
        sentence, *names = json.loads(text)
        connection.exec_driver_sql(
            "UPDATE phrase SET text = ? WHERE id = ?", (_json([stored_id(sentence), *names]), number)
        )


def _rewrite(connection: sa.Connection, table: str, column: str) -> None:
    """Each text once: thousands of rows share one."""
    texts = connection.exec_driver_sql(
        f"SELECT DISTINCT {column} FROM {table} WHERE {column} LIKE '%\"id\":%'"
    ).fetchall()
    op.create_table("rewritten", sa.Column("old", sa.Text(), primary_key=True), sa.Column("new", sa.Text()))
    changed = [(text, new) for (text,) in texts if (new := _with_codes(text)) != text]
    if changed:
        connection.exec_driver_sql("INSERT INTO rewritten VALUES (?, ?)", changed)
        connection.exec_driver_sql(
            f"UPDATE {table} SET {column} = (SELECT new FROM rewritten WHERE old = {column})"
            f" WHERE {column} IN (SELECT old FROM rewritten)"
        )
    op.drop_table("rewritten")


def _with_codes(text: str) -> str:
    try:
        return _json(_coded(json.loads(text)))
    except ValueError:  # an older note, in plain words
        return text


def _coded(value: object) -> object:
    match value:
        case {"id": str(id), "params": dict(params)}:
            return {"id": stored_id(id), "params": {name: _coded(inner) for name, inner in params.items()}}
        case list(values):
            return [_coded(inner) for inner in values]
    return value


def _digest_head(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
