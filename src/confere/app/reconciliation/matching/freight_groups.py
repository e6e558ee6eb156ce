"""What CT-e bill and what the orders whose goods they carry were charged: told of all of them together, as R10 does.

A CT-e of several notes has one price for all of them, and no rule of law says how much of it is whose: it is never held
against one of their orders alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from confere.archive.accounts.accounts import Account
from confere.archive.documents import relations, total_parts
from confere.archive.documents.documents import DocumentRow
from confere.archive.hub import coverage
from confere.archive.orders import orders
from confere.archive.reconciliation import declarations, input_reader, links
from confere.archive.transaction import Transaction
from confere.fiscal import access_keys
from confere.fiscal.references import RelationKind
from confere.reconcile import predicates
from confere.reconcile.context import MODELS_OF_FREIGHT
from confere.reconcile.coverage import listed_periods
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.reconcile.goods.freight import CARRYING, COMPLEMENT
from confere.reconcile.rules.freight.r09_note_without_freight import SENDER_PAYS
from confere.reconcile.undecided_reasons import Reason
from confere.sales.declarations import Declared
from confere.sales.links import Link

_CARRIES: Final = (RelationKind.CARRIES.value,)
_REPLACES: Final = (RelationKind.REPLACES.value,)
_COMPLEMENTS: Final = (RelationKind.COMPLEMENTS.value,)
_MOST: Final = 100_000  # relations of one kind


@dataclass(frozen=True, slots=True)
class FreightGroup:
    """CT-e in effect that the account pays for, and every order of the notes that they carry (R10).

    `undecided` is why they cannot be held against each other: what of them is not here, or says no amount. `unsure` is
    why a difference of theirs says nothing: other CT-e or orders may belong to them.
    """

    freights: tuple[DocumentRow, ...]  # complements among them
    order_ids: tuple[str, ...]
    billed: int
    charged: int
    undecided: Reason | None = None
    unsure: Reason | None = None


def freight_group(transaction: Transaction, account: Account, keys: Collection[str]) -> FreightGroup | None:
    """The group of the CT-e among these documents; None without any that the account pays for.

    CT-e that share notes or orders are of one group, whether or not they are among `keys`.
    """
    own = frozenset(establishment.tax_id for establishment in account.establishments)
    freights: dict[str, DocumentRow] = {}
    carried: set[str] = set()
    waiting = set(keys)
    seen: set[str] = set()
    while waiting := waiting - seen:
        seen |= waiting
        found = _freights(transaction, waiting, own)
        if not found:
            break
        freights |= found
        notes = _carried_by(transaction, found)
        carried |= notes
        # A CT-e that names none of the notes may be linked to its order itself.
        beside = _beside(transaction, account.id, notes | found.keys())
        waiting = _carriers_of(transaction, beside) | (beside - notes)
    if not freights:
        return None
    complements = relations.rows_of(transaction, _sources(transaction, freights, _COMPLEMENTS)).values()
    papers = (*freights.values(), *(row for row in complements if row.purpose == COMPLEMENT and _is_effective(row)))
    linked = links.of(transaction, account.id, keys=carried | freights.keys())
    names = tuple(dict.fromkeys(link.order_id for link in linked))
    rows = orders.named(transaction, account.id, names)
    undecided: Reason | None = None
    if any(row.total is None for row in papers):
        undecided = Reason.NO_TOTAL
    elif any(name not in rows or rows[name].freight is None for name in names):
        undecided = Reason.NO_FREIGHT
    elif carried - total_parts.current_of(transaction, carried).keys():
        undecided = Reason.CARRIED_NOT_HERE
    elif not names or carried - {link.key for link in linked}:
        undecided = Reason.NO_ORDER
    elif _awaits_freight(transaction, account, set(names) - _billed_whole(transaction, linked, freights), carried):
        undecided = Reason.FREIGHT_AWAITED
    unsure = None
    if undecided is None:
        unsure = Reason.NO_ESTABLISHMENTS if not own else _why_unsure(transaction, account, papers, carried, names)
    return FreightGroup(
        tuple(sorted(papers, key=lambda row: row.access_key or "")),
        names,
        sum(row.total or 0 for row in papers),
        sum(row.freight or 0 for row in rows.values()),
        undecided,
        unsure,
    )


def _why_unsure(
    transaction: Transaction,
    account: Account,
    papers: Iterable[DocumentRow],
    carried: Collection[str],
    order_ids: Collection[str],
) -> Reason | None:
    """Why other CT-e or orders may belong to the group, as R10 has it: a tie, or a time that was not listed whole."""
    if not set(order_ids).isdisjoint(
        name for stored in links.ties(transaction, account.id) for name in stored.tie.orders
    ):
        return Reason.TIE
    notes = relations.rows_of(transaction, carried).values()
    starts = [at for row in (notes or papers) if (at := _issued(row)) is not None]
    ends = [at for row in papers if (at := _issued(row)) is not None]
    if not starts or not ends:
        return Reason.DOCUMENTS_NOT_LISTED
    start, end = min(starts), max([*starts, *ends])
    months = {listed_periods.local_month(start), listed_periods.local_month(end)}
    for parts in map(access_keys.parse, input_reader.undownloaded(transaction, account.id)):
        if parts is not None and parts.model in MODELS_OF_FREIGHT and parts.period in months:
            return Reason.NOT_DOWNLOADED
    known = KnownPeriods(
        input_reader.listed(transaction, account.id, coverage.CREATED),
        [entry for entry in declarations.standing(transaction, account.id) if entry.what is Declared.DOCUMENTS],
    )
    return None if known.cover(start, end) else Reason.DOCUMENTS_NOT_LISTED


def _issued(row: DocumentRow) -> float | None:
    at = listed_periods.moment(row.issued_at)
    return at if at is not None else listed_periods.day_begins(row.issued_on or "")


def _billed_whole(transaction: Transaction, linked: Iterable[Link], freights: Collection[str]) -> set[str]:
    """The orders of a CT-e that names none of its notes: it may be of any of the order's."""
    return {link.order_id for link in linked if link.key in freights and not _carried_by(transaction, (link.key,))}


def _awaits_freight(
    transaction: Transaction, account: Account, order_ids: Collection[str], carried: Collection[str]
) -> bool:
    """Whether a sale of these orders whose freight the account contracts is on none of their CT-e."""
    others = {link.key for link in links.of(transaction, account.id, orders=order_ids)}.difference(carried)
    modes = total_parts.freight_modes_of(transaction, others)
    own = {establishment.tax_id for establishment in account.establishments}
    return any(
        row.type in predicates.NOTES
        and row.operation == predicates.SALE
        and row.purpose in predicates.SALE_PURPOSES
        and row.emitter_tax_id in own
        and _is_effective(row)
        for row in relations.rows_of(transaction, [key for key in modes if modes[key] == SENDER_PAYS]).values()
    )


def _freights(transaction: Transaction, keys: Collection[str], own: Collection[str]) -> dict[str, DocumentRow]:
    """The documents among these that carry goods, have effect, and are the account's to pay."""
    found = {
        key: row
        for key, row in relations.rows_of(transaction, keys).items()
        if row.type == "cte" and row.purpose in CARRYING and _is_effective(row)
    }
    takers = total_parts.takers_of(transaction, found) if found and own else {}
    return {key: row for key, row in found.items() if key not in takers or takers[key] in own}


def _is_effective(row: DocumentRow) -> bool:
    return row.state in predicates.EFFECTIVE


def _carried_by(transaction: Transaction, freights: Iterable[str]) -> set[str]:
    """The notes of these CT-e; a substitute that names none carries what the one in its place did."""
    carried: set[str] = set()
    for key in freights:
        notes = _targets(transaction, (key,), _CARRIES)
        carried |= notes or _targets(transaction, _targets(transaction, (key,), _REPLACES), _CARRIES)
    return carried


def _beside(transaction: Transaction, account_id: int, notes: Collection[str]) -> set[str]:
    """These documents, with the others of their orders."""
    names = {link.order_id for link in links.of(transaction, account_id, keys=notes)} if notes else set()
    others = {link.key for link in links.of(transaction, account_id, orders=names)} if names else set()
    return {*notes, *others}


def _carriers_of(transaction: Transaction, notes: Collection[str]) -> set[str]:
    carriers = _sources(transaction, notes, _CARRIES)
    return carriers | _sources(transaction, carriers, _REPLACES)


def _targets(transaction: Transaction, keys: Collection[str], kinds: Collection[str]) -> set[str]:
    return {edge.target_key for edge in relations.links_from(transaction, keys, kinds, _MOST)}


def _sources(transaction: Transaction, keys: Collection[str], kinds: Collection[str]) -> set[str]:
    return {edge.source_key for edge in relations.links_to(transaction, keys, kinds, _MOST)}
