"""The JSON of candidates, assignments and signatures; money as decimal strings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from confere.cli.json.encoder import Shape, each_of, fields_of

if TYPE_CHECKING:
    from confere.app.reconciliation.matching.candidates import PairCandidate
    from confere.app.reconciliation.queries import FindingRow
    from confere.app.reconciliation.review.assignments import Assigned
    from confere.app.reconciliation.review.signoffs import MonthSignOff

_CANDIDATE: Final = (
    *("order=order.hub_id", "key=paper.access_key", "created_on=order.created_on", "issued_on=paper.issued_on"),
    *("order_total=order.total", "document_total=paper.total", "difference=likeness.difference"),
    *("days=likeness.days", "buyer=likeness.buyer", "total=likeness.total", "items=likeness.items"),
    *("day=likeness.day", "linked", "state=paper.state"),
)
_SIGNOFF: Final = (
    *("company=signed.company", "month=signed.month", "reviewer", "at", "note=signed.note", "findings=signed.findings"),
    *("stands", "withdrawn_at", "taken_back=is_taken_back", "withdrawn_why=signed.withdrawn_why"),
)


def candidates(row: FindingRow, found: Iterable[PairCandidate]) -> Shape:
    """`buyer`, `total`, `items` and `day` are null where they cannot be compared; `linked` is what a candidate has."""
    money = ("order_total", "document_total", "difference")
    shapes = each_of(found, *_CANDIDATE, money=money)
    return {**fields_of(row, "finding=id", "account"), "total": len(shapes), "candidates": shapes}


def assigned(done: Assigned) -> Shape:
    """`act` is the number of the act that undo takes back; null where it was so already."""
    return fields_of(done, "findings", "assignee", "due_on", "act")


def signoff(done: MonthSignOff) -> Shape:
    """`open_findings` of the month were settled by nobody when it was signed; `act` is what undo takes back."""
    return fields_of(done, *_SIGNOFF, "open_findings", "act", "awaiting_closing")


def signoffs(found: Iterable[MonthSignOff]) -> Shape:
    shapes = each_of(found, *_SIGNOFF)
    return {"total": len(shapes), "signoffs": shapes}
