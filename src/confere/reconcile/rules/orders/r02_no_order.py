"""R2: an authorized sale that belongs to no order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.graph.order_groups import in_time, many_alike, oldest
from confere.reconcile.rules.orders.r01_no_invoice import is_reported
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.links import Tie
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R2",
    2,
    Severity.MEDIUM,
    N_("Invoice without order"),
    N_(
        "An authorized sale of the account belongs to no order of the hub."
        " Link it to its order, or explain where it was sold."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Authorized sales going out without a link to an order.

    "Not checked" where the sale names an order that was never requested from the hub, and where the hub's orders of
    the days before the sale were not listed, unless that order was requested and the hub does not have it. Where none
    of a series' many sales has an order, the series serves another channel: they are one finding a month. Sales of
    another account of the company, and near misses of orders that R1 reports, are left out.

    Source: reconciliation rules, R2; "Outside what was synced is never reported as missing".
    """
    unchecked = Unchecked(RULE)
    ties: dict[tuple[str, tuple[str, ...]], tuple[Tie, list[PaperEntry]]] = {}
    orderless: list[PaperEntry] = []
    for sale in view.sales if view.ledger.own else anybodys(view):
        if sale.direction == "0" or view.orders_of(sale.key) or sale.key in view.ledger.elsewhere:
            continue
        tie = view.tied_keys.get(sale.key or "")
        if tie is not None:
            ties.setdefault((sale.period, tie.keys), (tie, []))[1].append(sale)
            continue
        near = view.near_of.get(sale.key or "")
        if near is not None and near.order_id in view.orders and is_reported(view, view.orders[near.order_id]):
            continue
        absent, reason = without_order(view, sale)
        if reason is not None:
            unchecked.add(sale.period, reason, evidence_text.named(sale))
            continue
        if absent:
            yield _finding(sale, absent)
        else:
            orderless.append(sale)
    serving = {_series(sale) for sale in view.sold if view.orders_of(sale.key)}
    alike, apart = many_alike(orderless, lambda sale: None if _series(sale) in serving else _series(sale))
    yield from (_finding(sale) for sale in apart)
    yield from (_sold_elsewhere(series, period, sales) for (series, period), sales in alike.items())
    for tie, sales in ties.values():
        yield RULE.found(
            oldest(sales).period, Message(Reason.TIE.value), tie.reason, papers=sales, subject=",".join(tie.orders),
            amount=sum(sale.total or 0 for sale in sales), checked=False,
        )  # fmt: skip
    yield from unchecked.findings()


def _finding(sale: PaperEntry, absent_orders: Sequence[str] = ()) -> Finding:
    sentence = message(
        "{name} of {day} ({total}) to {recipient} is authorized and belongs to no order.",
        name=evidence_text.named(sale),
        day=evidence_text.day(sale.issued_on),
        total=evidence_text.money(sale.total),
        recipient=sale.recipient_name or sale.recipient or "?",
    )
    absent = [message("It names the order {order}, which the hub does not have.", order=name) for name in absent_orders]
    return RULE.found(sale.period, sentence, *absent, papers=[sale], amount=sale.total)


def anybodys(view: View) -> Iterator[PaperEntry]:
    """All authorized sales, for an account whose own establishments are not known."""
    return (paper for paper in view.papers.values() if predicates.sells(paper) and predicates.effective(paper))


def _series(sale: PaperEntry) -> str:
    return f"{sale.emitter}/{sale.model}/{sale.series or 0}"


def _sold_elsewhere(series: str, period: str, sales: Sequence[PaperEntry]) -> Finding:
    """One finding for all of them; its identity does not depend on which sales the month has."""
    total = sum(sale.total or 0 for sale in sales)
    sentence = message(
        "{count} authorized sales of series {series} of {month} ({total}) belong to no order, as every sale of this"
        " series: {sales}.",
        count=len(sales),
        series=series,
        month=evidence_text.day(period),
        total=evidence_text.money(total),
        sales=evidence_text.papers_named(in_time(sales)),
    )
    return RULE.found(period, sentence, amount=total, subject=f"{series}/{period}")


def without_order(view: View, sale: PaperEntry) -> tuple[list[str], Reason | None]:
    """The orders that a sale names and the hub does not have; and why it cannot be said that it belongs to no order.

    The reason is None where it can be said.
    """
    claimed = tuple(predicates.orders_claimed(sale))
    absent = [name for name in claimed if name in view.ledger.absent_orders]
    return absent, None if absent else _undecided(view, sale, claimed)


def _undecided(view: View, sale: PaperEntry, claimed: tuple[str, ...]) -> Reason | None:
    if not view.ledger.own:
        return Reason.NO_ESTABLISHMENTS
    if claimed and not any(name in view.orders for name in claimed):
        return Reason.ORDER_NOT_HERE
    at = listed_periods.issued(sale)
    if at is None:
        return Reason.ORDERS_NOT_LISTED
    earliest = at - view.terms.scored_days * listed_periods.DAY
    is_known = view.orders_listed.cover(earliest, min(at, view.now), sale.marketplace)
    return None if is_known else Reason.ORDERS_NOT_LISTED
