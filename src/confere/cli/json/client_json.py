"""The JSON of the office's clients: how each stands in a month."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape, fields_of

if TYPE_CHECKING:
    from confere.app.closing.company_row import OpenFindings
    from confere.app.overview.clients import ClientRow, Clients


def clients(found: Clients, rows: Sequence[ClientRow]) -> Shape:
    """`count` is of all companies, `clients` are those that were asked for."""
    return fields_of(found, "period=month") | {"count": len(found.rows), "clients": [client(row) for row in rows]}


def client(row: ClientRow) -> Shape:
    """`missing` and `findings` are null where nobody counted; `accounts` is empty for one known from files alone."""
    shape = fields_of(
        row,
        *("company=tax_id", "name", "accounts", "state", "listed_at", "days", "stale=is_stale", "documents", "missing"),
        "short=is_short",
        *("outdated=is_outdated", "exported_at=packaged_at", "closed_at"),
    )
    return shape | {"findings": None if row.findings is None else _findings(row.findings)}


def _findings(found: OpenFindings) -> Shape:
    return fields_of(found, "high", "medium", "low")
