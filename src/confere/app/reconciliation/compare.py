"""Both sides of a finding, an order or a document: the whole orders, the papers, their links and what was decided."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from confere.app.accounts.freshness import moment
from confere.app.archive_session import OpenArchive
from confere.app.reconciliation import findings, undo_log
from confere.app.reconciliation.differences import compare
from confere.app.reconciliation.matching.freight_groups import freight_group
from confere.app.reconciliation.published_side import item_prices
from confere.app.reconciliation.review import two_contents
from confere.app.reconciliation.values import (
    Difference,
    FindingHistoryLine,
    FindingRow,
    LinkLine,
    OrderSide,
    PaperSide,
    SideBySide,
    TieLine,
)
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.documents import details, documents, total_parts
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.archive.reconciliation import decisions, links
from confere.archive.reconciliation.links import StoredTie
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, message
from confere.sales.links import PersonsWord
from confere.sales.order import Order

_MOST = 40
"""Orders, and papers, shown of one finding: who compares more wants the report."""


def side_by_side(opened: OpenArchive, finding_id: int) -> SideBySide:
    """Both sides of a finding: its orders and papers and what is linked to them. `NotInArchive` where there is none."""
    with opened.reading() as transaction:
        row = findings.one(transaction, finding_id)
        owner = accounts.named(transaction, row.account)
        return _sides(opened.archive(), transaction, owner, row, row.finding.orders, row.finding.keys)


def side_by_side_of(
    opened: OpenArchive, account: str, *, order_id: str | None = None, key: str | None = None
) -> SideBySide:
    """Both sides of an order, or of a document. `NotInArchive` where the archive has neither."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        wanted_orders = () if order_id is None else (order_id,)
        wanted_keys = () if key is None else (key,)
        known = orders.named(transaction, owner.id, wanted_orders) or total_parts.current_of(transaction, wanted_keys)
        if not known:
            raise NotInArchive(
                message("The archive has neither such an order nor such a document."),
                message("Name an order by the hub's id of it, a document by its access key."),
            )
        return _sides(opened.archive(), transaction, owner, None, wanted_orders, wanted_keys)


def link_lines(
    transaction: Transaction, account_id: int, order_ids: Collection[str] = (), keys: Collection[str] = ()
) -> tuple[LinkLine, ...]:
    """The links of these orders and documents; with neither, all of the account."""
    found = (
        links.of(transaction, account_id, orders=order_ids, keys=keys)
        if order_ids or keys
        else links.every(transaction, account_id)
    )
    confirmed = {
        (entry.order_id, entry.key)
        for entry in decisions.standing(transaction, account_id)
        if entry.word is PersonsWord.CONFIRM
    }
    return tuple(LinkLine(link, (link.order_id, link.key) in confirmed) for link in found)


def tie_lines(transaction: Transaction, account_id: int) -> tuple[TieLine, ...]:
    """Everything that is ambiguous in the account."""
    said: dict[str, set[str]] = {}
    for entry in decisions.standing(transaction, account_id):
        said.setdefault(entry.order_id, set()).add(entry.key)
    return tuple(_tie(entry, said) for entry in links.ties(transaction, account_id))


def _tie(found: StoredTie, said: Mapping[str, Collection[str]]) -> TieLine:
    """`said`: the documents of which a person said something, by order. A tie may be of thousands of both."""
    tie = found.tie
    decided = any(key in tie.keys for order_id in tie.orders for key in said.get(order_id, ()))
    return TieLine(found.number, tie.orders, tie.keys, tie.kind, tie.reason, decided)


def _sides(
    archive: Archive,
    transaction: Transaction,
    owner: Account,
    row: FindingRow | None,
    order_ids: Collection[str],
    keys: Collection[str],
) -> SideBySide:
    """What was named, and what is linked to it: one step, so that a cart does not draw half of the month in."""
    account_id = owner.id
    linked = link_lines(transaction, account_id, order_ids, keys) if order_ids or keys else ()
    wanted_orders = list(dict.fromkeys([*order_ids, *(entry.link.order_id for entry in linked)]))[:_MOST]
    wanted_keys = list(dict.fromkeys([*keys, *(entry.link.key for entry in linked)]))[:_MOST]
    ours = _orders(archive, transaction, account_id, wanted_orders)
    papers = _papers(transaction, wanted_keys)
    touched = set(wanted_orders) | set(wanted_keys)
    ties = tuple(
        entry for entry in tie_lines(transaction, account_id) if touched.intersection((*entry.orders, *entry.keys))
    )
    tolerance = preferences.get(transaction, account_id).terms.tolerance
    return SideBySide(
        finding=row,
        orders=ours,
        papers=papers,
        differences=compare(ours, papers, tolerance, freight_group(transaction, owner, wanted_keys)),
        links=linked,
        ties=ties,
        history=_history(transaction, account_id, row, wanted_orders, wanted_keys),
        prices=item_prices(transaction, owner, ours, papers),
        contents=_contents(transaction, row),
    )


def _contents(transaction: Transaction, row: FindingRow | None) -> tuple[Difference, ...]:
    """Both contents, of a finding about several of one key."""
    if row is None or row.finding.rule != two_contents.RULE or not row.finding.keys:
        return ()
    return two_contents.compared_contents(transaction, row.finding.keys[0])


def _orders(
    archive: Archive, transaction: Transaction, account_id: int, wanted: Iterable[str]
) -> tuple[OrderSide, ...]:
    known = orders.named(transaction, account_id, list(wanted))
    return tuple(
        _order(archive, transaction, known[name]) if name in known else OrderSide(name, None) for name in wanted
    )


def _order(archive: Archive, transaction: Transaction, row: OrderRow) -> OrderSide:
    return OrderSide(
        order_id=row.hub_id,
        order=_whole(archive.vault.get(transaction, row.content_id), row.hub_id),
        created_on=row.created_on,
        source=row.source,
        versions=len(orders.versions(transaction, row.id)),
        seen_at=moment(row.seen_at),
    )


def _whole(raw: bytes, order_id: str) -> Order:
    """The order as its newest bytes tell it, by the name that the archive has for it."""
    from confere.hub.orders.orders import order_of_text  # with the whole of HTTP, which a list never needs

    try:
        return replace(order_of_text(raw).order, hub_id=order_id)
    except ValueError:
        return Order(order_id)


def _papers(transaction: Transaction, wanted: Collection[str]) -> tuple[PaperSide, ...]:
    numbers = total_parts.current_of(transaction, wanted)
    rows = {row.access_key: row for row in documents.by_ids(transaction, list(numbers.values()))}
    parts = total_parts.parts_of(transaction, numbers.values())
    papers: list[PaperSide] = []
    for key in wanted:
        row = rows.get(key)
        if row is None:
            papers.append(PaperSide(key))
        else:
            papers.append(PaperSide(key, row, parts[row.id], details.items(transaction, row.id)))
    return tuple(papers)


def _history(
    transaction: Transaction,
    account_id: int,
    row: FindingRow | None,
    order_ids: Collection[str],
    keys: Collection[str],
) -> tuple[FindingHistoryLine, ...]:
    told = decisions.history(
        transaction,
        account_id,
        fingerprint=None if row is None else row.stored.fingerprint,
        orders=list(order_ids),
        keys=list(keys),
        limit=50,
    )
    lines = [undo_log.line(entry) for entry in told] if row is not None or order_ids or keys else []
    if row is not None:
        lines += reversed(findings.run_lines(transaction, row.id))
    return tuple(sorted(lines, key=lambda entry: entry.at, reverse=True))
