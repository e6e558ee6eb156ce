"""The declarations on which findings rest, added to each as evidence: why something missing counts as missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from confere.errors import Message, message
from confere.fiscal import access_keys
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.sales.declarations import Declaration, Declared
from confere.sales.findings import Finding

_DIGITS_SHOWN: Final = 12  # of a SHA-256


def with_proof(view: View, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one rule, each with the declarations without which it would not have been checked."""
    every = list(findings)
    used = [(start, proof) for known in _both(view) for start, proof in known.used.items()]
    for known in _both(view):
        known.used.clear()
    for finding in every:
        proof = _proof(view, finding, used) if used and finding.checked else ()
        yield replace(finding, evidence=(*finding.evidence, *map(_sentence, proof))) if proof else finding


def _both(view: View) -> tuple[KnownPeriods, KnownPeriods]:
    return view.orders_listed, view.documents_listed


def _proof(
    view: View, finding: Finding, used: Iterable[tuple[float, tuple[Declaration, ...]]]
) -> tuple[Declaration, ...]:
    """Those that answered a question that begins where one of the finding's orders or documents does.

    A finding that names none of them, since it is told once for a whole month, has those of its month.
    """
    if not finding.orders and not finding.keys:
        month = finding.period
        return tuple(
            dict.fromkeys(declaration for _, proof in used for declaration in proof if declaration.month == month)
        )
    starts = frozenset(_starts(view, finding))
    return tuple(dict.fromkeys(declaration for start, proof in used if start in starts for declaration in proof))


def _starts(view: View, finding: Finding) -> Iterator[float]:
    """Where rules begin to look for what is missing: at the order or document, before it, or in a key's month."""
    for name in finding.orders:
        if name in view.orders and (at := listed_periods.ordered(view.orders[name])) is not None:
            yield at
        yield from (at for paper in view.papers_of(name) if (at := listed_periods.issued(paper)) is not None)
    for key in finding.keys:
        paper, parts = view.papers.get(key), access_keys.parse(key)
        if paper is None:
            if parts is not None and (at := listed_periods.day_begins(parts.period)) is not None:
                yield at
        elif (at := listed_periods.issued(paper)) is not None:
            yield from (at - days * listed_periods.DAY for days in (0, 1, view.terms.scored_days))


def _sentence(declaration: Declaration) -> Message:
    facts = {
        "actor": declaration.actor,
        "day": evidence_text.day(_day(declaration.at)),
        "file": declaration.file,
        "digest": declaration.sha256[:_DIGITS_SHOWN],
        "month": evidence_text.day(declaration.month),
    }
    if declaration.what is Declared.DOCUMENTS:
        return message("{actor} declared on {day}: {file} (SHA-256 {digest}…) holds all documents of {month}.", **facts)
    if declaration.marketplaces:
        names = evidence_text.listed(declaration.marketplaces)
        return message(
            "{actor} declared on {day}: {file} (SHA-256 {digest}…) holds all orders of {month} of {marketplaces}.",
            **facts,
            marketplaces=names,
        )
    return message("{actor} declared on {day}: {file} (SHA-256 {digest}…) holds all orders of {month}.", **facts)


def _day(at: str) -> str:
    moment = listed_periods.moment(at)
    return "" if moment is None else listed_periods.local_day(moment)
