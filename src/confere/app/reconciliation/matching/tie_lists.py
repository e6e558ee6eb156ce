"""Both sides of a tie as two lists with their hours, and the pairs that come of linking them in that order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.archive_session import OpenArchive
from confere.app.reconciliation import compare
from confere.app.reconciliation.values import TieLine
from confere.archive.accounts import accounts
from confere.archive.documents import documents, total_parts
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.archive.reconciliation.search import candidate_search
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.fiscal.periods import BRASILIA
from confere.reconcile.linking import pair_likeness

_NEVER: Final = "~"  # after every time
MOST: Final = 200
"""Orders, and documents, of a tie that are laid out."""


@dataclass(frozen=True, slots=True)
class TieOrder:
    """An order of a tie; `at` is when it was placed, in the zone of Brasília. `row` is None of what is not here."""

    order_id: str
    row: OrderRow | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class TiePaper:
    """A document of a tie; `at` is when it was issued, in the zone of Brasília."""

    key: str
    row: DocumentRow | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class TieLists:
    """Both sides, the earliest first; `pairs` are the first with the first, the second with the second, and so on."""

    orders: tuple[TieOrder, ...]
    papers: tuple[TiePaper, ...]
    pairs: tuple[tuple[str, str], ...]


def lists_of(opened: OpenArchive, account: str, tie: TieLine) -> TieLists:
    """The two lists of a tie."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        known = orders.named(transaction, owner.id, tie.orders[:MOST])
        keys = tie.keys[:MOST]
        rows = {
            row.access_key: row
            for row in documents.by_ids(transaction, list(total_parts.current_of(transaction, keys).values()))
        }
        issued = candidate_search.issue_moments(transaction, keys)
    ordered = [
        TieOrder(name, row, None if row is None or row.created_at is None else moment(row.created_at))
        for name in tie.orders[:MOST]
        for row in (known.get(name),)
    ]
    billed = [TiePaper(key, rows.get(key), _moment(issued.get(key))) for key in keys]
    return TieLists(
        tuple(sorted(ordered, key=lambda entry: (_text(entry.at) or _NEVER, entry.order_id))),
        tuple(sorted(billed, key=lambda entry: (_text(entry.at) or _NEVER, entry.key))),
        tuple(
            pair_likeness.in_order(
                [(_text(entry.at), entry.order_id) for entry in ordered],
                [(_text(entry.at), entry.key) for entry in billed],
            )
        ),
    )


def pairs_in_order(opened: OpenArchive, account: str, number: int) -> tuple[tuple[str, str], ...]:
    """What linking the tie of this number in order would link. `NotInArchive` where there is no such tie.

    `UsageFault` where one side has more than the other (which of them lacks its partner nobody can say), and where
    hours do not tell which comes first: linked in order, that would stand as a person's word.
    """
    with opened.reading() as transaction:
        ties = compare.tie_lines(transaction, accounts.named(transaction, account).id)
    tie = next((entry for entry in ties if entry.number == number), None)
    if tie is None:
        raise NotInArchive(
            message("There is no tie {number} in the account.", number=number),
            message("See them all with `confere links ties`."),
        )
    lists = lists_of(opened, account, tie)
    reason = why_not_in_order(tie, lists)
    if reason is not None:
        raise UsageFault(reason, message("Link what belongs together one by one."))
    return lists.pairs


def why_not_in_order(tie: TieLine, lists: TieLists) -> Message | None:
    """Why a tie cannot be linked in order; None where both sides have as many, with hours that tell which is first."""
    if len(tie.orders) != len(tie.keys):
        return message(
            "Tie {number} has {orders} orders and {documents} documents: in order, something would be left over.",
            number=tie.number,
            orders=len(tie.orders),
            documents=len(tie.keys),
        )
    if len(tie.keys) > MOST:
        return message("Tie {number} has more than {most} orders, too many to lay out.", number=tie.number, most=MOST)
    if not all(_follow_each_other([entry.at for entry in side]) for side in (lists.orders, lists.papers)):
        return message(
            "Tie {number} has no order: some of its orders or documents have no hour, or the same one.",
            number=tie.number,
        )
    return None


def _follow_each_other(times: Sequence[datetime | None]) -> bool:
    """Whether all are known and none is as another; midnight is a day without an hour, at any time of which it was."""
    known = [at for at in times if at is not None]
    days = Counter(at.date() for at in known)
    has_hours = all(days[at.date()] == 1 for at in known if at.time() == time())
    return len(set(known)) == len(times) and has_hours


def _moment(written: str | None) -> datetime | None:
    """A time as a document writes it; without an offset it is Brasília's."""
    try:
        at = datetime.fromisoformat(written) if written else None
    except ValueError:
        return None
    if at is None:
        return None
    return at.replace(tzinfo=BRASILIA) if at.tzinfo is None else at.astimezone(BRASILIA)


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(BRASILIA).isoformat()
