"""What a reconciliation came to, held against the sandbox's truth: links, ties and findings, each error by name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from confere.sales.findings import Finding
from confere.sales.links import Linked
from confere.sales.reconciliation_input import Ledger

Told = tuple[frozenset[str], frozenset[str], str]
"""What a finding is about: orders, keys, subject."""


@dataclass(slots=True)
class Score:
    """Figures of one world. Pairs are (order id, key)."""

    decidable: int = 0
    undecidable: int = 0
    automatic: int = 0
    right: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)  # decidable and not linked
    wrong: list[tuple[str, str]] = field(default_factory=list)  # linked and not true
    guessed: list[tuple[str, str]] = field(default_factory=list)  # linked, true, and undecidable
    untied: list[tuple[str, str]] = field(default_factory=list)  # undecidable and neither linked nor a tie
    rules: dict[str, RuleScore] = field(default_factory=dict)
    adjusting: int = 0  # credit and debit notes that are here
    misread: list[tuple[str, str]] = field(default_factory=list)  # of these, key and class, where it is another

    @property
    def precision(self) -> float:
        return 1 - len(self.wrong) / self.automatic if self.automatic else 1.0

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / self.decidable if self.decidable else 1.0


@dataclass(slots=True)
class RuleScore:
    """One rule: what the truth has, what was found of it, and alarms that the truth has not."""

    planted: int = 0
    found: int = 0
    unchecked: int = 0
    missed: list[Told] = field(default_factory=list)
    false: list[Finding] = field(default_factory=list)
    false_in_clean_months: int = 0


def read(path: Path) -> dict[str, Any]:
    """The truth file."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def score(
    truth: dict[str, Any], ledger: Ledger, linked: Linked, findings: Iterable[Finding], *, has_orders: bool = True
) -> Score:
    """Everything compared; a document or order that is not in the archive (withheld, late) is not asked for.

    Without orders only what papers tell by themselves is asked for, and findings are held against its keys alone.
    """
    result = Score()
    _adjusting(result, truth, ledger)
    if not has_orders:
        _findings(result, *_without_orders(truth, ledger, findings))
        return result
    _links(result, truth, ledger, linked)
    _findings(result, truth, findings)
    return result


_CLASSES = {
    "return": ("sale_return", "devolution"),
    "value": ("credit_note",),
    "prepayment": ("prepayment",),
    "loss": ("stock_loss",),
}
_OF_PAPERS_ALONE = frozenset({"R7a", "R7c", "R8", "R11", "R12", "R14", "R15", "R16", "R17", "R18", "R19"})
_OF_PAPERS_ALONE |= {"R24", "R25", "R26"}
_REFUSALS = frozenset({"210220", "210240"})  # the recipient's word that a sale is unknown or was not carried out


def _adjusting(result: Score, truth: dict[str, Any], ledger: Ledger) -> None:
    papers = {paper.key: paper for paper in ledger.papers}
    here = [(entry, papers[entry["key"]]) for entry in truth.get("adjusting", ()) if entry["key"] in papers]
    result.adjusting = len(here)
    result.misread = [(p.key or "", p.operation) for entry, p in here if p.operation not in _CLASSES[entry["does"]]]


def _without_orders(
    truth: dict[str, Any], ledger: Ledger, findings: Iterable[Finding]
) -> tuple[dict[str, Any], list[Finding]]:
    """What papers tell by themselves is expected, by keys alone; the rest may be found where single orders are here."""
    refused = {happened.key for happened in ledger.happenings if happened.code in _REFUSALS}
    rows = []
    for row in truth["anomalies"]:
        if row["rule"] in _OF_PAPERS_ALONE:
            rows.append(row | {"orders": []})
        else:
            rows += [row | {"edge": "orders"}, row | {"orders": [], "edge": "orders"}]
        if row["rule"] == "R5" and refused.intersection(row["keys"]):
            rows.append(row | {"rule": "R26", "orders": []})  # nobody tells that the order was cancelled
    told = [replace(found, orders=()) if found.rule in _OF_PAPERS_ALONE else found for found in findings]
    return truth | {"anomalies": rows}, told


def _links(result: Score, truth: dict[str, Any], ledger: Ledger, linked: Linked) -> None:
    orders = {order.hub_id for order in ledger.orders}
    keys = {paper.key for paper in ledger.papers}
    here = [entry for entry in truth["links"] if str(entry["order"]) in orders and entry["key"] in keys]
    known = {(str(entry["order"]), entry["key"]): bool(entry.get("decidable", True)) for entry in here}
    made = {(link.order_id, link.key) for link in linked.links if not link.manual}
    tied = {(order, key) for tie in linked.ties for order in tie.orders for key in tie.keys}
    tied_keys = {key for tie in linked.ties for key in tie.keys}
    result.automatic = len(made)
    result.decidable = sum(known.values())
    result.undecidable = len(known) - result.decidable
    result.wrong = sorted(made - known.keys())
    result.right = len(made & known.keys())
    result.missed = sorted(pair for pair, decidable in known.items() if decidable and pair not in made)
    result.guessed = sorted(pair for pair, decidable in known.items() if not decidable and pair in made)
    sales = {paper.key for paper in ledger.papers if paper.operation == "sale"}
    result.untied = sorted(
        (order, key)
        for (order, key), decidable in known.items()
        if not decidable and (order, key) not in made | tied and key in sales and key not in tied_keys
    )


def _findings(result: Score, truth: dict[str, Any], findings: Iterable[Finding]) -> None:
    expected: set[tuple[str, Told]] = set()
    edge: set[tuple[str, Told]] = set()  # may be found or not: what decides them lies before the hub's first document
    for entry in truth["anomalies"]:
        told = entry["rule"], _told(entry["orders"], entry["keys"], entry.get("subject", ""))
        (edge if entry.get("edge") else expected).add(told)
    clean = set(truth.get("clean_months", ()))
    rules = {rule for rule, _ in expected | edge}
    seen: set[tuple[str, Told]] = set()
    totals: Counter[str] = Counter(rule for rule, _ in expected)
    for finding in findings:
        rule = result.rules.setdefault(finding.rule, RuleScore())
        if not finding.checked:
            rule.unchecked += 1
            continue
        told = _told(finding.orders, finding.keys, finding.subject)
        if (finding.rule, told) in expected:
            seen.add((finding.rule, told))
        elif (finding.rule, told) not in edge:
            rule.false.append(finding)
            rule.false_in_clean_months += finding.period in clean
    for name in rules:
        rule = result.rules.setdefault(name, RuleScore())
        rule.planted = totals[name]
        rule.missed = [told for found, told in expected if found == name and (found, told) not in seen]
        rule.found = rule.planted - len(rule.missed)


def _told(orders: Iterable[object], keys: Iterable[str], subject: str) -> Told:
    return frozenset(map(str, orders)), frozenset(keys), subject
