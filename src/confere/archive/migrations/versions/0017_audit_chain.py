"""The audit trail becomes a hash chain; the lines that are there are chained in their order.

The encoding is written out here as it is in `confere.archive.accounts.audit_chain` on the day of this migration: what
was chained then must stay as it is, whatever the program does later.
"""

from __future__ import annotations

import hashlib
import json
import os

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_AT_ONCE = 5000


def upgrade() -> None:
    for name in ("salt", "detail_digest", "prev_hash", "hash"):
        op.add_column("audit", sa.Column(name, sa.LargeBinary(), nullable=True))
    connection = op.get_bind()
    previous, last = bytes(32), 0
    while lines := connection.exec_driver_sql(
        "SELECT id, at, actor, action, subject, detail FROM audit WHERE id > ? ORDER BY id LIMIT ?", (last, _AT_ONCE)
    ).fetchall():
        rows = []
        for number, at, actor, action, subject, detail in lines:
            salt = None if detail is None else os.urandom(16)
            digest = None if salt is None else hashlib.sha256(salt + detail.encode("utf-8", "replace")).digest()
            encoded = ["confere audit 1", number, at, actor, action, subject, digest and digest.hex(), previous.hex()]
            text = json.dumps(encoded, ensure_ascii=False, separators=(",", ":"))
            chained = hashlib.sha256(text.encode("utf-8", "replace")).digest()
            rows.append((salt, digest, previous, chained, number))
            previous, last = chained, number
        connection.exec_driver_sql(
            "UPDATE audit SET salt = ?, detail_digest = ?, prev_hash = ?, hash = ? WHERE id = ?", rows
        )
    connection.exec_driver_sql(
        "INSERT OR REPLACE INTO info (name, value) VALUES ('audit head', ?)", (f"{last} {previous.hex()}",)
    )
