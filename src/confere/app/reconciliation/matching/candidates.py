"""The use case "what could belong to this": documents for an order or orders for a document, the nearest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.reconciliation.values import FindingRow
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.documents import details, documents, total_parts
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.archive.reconciliation import findings, links
from confere.archive.reconciliation.search import candidate_search
from confere.archive.reconciliation.search.candidate_search import Sought
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.fiscal.model import CANCELLED
from confere.reconcile.linking.pair_likeness import PairLikeness, pair_likeness
from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry
from confere.sales.terms import Terms

MOST: Final = 60  # candidates that are compared item by item
_BEFORE, _AFTER = timedelta(days=5), timedelta(days=45)  # around an order's day, in which its document is looked for
_TOTALS: Final = ("products", "discount", "freight", "insurance", "other", "ipi", "icms_st")
_VOID: Final = frozenset(state.value for state in CANCELLED)


@dataclass(frozen=True, slots=True)
class PairCandidate:
    """An order with a document that could belong to it, what of them agrees, and what the candidate is linked with.

    `linked` are the keys that a candidate order, or the orders that a candidate document, is linked with already.
    """

    order: OrderRow
    paper: DocumentRow
    likeness: PairLikeness
    linked: tuple[str, ...] = ()

    @property
    def pair(self) -> tuple[str, str]:
        """The hub's id of the order, and the access key."""
        return self.order.hub_id, self.paper.access_key or ""


def for_order(
    opened: OpenArchive, account: str, order_id: str, *, among: Sequence[int] | None = None, most: int = MOST
) -> tuple[PairCandidate, ...]:
    """Documents that could be this order's, without those linked with it, all of them of the account's ledger.

    Where a person looked for some, `among` are the archive's numbers of these; the first `most` of them are compared.
    `NotInArchive` where there is no such order.
    """
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        row = orders.named(transaction, owner.id, [order_id]).get(order_id)
        if row is None:
            raise NotInArchive(
                message("There is no order {order} in the archive.", order=order_id),
                message("Name it by the hub's id of it; `confere orders list` shows them."),
            )
        if among is None:
            sought = _sought(row.buyer_tax_id, row.total, row.created_on, _BEFORE, _AFTER)
            wanted = candidate_search.sales(transaction, owner, sought)
        else:
            wanted = candidate_search.of_ledger(transaction, owner, among, most)
        linked = {entry.key for entry in links.of(transaction, owner.id, orders=[order_id])}
        every = documents.by_ids(transaction, wanted)
        papers = [paper for paper in every if paper.access_key and paper.access_key not in linked]
        return _ranked(transaction, owner, [(row, paper) for paper in papers], most, of_papers=True)


def for_document(
    opened: OpenArchive, account: str, key: str, *, among: Iterable[str] | None = None, most: int = MOST
) -> tuple[PairCandidate, ...]:
    """Orders that this document could belong to, as `for_order`; `among` are the hub's ids of orders."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        numbers = total_parts.current_of(transaction, [key])
        if key not in numbers:
            raise NotInArchive(
                message("There is no document {key} in the archive.", key=key),
                message("Name it by its access key, 44 characters; `confere list` shows them."),
            )
        (paper,) = documents.by_ids(transaction, [numbers[key]])
        if among is None:
            sought = _sought(paper.recipient_tax_id, paper.total, paper.issued_on, _AFTER, _BEFORE)
            among = candidate_search.orders(transaction, owner.id, sought)
        linked = {entry.order_id for entry in links.of(transaction, owner.id, keys=[key])}
        rows = orders.named(transaction, owner.id, [name for name in among if name not in linked])
        return _ranked(transaction, owner, [(row, paper) for row in rows.values()], most, of_papers=False)


def for_finding(opened: OpenArchive, finding_id: int, most: int = MOST) -> tuple[FindingRow, tuple[PairCandidate, ...]]:
    """Candidates for the order of a finding, else for its document. `UsageFault` where it is about neither."""
    from confere.app.reconciliation import findings as finding_rows

    with opened.reading() as transaction:
        row = finding_rows.one(transaction, finding_id)
        known = orders.named(
            transaction, findings.numbered(transaction, [finding_id])[finding_id][0], row.finding.orders
        )
        keys = [key for key in row.finding.keys if key in total_parts.current_of(transaction, row.finding.keys)]
    if known:
        return row, for_order(opened, row.account, next(iter(known)), most=most)
    if keys:
        return row, for_document(opened, row.account, keys[0], most=most)
    raise UsageFault(
        message("Finding {number} is about no order and no document of the archive.", number=finding_id),
        message("Only what has one side can be given the other."),
    )


def _sought(tax_id: str | None, total: int | None, day: str, before: timedelta, after: timedelta) -> Sought:
    try:
        at = date.fromisoformat(day)
        days = (at - before).isoformat(), (at + after).isoformat()
    except (ValueError, OverflowError):
        days = "", ""
    return Sought(tax_id, total, total, *days, day)


def _ranked(
    transaction: Transaction,
    owner: Account,
    pairs: Sequence[tuple[OrderRow, DocumentRow]],
    most: int,
    *,
    of_papers: bool,
) -> tuple[PairCandidate, ...]:
    """Ranked twice: by what rows tell, and of the nearest by items too."""
    terms = preferences.get(transaction, owner.id).terms
    parts = total_parts.parts_of(transaction, {paper.id for _, paper in pairs})
    rough = sorted(
        ((pair_likeness(_order(row), _paper(paper, parts.get(paper.id)), terms), row, paper) for row, paper in pairs),
        key=lambda entry: (entry[0].rank, entry[1].hub_id, entry[2].id),
    )[:most]
    near = [_compared(transaction, row, paper, parts, terms) for _, row, paper in rough]
    if of_papers:
        found = links.of(transaction, owner.id, keys={entry.paper.access_key or "" for entry in near})
        others = [(entry.key, entry.order_id) for entry in found]
    else:
        found = links.of(transaction, owner.id, orders={entry.order.hub_id for entry in near})
        others = [(entry.order_id, entry.key) for entry in found]
    linked: dict[str, list[str]] = {}
    for name, other in others:
        linked.setdefault(name, []).append(other)
    complete = [replace(entry, linked=tuple(linked.get(entry.pair[of_papers], ()))) for entry in near]
    return tuple(
        sorted(
            complete,
            key=lambda entry: (
                entry.likeness.rank[0] + bool(entry.linked),
                entry.paper.state in _VOID,
                *entry.likeness.rank[1:],
                entry.pair,
            ),
        )
    )


def _compared(
    transaction: Transaction,
    row: OrderRow,
    paper: DocumentRow,
    parts: dict[int, total_parts.PaperParts],
    terms: Terms,
) -> PairCandidate:
    ordered = tuple(
        ItemQuantity(item.code, item.ean, item.quantity, item.total_cents) for item in orders.items(transaction, row.id)
    )
    billed = tuple(
        ItemQuantity(item.code, item.ean, item.quantity, item.total_cents)
        for item in details.items(transaction, paper.id)
    )
    likeness = pair_likeness(_order(row, ordered), _paper(paper, parts.get(paper.id), billed), terms)
    return PairCandidate(row, paper, likeness)


def _order(row: OrderRow, lines: tuple[ItemQuantity, ...] = ()) -> OrderEntry:
    return OrderEntry(
        id=row.id,
        hub_id=row.hub_id,
        created_on=row.created_on,
        total=row.total,
        gross=row.gross,
        discount=row.discount,
        freight=row.freight,
        interest=row.interest,
        buyer=row.buyer_tax_id,
        buyer_name=row.buyer_name,
        uf=row.uf,
        lines=lines,
    )


def _paper(row: DocumentRow, parts: total_parts.PaperParts | None, lines: tuple[ItemQuantity, ...] = ()) -> PaperEntry:
    totals = {} if parts is None else {name: getattr(parts, name) for name in _TOTALS}
    return PaperEntry(
        id=row.id,
        key=row.access_key,
        type=row.type,
        recipient=row.recipient_tax_id,
        recipient_name=row.recipient_name,
        issued_on=row.issued_on or "",
        total=row.total,
        lines=lines,
        **totals,
    )
