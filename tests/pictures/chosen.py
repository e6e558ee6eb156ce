"""Which documents of the sandbox the pictures of the details show."""

from __future__ import annotations

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse, relations
from confere.app.documents.browse import DocumentQuery

_MOST = 500
_NOTES = 3  # of the freight


def chosen(opened: OpenArchive) -> dict[str, int]:
    """The row of each, by the word in the picture's name."""
    return {
        "sale": _sale(opened),
        "return": _return(opened),
        "freight": _freight(opened),
        "cancelled": browse.first(opened, DocumentQuery(types=("nfe",), states=("cancelled",)), 1)[0].id,
    }


def _sale(opened: OpenArchive) -> int:
    """In effect, with two events; of those the one whose events are of most kinds."""
    rows = browse.first(opened, DocumentQuery(types=("nfe",), operations=("sale",), states=("authorized",)), _MOST)
    events = {row.id: [event.code for event in browse.full(opened, row.id).events if event.is_current] for row in rows}
    return max(events, key=lambda number: (len(events[number]) >= 2, len(set(events[number])), len(events[number])))


def _return(opened: OpenArchive) -> int:
    """The one with most of its chain in the archive."""
    rows = browse.first(opened, DocumentQuery(types=("nfe",), operations=("sale_return", "devolution")), _MOST // 5)
    steps = {
        row.id: sum(step.archived for step in relations.relations(opened, row.access_key).chain)
        for row in rows
        if row.access_key
    }
    return max(steps, key=lambda number: steps[number])


def _freight(opened: OpenArchive) -> int:
    """One that carries three notes."""
    for row in browse.first(opened, DocumentQuery(types=("cte",)), 4 * _MOST):
        carried = [entry for entry in browse.full(opened, row.id).relations if entry.kind == "carries"]
        if len(carried) == _NOTES:
            return row.id
    raise AssertionError("no freight of three notes")
