"""The JSON of a month's checklist: every line with its state, its counts and its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape, fields_of

if TYPE_CHECKING:
    from confere.app.closing.checklist_line import ChecklistLine, CompanyChecklist, LineProof, OfficeChecklist


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
    """What was counted; times in the zone of Brasília."""
    return fields_of(entry, "counts", "names", "named", "command", "from=from_at", "to=to_at", "since")
