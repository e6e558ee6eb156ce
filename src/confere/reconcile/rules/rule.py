"""What a rule is called and how severe it is, and how its findings are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from confere.errors import Message, message
from confere.reconcile import evidence_text
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the book. `title` and `explanation` (what it finds, what to do about it) are ids of the catalogue.

    `version` grows when the rule would find something else in the same ledger.
    """

    id: str
    version: int
    severity: Severity
    title: str
    explanation: str

    def found(
        self,
        period: str,
        *evidence: Message,
        orders: Iterable[OrderEntry] = (),
        papers: Iterable[PaperEntry] = (),
        keys: Iterable[str] = (),
        amount: int | None = None,
        subject: str = "",
        severity: Severity | None = None,
        checked: bool = True,
    ) -> Finding:
        """A finding about `orders` and `papers` (and documents that are not here, by `keys`)."""
        every = dict.fromkeys([*(paper.key for paper in papers if paper.key is not None), *keys])
        return Finding(
            rule=self.id,
            version=self.version,
            period=period,
            severity=severity or self.severity,
            amount=amount,
            orders=tuple(sorted({order.hub_id for order in orders})),
            keys=tuple(sorted(every)),
            evidence=evidence,
            subject=subject,
            checked=checked,
        )


class Unchecked:
    """What a rule could not decide, counted by month and reason: one finding each, however many there are."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._names: dict[tuple[str, Reason], list[str]] = {}
        self._counts: dict[tuple[str, Reason], int] = {}

    def add(self, period: str, reason: Reason, name: str) -> None:
        """`name`, of this month, could not be checked for `reason`."""
        place = (period, reason)
        self._counts[place] = self._counts.get(place, 0) + 1
        names = self._names.setdefault(place, [])
        if len(names) < _MOST_NAMED:
            names.append(name)

    def findings(self) -> Iterator[Finding]:
        """One "not checked" finding for each month and reason, with the first few names."""
        for (period, reason), count in sorted(self._counts.items(), key=lambda item: (item[0][0], item[0][1].name)):
            names = ", ".join(self._names[period, reason])
            counted = message(
                "Not checked in {month}: {count} ({names}).",
                month=evidence_text.day(period),
                count=count,
                names=f"{names} …" if count > _MOST_NAMED else names,
            )
            subject = f"{period}/{reason.name.lower()}"
            yield self._rule.found(period, Message(reason.value), counted, subject=subject, checked=False)
