"""The declarations on which findings rest, told with each: what is missing is missing because a person said so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from confere.errors import Message, message
from confere.fiscal import keys as access_keys
from confere.fiscal.books.declarations import Declaration, Declared
from confere.fiscal.books.findings import Finding
from confere.reconcile import listed, wording
from confere.reconcile.view import View

_DIGITS_SHOWN: Final = 12  # of a SHA-256


def with_proof(view: View, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one rule, each with the declarations of its months that the rule needed; none twice."""
    every = list(found)
    used = [*view.orders_listed.used, *view.documents_listed.used]
    view.orders_listed.used.clear()
    view.documents_listed.used.clear()
    for finding in every:
        months = _months(view, finding) if used and finding.checked else frozenset()
        proof = [_told(entry) for entry in used if entry.month in months]
        yield replace(finding, evidence=(*finding.evidence, *proof)) if proof else finding


def _months(view: View, finding: Finding) -> frozenset[str]:
    """The month of the finding, and those of the orders and documents that it names."""
    orders = (view.orders[name].period for name in finding.orders if name in view.orders)
    keys = (parts.period for key in finding.keys if (parts := access_keys.parse(key)) is not None)
    reached = (
        listed.local_month(at - view.terms.scored_days * listed.DAY)
        for key in finding.keys
        if (paper := view.papers.get(key)) is not None and (at := listed.issued(paper)) is not None
    )
    return frozenset({finding.period, *orders, *keys, *reached})


def _told(entry: Declaration) -> Message:
    facts = {
        "actor": entry.actor,
        "day": wording.day(_day(entry.at)),
        "file": entry.file,
        "digest": entry.sha256[:_DIGITS_SHOWN],
        "month": wording.day(entry.month),
    }
    if entry.what is Declared.DOCUMENTS:
        return message("{actor} declared on {day}: {file} (SHA-256 {digest}…) holds all documents of {month}.", **facts)
    if entry.marketplaces:
        names = wording.listed(entry.marketplaces)
        return message(
            "{actor} declared on {day}: {file} (SHA-256 {digest}…) holds all orders of {month} of {marketplaces}.",
            **facts,
            marketplaces=names,
        )
    return message("{actor} declared on {day}: {file} (SHA-256 {digest}…) holds all orders of {month}.", **facts)


def _day(at: str) -> str:
    moment = listed.moment(at)
    return "" if moment is None else listed.local_day(moment)
