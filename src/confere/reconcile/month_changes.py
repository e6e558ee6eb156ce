"""What changed in a month since it was closed: documents, findings, and what that does to the month's taxes."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from confere.fiscal.document_parts import TaxSums
from confere.fiscal.state import CANCELLATION_CODES
from confere.fiscal.tax_groups import TaxGroup
from confere.reconcile import predicates, tax_pivot
from confere.reconcile.tax_pivot import PivotLine
from confere.sales.closings import (
    ClosedMonth,
    FiledDocument,
    FiledEvent,
    FiledFinding,
    FiledTaxes,
    MonthRows,
)


class ChangeKind(StrEnum):
    """What became of a document or finding after its month was closed, what weighs most first."""

    ARRIVED = "arrived"  # late: it was not there
    GONE = "gone"  # it was there, and is not in the month any more
    CANCELLED = "cancelled"  # it lost its effect
    STATE = "state"  # another state otherwise
    OTHER_BYTES = "other_bytes"  # another content is shown for its key
    CORRECTED = "corrected"  # a correction letter came
    EVENT = "event"  # another event came
    REREAD = "reread"  # the same bytes, read into other taxes by another version
    RELINKED = "relinked"  # it belongs to other orders
    REJUDGED = "rejudged"  # another verdict; or a finding has another state, is new or is gone


LATE: Final = frozenset(ChangeKind) - {ChangeKind.REREAD, ChangeKind.RELINKED, ChangeKind.REJUDGED}
"""What R23 tells of a document; links and verdicts are this program's own word, not the document's."""


IN_EFFECT: Final = predicates.EFFECTIVE
"""The states whose amounts count."""
_CORRECTION: Final = "110110"  # CC-e, of NF-e and CT-e


class EffectPlace(NamedTuple):
    """Where in the month's table of taxes something stands."""

    direction: str
    cfop: str | None
    cst: str | None
    uf: str | None


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that changed. `filed` None: it was not there; `now` None: it is not any more.

    `kinds` has every kind, what weighs most first. `detail` has what is before and after, in words of the archive:
    states, hashes, orders. `total` is what it does to the sum of what is in effect, `taxes` what it does to the taxes;
    centavos. `difal_unread`: its XML could not be read, so that `taxes` lack DIFAL where there is any.
    """

    kinds: tuple[ChangeKind, ...]
    filed: FiledDocument | None
    now: FiledDocument | None
    detail: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    total: int = 0
    taxes: Mapping[EffectPlace, Mapping[str, int]] = field(default_factory=dict)
    difal_unread: bool = False

    @property
    def document(self) -> FiledDocument:
        """As it is now; as it was filed where it is gone."""
        document = self.now or self.filed
        assert document is not None
        return document


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding as it is now, or as it was where it is gone; its state when the month was closed (`before` None: it
    was not there) and now (`after` None: it is not any more). `amount_before` in centavos.

    `number` is its number in lists, `orders` the hub's ids of its orders, `subject` what else it is about; they are as
    the archive has them now, and None or empty where it has the finding no longer.
    """

    finding: FiledFinding
    before: str | None
    after: str | None
    amount_before: int | None = None
    number: int | None = None
    account: str | None = None
    orders: tuple[str, ...] = ()
    subject: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The access keys of its documents."""
        return tuple(json.loads(self.finding.keys))


@dataclass(frozen=True, slots=True)
class MonthChanges:
    """Everything that changed since the month was closed."""

    closed: ClosedMonth
    documents: tuple[DocumentChange, ...] = ()
    findings: tuple[FindingChange, ...] = ()

    @property
    def total(self) -> int:
        """What all changes do to the sum of documents in effect, centavos."""
        return sum(change.total for change in self.documents)

    @property
    def count(self) -> int:
        return len(self.documents) + len(self.findings)

    @property
    def taxes(self) -> Mapping[EffectPlace, Mapping[str, int]]:
        """What all changes do to the month's table of taxes; only what is not zero."""
        return summed(change.taxes for change in self.documents)


def of_month(closed: ClosedMonth) -> MonthChanges:
    """Compare what was frozen with what is there now.

    Source: reconciliation rules, R20 and R23.
    """
    return MonthChanges(closed, tuple(_documents(closed.filed, closed.now)), tuple(_findings(closed)))


def summed(effects: Iterable[Mapping[EffectPlace, Mapping[str, int]]]) -> dict[EffectPlace, dict[str, int]]:
    """The sum of effects on taxes, without what comes to nothing."""
    sums: dict[EffectPlace, Counter[str]] = defaultdict(Counter)
    for effect in effects:
        for place, amounts in effect.items():
            for name, amount in amounts.items():
                sums[place][name] += amount
    kept = {place: {name: amount for name, amount in sums[place].items() if amount} for place in _in_order(sums)}
    return {place: amounts for place, amounts in kept.items() if amounts}


def pivot_of(rows: MonthRows) -> tuple[PivotLine, ...]:
    """The month's table of taxes (R20) of frozen rows."""
    by_paper = {document.paper: document for document in rows.documents}
    return tax_pivot.pivot(
        TaxGroup(
            owner.key,
            owner.issued_on[:7],
            owner.state,
            owner.direction,
            owner.uf,
            TaxSums(group.cfop, group.cst, *group.amounts),
        )
        for group in rows.taxes
        if (owner := by_paper.get(group.paper)) is not None
    )


def _documents(filed: MonthRows, now: MonthRows) -> Iterable[DocumentChange]:
    touched = _touched(filed, now)
    before, after = _Rows(filed, touched), _Rows(now, touched)
    changes = []
    for paper in before.documents.keys() | after.documents.keys():
        change = _change(paper, before, after)
        if change is not None:
            changes.append(change)
    order = list(ChangeKind)
    changes.sort(key=lambda change: (order.index(change.kinds[0]), change.document.issued_on, change.document.paper))
    return changes


def _touched(filed: MonthRows, now: MonthRows) -> set[str]:
    """The papers of which any row is not the same: few of very many. What has a key is called by it."""
    return {
        *(document.paper for document in {*filed.documents} ^ {*now.documents}),
        *(group.paper for group in {*filed.taxes} ^ {*now.taxes}),
        *(event.key for event in {*filed.events} ^ {*now.events}),
        *(link.key for link in {*filed.links} ^ {*now.links}),
    }


class _Rows:
    """A month's rows about these papers, by paper."""

    def __init__(self, rows: MonthRows, papers: set[str]) -> None:
        self.documents: dict[str, FiledDocument] = {
            document.paper: document for document in rows.documents if document.paper in papers
        }
        self.taxes: dict[str, list[FiledTaxes]] = defaultdict(list)
        for group in rows.taxes:
            if group.paper in papers:
                self.taxes[group.paper].append(group)
        self.events: dict[str, set[FiledEvent]] = defaultdict(set)
        for event in rows.events:
            if event.key in papers:
                self.events[event.key].add(event)
        self.orders: dict[str, set[tuple[int, str]]] = defaultdict(set)
        for link in rows.links:
            if link.key in papers:
                self.orders[link.key].add((link.account, link.order_id))

    def effect(self, paper: str) -> tuple[int, dict[EffectPlace, Counter[str]]]:
        """What the document adds to the month's sums: nothing where it is not in effect."""
        document = self.documents.get(paper)
        sums: dict[EffectPlace, Counter[str]] = defaultdict(Counter)
        if document is None or document.state not in predicates.EFFECTIVE:
            return 0, sums
        for group in self.taxes.get(paper, ()):
            place = EffectPlace(document.direction, group.cfop, group.cst, document.uf)
            for name, amount in zip(tax_pivot.AMOUNTS, group.amounts, strict=True):
                if amount is not None:
                    sums[place][name] += amount
        return document.total or 0, sums


def _change(paper: str, before: _Rows, after: _Rows) -> DocumentChange | None:
    was, now = before.documents.get(paper), after.documents.get(paper)
    if was is None or now is None:
        kinds: tuple[ChangeKind, ...] = (ChangeKind.GONE if now is None else ChangeKind.ARRIVED,)
        detail: dict[str, tuple[str, str]] = {}
    else:
        detail = dict(_differences(was, now, before, after))
        kinds = tuple(kind for kind in ChangeKind if kind in _kinds(was, now, before, after))
        if not kinds:
            return None
    (total_before, taxes_before), (total_after, taxes_after) = before.effect(paper), after.effect(paper)
    negated = {place: {name: -amount for name, amount in sums.items()} for place, sums in taxes_before.items()}
    return DocumentChange(kinds, was, now, detail, total_after - total_before, summed((taxes_after, negated)))


def _kinds(was: FiledDocument, now: FiledDocument, before: _Rows, after: _Rows) -> set[ChangeKind]:
    kinds: set[ChangeKind] = set()
    if was.state != now.state:
        lost = was.state in predicates.EFFECTIVE and now.state in predicates.WITHOUT_EFFECT
        kinds.add(ChangeKind.CANCELLED if lost else ChangeKind.STATE)
    if was.sha256 != now.sha256:
        kinds.add(ChangeKind.OTHER_BYTES)
    elif (was.total, was.direction, was.uf, was.issued_on) != (
        now.total,
        now.direction,
        now.uf,
        now.issued_on,
    ) or before.taxes.get(now.paper) != after.taxes.get(now.paper):
        kinds.add(ChangeKind.REREAD)
    for event in after.events.get(now.key or "", set()) - before.events.get(now.key or "", set()):
        if event.code == _CORRECTION:
            kinds.add(ChangeKind.CORRECTED)
        elif event.code not in CANCELLATION_CODES or not kinds:
            kinds.add(ChangeKind.EVENT)
    if before.events.get(now.key or "", set()) - after.events.get(now.key or "", set()):
        kinds.add(ChangeKind.EVENT)
    if before.orders.get(now.key or "") != after.orders.get(now.key or ""):
        kinds.add(ChangeKind.RELINKED)
    if was.verdict != now.verdict:
        kinds.add(ChangeKind.REJUDGED)
    return kinds


def _differences(
    was: FiledDocument, now: FiledDocument, before: _Rows, after: _Rows
) -> Iterable[tuple[str, tuple[str, str]]]:
    for name in ("state", "sha256", "verdict"):
        old, new = getattr(was, name), getattr(now, name)
        if old != new:
            yield name, ("" if old is None else str(old), "" if new is None else str(new))
    linked = tuple(
        " ".join(sorted(order for _, order in rows.orders.get(now.key or "", set()))) for rows in (before, after)
    )
    if linked[0] != linked[1]:
        yield "orders", (linked[0], linked[1])
    added = after.events.get(now.key or "", set()) - before.events.get(now.key or "", set())
    gone = before.events.get(now.key or "", set()) - after.events.get(now.key or "", set())
    if added or gone:
        codes = (" ".join(sorted(event.code or "?" for event in events)) for events in (gone, added))
        yield "events", (next(codes), next(codes))


def _findings(closed: ClosedMonth) -> Iterable[FindingChange]:
    before = {(finding.account, finding.fingerprint): finding for finding in closed.filed.findings}
    after = {(finding.account, finding.fingerprint): finding for finding in closed.now.findings}
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if _says(was) != _says(now):
            finding = now or was
            assert finding is not None
            yield FindingChange(finding, was and was.state, now and now.state, was and was.amount)


def _says(finding: FiledFinding | None) -> tuple[str, int | None] | None:
    return None if finding is None else (finding.state, finding.amount)


def _in_order(places: Iterable[EffectPlace]) -> list[EffectPlace]:
    return sorted(places, key=lambda place: tuple(part or "" for part in place))
