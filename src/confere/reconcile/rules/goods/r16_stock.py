"""R16: more left the marketplace's warehouse than was sent there, or goods stand there for too long.

Source: CFOP table (Convênio s/nº of 15-12-1970): what leaves a warehouse was sent there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods import stock
from confere.reconcile.goods.stock import Movement, StockLine
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity

RULE: Final = Rule(
    "R16",
    1,
    Severity.MEDIUM,
    N_("Goods at the marketplace"),
    N_(
        "More pieces of an item left the marketplace's warehouse than were sent there, or pieces stand there longer"
        " than the term. Find the remessa that is missing, or take the goods back or have them accounted for."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """One finding for each item: its balance fell below zero, else its oldest pieces stand longer than the term.

    Source: reconciliation rules, R16, and "Inventory" (a symbolic return and its sale take one piece, not two).
    """
    unchecked = Unchecked(RULE)
    for line in stock.table(view):
        if line.negative is not None:
            reason = _undecided(view, line.negative.at)
            if reason is not None:
                unchecked.add(line.negative.on[:7], reason, line.subject)
            else:
                yield _negative(line, line.negative)
        elif line.standing_old:
            # Whether what stood then stands still is known only where documents were listed beyond the term.
            since = listed_periods.day_begins(line.standing_since) or view.now
            reason = _undecided(view, max(view.lately, since + view.terms.standing_days * listed_periods.DAY))
            if reason is not None:
                unchecked.add(line.standing_since[:7], reason, line.subject)
            else:
                yield _standing(view, line)
    yield from unchecked.findings()


def _undecided(view: View, until: float) -> Reason | None:
    if not view.ledger.own:
        return Reason.NO_ESTABLISHMENTS
    if view.undownloaded_months[0]:
        return Reason.NOT_DOWNLOADED
    return view.why_no_documents(until if view.begins is None else view.begins, until)


def _negative(line: StockLine, negative: Movement) -> Finding:
    return RULE.found(
        negative.on[:7],
        message(
            "{item} at {marketplace}: on {day} more had left than was sent there; at the worst {lowest} were lacking.",
            item=_item(line),
            marketplace=line.marketplace,
            day=evidence_text.day(negative.on),
            lowest=evidence_text.quantity(-line.lowest),
        ),
        *_sums(line),
        amount=line.lowest_value,
        subject=line.subject,
        severity=Severity.HIGH,
    )


def _standing(view: View, line: StockLine) -> Finding:
    return RULE.found(
        line.standing_since[:7],
        message(
            "{item} at {marketplace}: {quantity} stand there for more than {days} days, the oldest since {since}.",
            item=_item(line),
            marketplace=line.marketplace,
            quantity=evidence_text.quantity(line.standing_old),
            days=view.terms.standing_days,
            since=evidence_text.day(line.standing_since),
        ),
        *_sums(line),
        amount=line.standing_value,
        subject=line.subject,
    )


def _item(line: StockLine) -> str:
    return f"{line.code} {line.description}" if line.description else line.code


def _sums(line: StockLine) -> Iterator[Message]:
    yield message(
        "Sent {sent}, sent symbolically {symbolically}, sold {sold}, removed {removed}, returned {returned}: {balance}"
        " left.",
        sent=evidence_text.quantity(line.sent),
        symbolically=evidence_text.quantity(line.sent_symbolically),
        sold=evidence_text.quantity(line.sold),
        removed=evidence_text.quantity(line.removed),
        returned=evidence_text.quantity(line.returned),
        balance=evidence_text.quantity(line.balance),
    )
    if line.lost:
        yield message("{lost} of them were lost (debit note of type 07).", lost=evidence_text.quantity(line.lost))
