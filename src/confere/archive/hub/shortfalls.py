"""Lists that a hub gave short of what it has: kept, and told, until a listing of the same stretch is whole.

They stand among the facts of the account, by list: fiscal documents, orders, returns, products.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from confere.archive.accounts import accounts
from confere.archive.clock import from_text, utc_now
from confere.archive.hub.coverage import FOREVER, ORDERS, PRODUCTS, RETURNS, Window
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting

COUNT, HOLE, CUT = "count", "hole", "cut"
DOCUMENTS: Final = "documents"
_FACT: Final = "shortfalls"
_LISTS: Final = {
    DOCUMENTS: message("fiscal documents"),
    ORDERS: message("orders"),
    RETURNS: message("returns"),
    PRODUCTS: message("products"),
}


@dataclass(frozen=True, slots=True)
class Short:
    """How a reading was short. `shown` distinct records came; `missing` is the least that did not, and `said` what the
    hub counts, None where it does not.

    `kind` says by what it shows: `COUNT` (the hub counts more), `HOLE` (a page in the middle is empty), `CUT` (dates
    show others than the list does).
    """

    kind: str
    shown: int
    missing: int
    said: int | None = None


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A list that was short. `of` is the list, the stretch and the times are UTC text; `since` is when it was first
    noticed, `seen_at` when last, by our clock."""

    of: str
    axis: str
    from_at: str
    to_at: str
    kind: str
    shown: int
    missing: int
    said: int | None
    since: str
    seen_at: str

    @property
    def figures(self) -> dict[str, str | int | None]:
        """As scripts read it."""
        return {
            "list": self.of,
            "kind": self.kind,
            "said": self.said,
            "shown": self.shown,
            "missing": self.missing,
            "since": self.since,
        }

    @property
    def what(self) -> Message:
        """The sentence for people."""
        since = formatting.moment(from_text(self.since).astimezone(BRASILIA))
        return describe(Short(self.kind, self.shown, self.missing, self.said), self.of, since)


def describe(short: Short, of: str, since: str) -> Message:
    """What is missing from the list `of` since a moment, as people write it."""
    name = _LISTS[of]
    if short.kind == HOLE:
        return message(
            "The hub's list of {list} has an empty page in its middle: what stands there is missing, since {since}.",
            list=name,
            since=since,
        )
    if short.kind == CUT:
        return message(
            "The hub's list of {list} ends after {shown} although the hub has others: they are missing, since {since}.",
            list=name,
            shown=formatting.count(short.shown),
            since=since,
        )
    return message(
        "The hub counts {said} in its list of {list} and shows {shown}, however often it is read: {missing} missing,"
        " since {since}.",
        list=name,
        said=formatting.count(short.said if short.said is not None else short.shown + short.missing),
        shown=formatting.count(short.shown),
        missing=formatting.count(short.missing),
        since=since,
    )


REMEDY: Final = message("Every sync looks again; if it stays so, tell the hub's support.")


def every(transaction: Transaction, account_id: int, of: str | None = None) -> tuple[Shortfall, ...]:
    """Those that stand, of one list or of all, the oldest first."""
    facts = json.loads(transaction.scalar("SELECT facts FROM account WHERE id = ?", (account_id,)) or "{}")
    found = (Shortfall(**entry) for entry in facts.get(_FACT, ()))
    return tuple(entry for entry in found if of is None or entry.of == of)


def note(transaction: Transaction, account_id: int, window: Window, short: Short) -> None:
    """The listing of `window` was short; what stood of the same stretch gives way, and keeps its beginning."""
    now = utc_now()
    of = _list_of(window)
    rest, gone = _parted(transaction, account_id, window)
    since = min((entry.since for entry in gone), default=now)
    new = Shortfall(of, window.axis, window.from_at, window.to_at, short.kind, short.shown, short.missing, short.said,
                    since, now)  # fmt: skip
    _keep(transaction, account_id, [*rest, new])


def settle(transaction: Transaction, account_id: int, window: Window) -> None:
    """The listing of `window` was whole: what stood of it is over."""
    rest, gone = _parted(transaction, account_id, window)
    if gone:
        _keep(transaction, account_id, rest)


def forget(transaction: Transaction, account_id: int) -> None:
    """Claim nothing: the account's hub is another one."""
    if every(transaction, account_id):
        _keep(transaction, account_id, [])


def last_read(transaction: Transaction, account_id: int, of: str) -> str | None:
    """When a list of which something is missing was last read for it (UTC text); None where nothing is missing."""
    return max((entry.seen_at for entry in every(transaction, account_id, of)), default=None)


def _parted(transaction: Transaction, account_id: int, window: Window) -> tuple[list[Shortfall], list[Shortfall]]:
    """Those that a listing of `window` says nothing of, and those that lie within it."""
    rest: list[Shortfall] = []
    within: list[Shortfall] = []
    for entry in every(transaction, account_id):
        same_axis = entry.axis == window.axis or window.from_at == FOREVER
        reaches = window.from_at <= entry.from_at and (window.to_at >= entry.to_at or window.from_at == FOREVER)
        is_within = entry.of == _list_of(window) and same_axis and reaches
        (within if is_within else rest).append(entry)
    return rest, within


def _keep(transaction: Transaction, account_id: int, found: list[Shortfall]) -> None:
    accounts.learn(transaction, account_id, {_FACT: [asdict(entry) for entry in found]})


def _list_of(window: Window) -> str:
    return window.axis if window.axis in (ORDERS, PRODUCTS, RETURNS) else DOCUMENTS
