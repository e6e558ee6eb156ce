"""A large archive in little time: a world that was synced, and its rows again and again under other numbers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path

from confere.app.sandbox import sandbox
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Establishment
from confere.archive.store import Archive
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import sync

_SYNCED = 10_000
_KEY = "substr(access_key, 1, 25) || printf('%09d', (substr(access_key, 26, 9) + {copy} * 1000003) % 1000000000)"
_KEY += " || substr(access_key, 35)"

# What is another value in a copy; the vault is not copied, each copy has the content of the first.
_MOVED = {
    "document": {
        "id": "id + {ids}",
        "access_key": _KEY,
        "number": "number + {copy} * 20011",
        "total": "total * (1000 + {copy} * 37 % 500) / 1000",
        "hub_order_id": "hub_order_id || '{copy}'",
    },
    "party": {"document_id": "document_id + {ids}"},
    "item": {"document_id": "document_id + {ids}"},
    "belonging": {"document_id": "document_id + {ids}"},
    "voiding": {"document_id": "document_id + {ids}"},
    "hub_document": {
        "id": "id + {ids}",
        "identity": "identity || '/{copy}'",
        "access_key": _KEY,
        "order_id": "order_id || '{copy}'",
    },
}
_FIRST = {"document": "id", "hub_document": "id"}
_WORDS = (
    "INSERT INTO search(rowid, words) SELECT d.id, coalesce(d.nature, '') || ' ' || coalesce(e.name, '') || ' '"
    " || coalesce(r.name, '') || ' ' || coalesce((SELECT group_concat(coalesce(i.code, '') || ' '"
    " || coalesce(i.description, ''), ' ') FROM item i WHERE i.document_id = d.id), '') FROM document d"
    " LEFT JOIN taxpayer e ON e.id = d.emitter_id LEFT JOIN taxpayer r ON r.id = d.recipient_id WHERE d.id > ?"
)


_FINDINGS = (
    "INSERT INTO finding(account_id, fingerprint, rule, version, period, severity, checked, state, orders, keys,"
    " subject, evidence, changed_at, first_run_id, last_run_id)"
    " SELECT 1, id, 'R2', 1, substr(issued_on, 1, 7), 'medium', 1, 'open', '[]', '[]', '', '[]',"
    " '2026-11-01T00:00:00.000+00:00', 1, 1 FROM document WHERE id % 50 = 0"
)


def make(path: Path, documents: int) -> None:
    """An archive at `path` with at least `documents` of them, of one account with its establishments."""
    synced(path, min(documents, _SYNCED))
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -200000")
        count, ids = database.execute("SELECT count(*), max(id) FROM document").fetchone()
        ids = max(ids, database.execute("SELECT max(id) FROM hub_document").fetchone()[0])
        database.execute("BEGIN")
        for copy in range(1, -(-documents // count)):
            for table, moved in _MOVED.items():
                _copy(database, table, moved, ids, copy)
        database.execute(_WORDS, (ids,))
        database.execute(import_module("confere.archive.migrations.versions.0024_owner_words").FILL)
        name_findings(database)
        database.execute("COMMIT")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def name_findings(database: sqlite3.Connection) -> None:
    """An open finding for every fiftieth document, as after a run that found much."""
    database.execute(_FINDINGS)
    database.execute(
        "INSERT INTO finding_key(access_key, finding_id) SELECT d.access_key, f.id FROM finding f"
        " JOIN document d ON d.id = CAST(f.fingerprint AS INTEGER) WHERE d.access_key IS NOT NULL"
    )


def _copy(database: sqlite3.Connection, table: str, moved: dict[str, str], ids: int, copy: int) -> None:
    names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(moved.get(name, f'"{name}"').format(ids=ids * copy, copy=copy) for name in names)
    first = _FIRST.get(table, "document_id")
    database.execute(f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {first} <= {ids}")


def synced(path: Path, documents: int) -> None:
    """An archive at `path` of one account whose hub listed `documents`, with its establishments."""
    with (
        sandbox.running(sandbox.SandboxChoice(documents=documents, seed=7, anomalies="none", forget=False)) as hub,
        Archive.to_write(path, "benchmark") as archive,
    ):
        with archive.writing() as transaction:
            account = accounts.add(
                transaction,
                name="bench",
                environment="embedded",
                address=hub.address,
                platform="bench",
                establishments=[Establishment(company.tax_id, company.name) for company in hub.companies],
            )
        with HubSession(hub.address, hub.token, "bench") as session:
            sync(archive, session, account)
