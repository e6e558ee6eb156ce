"""What was listed: windows of the hub's dates, each with its cursor, so that "never listed" is known.

A window that is open holds the place where the listing stands; the place moves in the same transaction as the
page it stands behind. A window narrowed by type, marketplace or order proves nothing about the rest, and is kept
apart. `FOREVER` begins windows without a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confere.archive.clock import utc_now
from confere.archive.schema import coverage
from confere.archive.transaction import Transaction

FOREVER = "1970-01-01T00:00:00.000+00:00"
CREATED = "created"
UPDATED = "updated"
ORDERS = "orders"  # by their creation
RETURNS = "returns"
DOCUMENTS = (CREATED, UPDATED)
WINDOW = "window"  # what came, or changed, since the last one
SCAN = "scan"  # everything, by no date
RELIST = "relist"  # as a window, from days back on that were listed before
ASKED = "asked"  # the days that a person asked for


@dataclass(frozen=True, slots=True)
class Window:
    """`from_at` and `to_at` are UTC text, inclusive; `offset` counts items already written down."""

    id: int
    axis: str
    from_at: str
    to_at: str
    narrowed: str
    method: str
    offset: int
    pages: int
    run_id: int
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that was listed whole."""

    from_at: str
    to_at: str


_COLUMNS = 'id, axis, from_at, to_at, narrowed, method, "offset", pages, run_id, finished_at'


def begin(
    transaction: Transaction, account_id: int, run_id: int, *, axis: str, from_at: str, to_at: str, narrowed: str,
    method: str,
) -> Window:  # fmt: skip
    """Open a window with its cursor at the start."""
    number = transaction.new_ids(coverage, 1)[0]
    transaction.insert(coverage, [(number, account_id, axis, from_at, to_at, narrowed, method, 0, 0, run_id, None)])
    return Window(number, axis, from_at, to_at, narrowed, method, 0, 0, run_id, None)


def unfinished(transaction: Transaction, account_id: int, axes: Sequence[str] = DOCUMENTS) -> Window | None:
    """The newest listing of everything that was interrupted, of documents or of the `axes` named."""
    row = transaction.first(
        f"SELECT {_COLUMNS} FROM coverage WHERE account_id = ? AND method = ? AND narrowed = ''"
        f" AND axis IN ({_marks(axes)}) AND finished_at IS NULL ORDER BY id DESC LIMIT 1",
        (account_id, SCAN, *axes),
    )
    return None if row is None else Window(*row)


def forget_interrupted(transaction: Transaction, account_id: int, axes: Sequence[str] = DOCUMENTS) -> None:
    """Drop interrupted windows of documents, or of the `axes` named, other than listings of everything.

    Their lists move while nobody reads: what changed meanwhile leaves a filtered list or joins it in its middle,
    so a place in it means nothing later. They are short, and are listed anew.
    """
    transaction.execute(
        "DELETE FROM coverage WHERE account_id = ? AND finished_at IS NULL AND NOT (method = ? AND narrowed = '')"
        f" AND axis IN ({_marks(axes)})",
        (account_id, SCAN, *axes),
    )


def advance(transaction: Transaction, window_id: int, offset: int) -> None:
    """The page before `offset` is written down."""
    transaction.execute('UPDATE coverage SET "offset" = ?, pages = pages + 1 WHERE id = ?', (offset, window_id))


def finish(transaction: Transaction, window_id: int) -> None:
    """The window was listed to its end."""
    transaction.execute("UPDATE coverage SET finished_at = ? WHERE id = ?", (utc_now(), window_id))


def abandon(transaction: Transaction, window_id: int) -> None:
    """Give up an open window whose listing proved to be of no use; nothing is claimed for it."""
    transaction.execute("DELETE FROM coverage WHERE id = ? AND finished_at IS NULL", (window_id,))


def forget(transaction: Transaction, account_id: int) -> None:
    """Claim nothing any more: the account's hub is another one, and is listed from the beginning."""
    transaction.execute("DELETE FROM coverage WHERE account_id = ?", (account_id,))


def covered(transaction: Transaction, account_id: int, axis: str) -> tuple[Span, ...]:
    """The stretches listed whole and without narrowing, merged, oldest first."""
    rows = transaction.fetch(
        "SELECT from_at, to_at FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''"
        " AND finished_at IS NOT NULL ORDER BY from_at, to_at",
        (account_id, axis),
    )
    return merged([Span(*row) for row in rows])


def last_listed(transaction: Transaction, account_id: int) -> str | None:
    """When the list was last read up to its newest end, as UTC text of our clock; None for never.

    Days that a person asked for count only where nothing else was listed: they may be any.
    """
    row = transaction.first(
        "SELECT max(finished_at) FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''"
        " AND finished_at IS NOT NULL GROUP BY method = ? ORDER BY method = ? LIMIT 1",
        (account_id, CREATED, ASKED, ASKED),
    )
    return None if row is None else str(row[0])


def last_relisted(transaction: Transaction, account_id: int) -> str | None:
    """When documents that were listed before were last listed again to the end, as UTC text of our clock."""
    found = transaction.scalar(
        "SELECT max(finished_at) FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''"
        " AND method IN (?, ?)",
        (account_id, CREATED, SCAN, RELIST),
    )
    return None if found is None else str(found)


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))


def merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Overlapping or touching spans made one; `spans` come sorted by their start."""
    found: list[Span] = []
    for span in spans:
        if found and span.from_at <= found[-1].to_at:
            if span.to_at > found[-1].to_at:
                found[-1] = Span(found[-1].from_at, span.to_at)
        else:
            found.append(span)
    return tuple(found)
