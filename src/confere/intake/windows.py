"""Which stretches of the hub's time to list next, from what is covered already.

New documents are found by creation date, changed ones by last update. Each incremental window begins a little
before the last one ended, for hubs whose clocks disagree or whose lists lag; what comes twice costs nothing.
Windows end at the hub's own time, told by its answers: ours may be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from confere.archive import coverage
from confere.archive.clock import from_text, utc_text
from confere.archive.transaction import Transaction
from confere.hub.documents import DocumentFilter
from confere.intake.request import SyncRequest

OVERLAP = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """One listing to do. `resumed` is the interrupted window that it goes on with."""

    axis: str
    method: str
    from_at: str
    to_at: str | None  # None: up to the hub's now
    resumed: coverage.Window | None = None

    def filter(self, request: SyncRequest, type_value: str | None) -> DocumentFilter:
        """The query that asks the hub for this window."""
        created_from = created_to = updated_from = updated_to = None
        if self.method == coverage.WINDOW:
            first = from_text(self.from_at) if self.from_at != coverage.FOREVER else None
            last = from_text(self.to_at) if self.to_at else None
            if self.axis == coverage.CREATED:
                created_from, created_to = first, last
            else:
                updated_from, updated_to = first, last
        return DocumentFilter(
            order_id=request.order_id,
            marketplace=request.marketplace,
            created_from=created_from,
            created_to=created_to,
            updated_from=updated_from,
            updated_to=updated_to,
            document_type_value=type_value,
        )


def plan(transaction: Transaction, account_id: int, request: SyncRequest) -> tuple[Plan, ...]:
    """What to list: an interrupted window goes on, an asked window is listed, else what is new and what changed."""
    if request.from_at is not None or request.to_at is not None:
        first = utc_text(request.from_at) if request.from_at else coverage.FOREVER
        last = utc_text(request.to_at) if request.to_at else None
        return (Plan(coverage.CREATED, coverage.WINDOW, first, last),)
    if request.narrowed or request.full:
        return (_whole(),)
    plans = []
    for axis in (coverage.CREATED, coverage.UPDATED):
        interrupted = coverage.unfinished(transaction, account_id, axis, "")
        if interrupted is not None:
            open_end = None if interrupted.method == coverage.SCAN else interrupted.to_at
            plans.append(Plan(axis, interrupted.method, interrupted.from_at, open_end, interrupted))
            if interrupted.method == coverage.SCAN:
                return tuple(plans)
            continue
        since = _since(transaction, account_id, axis)
        if since is None:
            return (_whole(),)
        plans.append(Plan(axis, coverage.WINDOW, utc_text(since - OVERLAP), None))
    return tuple(plans)


def whole_instead(failed: Plan) -> Plan:
    """What replaces a window whose date filter the hub ignores."""
    return Plan(failed.axis, coverage.SCAN, coverage.FOREVER, None)


def _whole() -> Plan:
    """Everything, without any date: nothing that has no date can hide, and it covers both axes."""
    return Plan(coverage.CREATED, coverage.SCAN, coverage.FOREVER, None)


def _since(transaction: Transaction, account_id: int, axis: str) -> datetime | None:
    """Up to when everything is known; None where the beginning was never listed."""
    spans = coverage.covered(transaction, account_id, axis)
    if not spans or spans[0].from_at != coverage.FOREVER:
        return None
    return from_text(spans[0].to_at)
