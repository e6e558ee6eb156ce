"""The accounts in use in a copy of an archive, of any format, read without opening it as an archive."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from confere.archive.accounts.accounts import Account


def accounts_in(uri: str) -> tuple[Account, ...]:
    """The accounts of the archive or copy that SQLite opens by `uri`, by name; none where they cannot be read.

    The file may be a stranger's: what stands in it is text to show, and is taken for nothing else.
    """
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            rows = connection.execute(
                "SELECT id, name, environment, address, platform, facts FROM account WHERE removed_at IS NULL"
                " ORDER BY name"
            ).fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return ()
    return tuple(
        Account(
            id=number if isinstance(number, int) else 0,
            name=str(name),
            environment=str(environment),
            address=str(address),
            platform=str(platform),
            facts=_facts(facts),
        )
        for number, name, environment, address, platform, facts in rows
    )


def _facts(text: object) -> dict[str, object]:
    try:
        facts = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}
