"""What was listed: windows of the hub's dates, each with its cursor, so that "never listed" is known.

A window that is open holds the place where the listing stands; the place moves in the same transaction as the
page it stands behind. A window narrowed by type, marketplace or order proves nothing about the rest, and is kept
apart. `FOREVER` begins windows without a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from confere.archive.clock import from_text, utc_now, utc_text
from confere.archive.transaction import Row, Transaction

FOREVER = "1970-01-01T00:00:00.000+00:00"
CREATED = "created"
UPDATED = "updated"
ORDERS = "orders"  # by their creation
RETURNS = "returns"
PRODUCTS = "products"
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

    @property
    def kind(self) -> tuple[str, str, str]:
        """What windows have in common that may be made one."""
        return self.axis, self.narrowed, self.method


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that was listed whole."""

    from_at: str
    to_at: str


_AHEAD = timedelta(days=1)  # as far as a hub's clock may be ahead of ours
_COLUMNS = 'id, axis, from_at, to_at, narrowed, method, "offset", pages, run_id, finished_at'


def begin(
    transaction: Transaction, account_id: int, run_id: int, *, axis: str, from_at: str, to_at: str, narrowed: str,
    method: str,
) -> Window:  # fmt: skip
    """Open a window with its cursor at the start."""
    from confere.archive.schema.schema import coverage

    number = transaction.new_ids(coverage, 1)[0]
    transaction.insert(coverage, [(number, account_id, axis, from_at, to_at, narrowed, method, 0, 0, run_id, None)])
    return Window(number, axis, from_at, to_at, narrowed, method, 0, 0, run_id, None)


def unfinished(transaction: Transaction, account_id: int, axes: Sequence[str] = DOCUMENTS) -> Window | None:
    """The newest listing of everything that was interrupted, of documents or of the `axes` named."""
    return transaction.first_as(
        Window,
        f"SELECT {_COLUMNS} FROM coverage WHERE account_id = ? AND method = ? AND narrowed = ''"
        f" AND axis IN ({_marks(axes)}) AND finished_at IS NULL ORDER BY id DESC LIMIT 1",
        (account_id, SCAN, *axes),
    )


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


def finish(transaction: Transaction, window_id: int, to_at: str | None = None) -> None:
    """The window was listed to its end, which is `to_at` where that turned out to be another than was begun with."""
    transaction.execute(
        "UPDATE coverage SET finished_at = ?, to_at = coalesce(?, to_at) WHERE id = ?", (utc_now(), to_at, window_id)
    )


def abandon(transaction: Transaction, window_id: int) -> None:
    """Give up an open window whose listing proved to be of no use; nothing is claimed for it."""
    transaction.execute("DELETE FROM coverage WHERE id = ? AND finished_at IS NULL", (window_id,))


def forget(transaction: Transaction, account_id: int) -> None:
    """Claim nothing any more: the account's hub is another one, and is listed from the beginning."""
    transaction.execute("DELETE FROM coverage WHERE account_id = ?", (account_id,))


def covered(transaction: Transaction, account_id: int, axis: str) -> tuple[Span, ...]:
    """The stretches listed whole and without narrowing, merged, oldest first."""
    rows = transaction.fetch(
        "SELECT from_at, to_at, finished_at FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''"
        " AND finished_at IS NOT NULL ORDER BY from_at, to_at",
        (account_id, axis),
    )
    bounded = _has_our_clock(transaction, account_id)
    spans = [Span(from_at, _believed(to_at, at) if bounded else to_at) for from_at, to_at, at in rows]
    return merged(sorted((span for span in spans if span.from_at <= span.to_at), key=lambda span: span.from_at))


def tidy(transaction: Transaction, account_id: int) -> int:
    """Make one row of finished windows of the same kind that touch, so that they do not grow with every sync; how many
    rows went.

    The row says what all of them said together: their stretch, and when and by which run it was last listed.
    """
    windows = transaction.fetch_as(
        Window,
        f"SELECT {_COLUMNS} FROM coverage"
        " WHERE account_id = ? AND finished_at IS NOT NULL ORDER BY axis, narrowed, method, from_at, to_at",
        (account_id,),
    )
    bounded = _has_our_clock(transaction, account_id)
    last: Window | None = None
    changed: dict[int, Window] = {}
    gone: list[Row] = []
    for window in windows:
        until = _believed(window.to_at, window.finished_at or "") if bounded else window.to_at
        if until < window.from_at:  # all of it lies in a time that no clock can have shown
            gone.append((window.id,))
        elif last is not None and last.kind == window.kind and window.from_at <= last.to_at:
            last = changed[last.id] = replace(
                last,
                to_at=max(last.to_at, until),
                finished_at=max(last.finished_at or "", window.finished_at or ""),
                run_id=max(last.run_id, window.run_id),
                pages=last.pages + window.pages,
            )
            gone.append((window.id,))
        elif until != window.to_at:
            last = changed[window.id] = replace(window, to_at=until)
        else:
            last = window
    transaction.execute_many("DELETE FROM coverage WHERE id = ?", gone)
    transaction.execute_many(
        "UPDATE coverage SET to_at = ?, finished_at = ?, run_id = ?, pages = ? WHERE id = ?",
        [(kept.to_at, kept.finished_at, kept.run_id, kept.pages, kept.id) for kept in changed.values()],
    )
    return len(gone)


def _has_our_clock(transaction: Transaction, account_id: int) -> bool:
    """Whether the account's hub lives in our time; a demonstration has a calendar of its own."""
    return bool(transaction.scalar("SELECT environment != 'embedded' FROM account WHERE id = ?", (account_id,)))


def _believed(to_at: str, finished_at: str) -> str:
    """Up to when a listing that ended at `finished_at` can have reached: a hub's clock may be wrong by ages."""
    latest = utc_text(from_text(finished_at) + _AHEAD)
    return min(to_at, latest)


def last_listed(transaction: Transaction, account_id: int) -> str | None:
    """When the list was last read up to its newest end, as UTC text of our clock; None for never.

    Days that a person asked for count only where nothing else was listed: they may be any.
    """
    listed_at: str | None = transaction.scalar(
        "SELECT max(finished_at) FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''"
        " AND finished_at IS NOT NULL GROUP BY method = ? ORDER BY method = ? LIMIT 1",
        (account_id, CREATED, ASKED, ASKED),
    )
    return listed_at


def whole_listing_before(
    transaction: Transaction, account_id: int, run_id: int, axes: Sequence[str] = DOCUMENTS
) -> int:
    """The run that last listed everything, or the last days, before `run_id`; 0 where none did."""
    return int(
        transaction.scalar(
            "SELECT coalesce(max(run_id), 0) FROM coverage WHERE account_id = ? AND run_id < ? AND narrowed = ''"
            f" AND finished_at IS NOT NULL AND method IN (?, ?) AND axis IN ({_marks(axes)})",
            (account_id, run_id, SCAN, RELIST, *axes),
        )
    )


def last_whole(transaction: Transaction, account_id: int, axis: str) -> str | None:
    """When everything of an axis was last listed to its end, as UTC text of our clock; None for never."""
    listed_at: str | None = transaction.scalar(
        "SELECT max(finished_at) FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = '' AND method = ?",
        (account_id, axis, SCAN),
    )
    return listed_at


def last_relisted(transaction: Transaction, account_id: int) -> str | None:
    """When documents that were listed before were last listed again to the end, as UTC text of our clock."""
    found = transaction.scalar(
        "SELECT max(finished_at) FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''"
        " AND method IN (?, ?)",
        (account_id, CREATED, SCAN, RELIST),
    )
    return None if found is None else str(found)


def last_finished(transaction: Transaction, account_id: int, axis: str) -> str | None:
    """When any listing of everything on an axis last came to its end, as UTC text of our clock; None for never."""
    at: str | None = transaction.scalar(
        "SELECT max(finished_at) FROM coverage WHERE account_id = ? AND axis = ? AND narrowed = ''", (account_id, axis)
    )
    return at


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
