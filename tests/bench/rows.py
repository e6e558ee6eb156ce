"""An archive many times over: its rows copied inside the file, so that reading and writing are measured at any size.

A copy shares no order, document or buyer with another one; the account's establishments and the carriers stay who they
are, as in a company that has grown.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from confere.fiscal.access_keys import LENGTH, check_digit

MOST = 90
_STEP = 1_000_000  # between the ids of two copies
_NUMBERS = 10_000  # between the numbers of two copies' documents and orders: no more than the archive may hold at first
_SHARED = 0.01  # of all documents: who has more of them is no buyer
_DIGITS = re.compile(r"\d{7,}")
_ID = f"+ :copy * {_STEP}"
_NUMBER = f"+ :copy * {_NUMBERS}"

_TABLES = {
    "taxpayer": {"id": f"id {_ID}", "tax_id": "person(tax_id, :copy)", "name": "who(name, :copy)"},
    "document": {
        "id": f"id {_ID}",
        "access_key": "rekeyed(access_key, :copy)",
        "number": f"number {_NUMBER}",
        **{f"{role}_id": f"{role}_id {_ID}" for role in ("emitter", "recipient", "taker")},
        **{name: f"called({name}, :copy)" for name in ("external_id", "order_hint", "hub_order_id", "quoted")},
    },
    "item": {"document_id": f"document_id {_ID}"},
    "tax_group": {"document_id": f"document_id {_ID}"},
    "party": {"document_id": f"document_id {_ID}", "taxpayer_id": f"taxpayer_id {_ID}"},
    "belonging": {"document_id": f"document_id {_ID}", "tax_id": "person(tax_id, :copy)"},
    "voiding": {
        "document_id": f"document_id {_ID}",
        "first": f'"first" {_NUMBER}',
        "last": f'"last" {_NUMBER}',
    },
    "relation": {"source_key": "rekeyed(source_key, :copy)", "target_key": "rekeyed(target_key, :copy)"},
    "event": {"id": f"id {_ID}", "access_key": "rekeyed(access_key, :copy)"},
    "hub_document": {
        "id": f"id {_ID}",
        "identity": "identity || '/' || :copy",
        "hub_id": "hub_id || '/' || :copy",
        "access_key": "rekeyed(access_key, :copy)",
        "order_id": "called(order_id, :copy)",
    },
    "sales_order": {
        "id": f"id {_ID}",
        "hub_id": "called(hub_id, :copy)",
        "marketplace_id": "called(marketplace_id, :copy)",
        "buyer_tax_id": "person(buyer_tax_id, :copy)",
        "buyer_name": "who(buyer_name, :copy)",
        "invoice_key": "rekeyed(invoice_key, :copy)",
        "invoice_number": f"invoice_number {_NUMBER}",
    },
    "order_item": {"order_id": f"order_id {_ID}"},
    "hub_return": {
        "id": f"id {_ID}",
        "hub_id": "hub_id || '/' || :copy",
        "order_hub_id": "called(order_hub_id, :copy)",
        "access_key": "rekeyed(access_key, :copy)",
    },
    "return_item": {"return_id": f"return_id {_ID}"},
    "order_asked": {"hub_id": "called(hub_id, :copy)"},
}


def multiply(archive: Path, times: int) -> None:
    """Let the archive hold `times` copies of what it holds, the first one of them as it was."""
    with closing(sqlite3.connect(archive)) as database:
        (documents,) = database.execute("SELECT count(*) FROM document").fetchone()
        if not 1 <= times <= MOST or documents > _NUMBERS:
            raise ValueError(f"{times} copies of {documents} documents")
        shared, names = _shared(database), _numbers_of_orders(database)
        database.create_function("person", 2, lambda text, copy: text if text in shared else _person(text, copy))
        database.create_function("who", 2, _who)
        database.create_function("rekeyed", 2, _rekeyed)
        database.create_function("called", 2, lambda text, copy: _called(text, copy, names))
        for table, changed in _TABLES.items():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            told = ", ".join(changed.get(name, f'"{name}"') for name in columns)
            database.execute(f"CREATE TEMP TABLE first_{table} AS SELECT * FROM {table}")
            database.executemany(
                f"INSERT OR IGNORE INTO {table} SELECT {told} FROM first_{table}",
                [{"copy": copy} for copy in range(1, times)],
            )
        database.commit()


def _shared(database: sqlite3.Connection) -> frozenset[str]:
    (documents,) = database.execute("SELECT count(*) FROM document").fetchone()
    rows = database.execute(
        "SELECT tax_id FROM belonging GROUP BY tax_id HAVING count(*) > ? UNION SELECT tax_id FROM establishment",
        (documents * _SHARED,),
    )
    return frozenset(row[0] for row in rows)


def _numbers_of_orders(database: sqlite3.Connection) -> frozenset[str]:
    rows = database.execute("SELECT hub_id FROM sales_order UNION SELECT marketplace_id FROM sales_order")
    return frozenset(number for (name,) in rows for number in _DIGITS.findall(name or ""))


def _person(text: str | None, copy: int) -> str | None:
    """Another tax id, masked in the same places or in those that the turning brings them to."""
    if not text:
        return text
    turned = text.translate(str.maketrans("0123456789", "".join(str((digit + copy) % 10) for digit in range(10))))
    at = copy // 10
    return turned[at:] + turned[:at]


def _who(name: str | None, copy: int) -> str | None:
    """People of ten copies share their names, as people do."""
    return name and f"{name} {chr(ord('A') + copy // 10)}"


def _called(text: str | None, copy: int, names: frozenset[str]) -> str | None:
    """A text whose orders' numbers are a good way on; what is no order's stays."""

    def on(found: re.Match[str]) -> str:
        number = found[0]
        far = copy * _NUMBERS * (10 if len(number) > 9 else 1)
        return str(int(number) + far).zfill(len(number)) if number in names else number

    return text and _DIGITS.sub(on, text)


def _rekeyed(key: str | None, copy: int) -> str | None:
    """The key of a document with another number, with its check digit."""
    if key is None or len(key) != LENGTH or not key[25:34].isdecimal():
        return key
    rest = f"{key[:25]}{int(key[25:34]) + copy * _NUMBERS:09}{key[34:43]}"
    return rest + check_digit(rest)
