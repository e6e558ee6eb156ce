"""The JSON of how companies stand in a month: the checklist with every line's proof, and the table of clients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from confere.app.labels.labels import event_word
from confere.cli.json.encoder import Shape, fields_of

if TYPE_CHECKING:
    from confere.app.closing.checklist_line import (
        ChecklistLine,
        CompanyChecklist,
        LineProof,
        NamedEvent,
        OfficeChecklist,
    )
    from confere.app.closing.company_row import OpenFindings
    from confere.app.overview.clients import ClientRow, Clients


def checklist(found: OfficeChecklist) -> Shape:
    """`complete` is true only where everything was looked at and nothing lacks."""
    return {
        "period": found.month,
        "complete": found.is_complete,
        "companies": [company(entry) for entry in found.companies],
    }


def company(entry: CompanyChecklist) -> Shape:
    """One company of the office."""
    head = fields_of(
        entry, "company=tax_id", "name", "state", "complete=is_complete", "documents", "exported_at", "closed_at"
    )
    return head | {"lines": [line(each) for each in entry.lines]}


def line(entry: ChecklistLine) -> Shape:
    """`proof.names` are the first of `proof.named`; `proof.command` shows all of them."""
    head = fields_of(entry, "code", "account", "state", "what", "remedy", "action=remedy_kind")
    return head | {"proof": proof(entry.proof)}


def proof(entry: LineProof) -> Shape:
    """What was counted; times in the zone of Brasília. `events` are what of `names` is an event."""
    shape = fields_of(entry, "counts", "names", "named", "command", "from=from_at", "to=to_at", "since")
    return shape | {"events": [_event(each) for each in entry.events]}


def _event(entry: NamedEvent) -> Shape:
    """`document_too`: of the document of `key` itself the line says the same."""
    shape = fields_of(entry, "key=access_key", "code", "sequence")
    word = event_word(entry.code, entry.description, entry.access_key)
    return shape | {"name": word, "document_too": entry.with_document}


def clients(found: Clients, rows: Sequence[ClientRow]) -> Shape:
    """`count` is of `clients`, which are those that were asked for; `companies` is how many there are in all."""
    return fields_of(found, "period=month") | {
        "count": len(rows),
        "companies": len(found.rows),
        "clients": [client(row) for row in rows],
    }


def client(row: ClientRow) -> Shape:
    """`missing` and `findings` are null where nobody counted; `accounts` is empty for one known from files alone.

    `findings_of_no_company` of its findings are of its accounts, and each of their companies has them.
    """
    shape = fields_of(
        row,
        *("company=tax_id", "name", "accounts", "state", "listed_at", "days", "stale=is_stale", "documents", "missing"),
        "short=is_short",
        *("outdated=is_outdated", "exported_at=packaged_at", "closed_at", "findings_of_no_company=of_no_company"),
    )
    return shape | {"findings": None if row.findings is None else _findings(row.findings)}


def _findings(found: OpenFindings) -> Shape:
    return fields_of(found, "high", "medium", "low")
