"""The report of a reconciliation as a spreadsheet: findings, what is explained, links, what is open, goods, taxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from confere.errors import Message
from confere.export.spreadsheet.spreadsheet import Cell, Column, Kind, Sheet, write
from confere.system.messages import render, t
from confere.system.processes.cancellation import Stop


@dataclass(frozen=True, slots=True)
class RuleSum:
    """The findings of one rule. `amount` in centavos is at stake in those that are open."""

    account: str
    rule: str
    title: Message
    severity: str
    open: int
    not_checked: int
    explained: int
    ignored: int
    resolved: int
    amount: int


@dataclass(frozen=True, slots=True)
class FindingLine:
    """`number` is the finding's own; `marketplace_ids` and `buyers` are those of its orders, as far as known."""

    number: int
    account: str
    rule: str
    title: Message
    period: str
    severity: str
    state: str
    amount: int | None
    orders: Sequence[str]
    marketplace_ids: Sequence[str]
    buyers: Sequence[str]
    keys: Sequence[str]
    evidence: Sequence[Message]
    note: str | None
    author: str | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class LinkRow:
    """`order_on` and `paper_on` are days, totals centavos."""

    account: str
    order_id: str
    order_on: str
    order_total: int | None
    key: str
    number: str
    paper_on: str
    paper_total: int | None
    kind: str
    confidence: int
    evidence: Sequence[Message]
    by: str


@dataclass(frozen=True, slots=True)
class TieRow:
    account: str
    orders: Sequence[str]
    keys: Sequence[str]
    kind: str
    reason: Message


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """An order and a document that nearly fit; totals in centavos."""

    account: str
    order_id: str
    order_total: int | None
    key: str
    paper_total: int | None
    agrees: Sequence[Message]
    differs: Sequence[Message]


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """A difference of totals, in centavos, that R3 explains itself."""

    account: str
    period: str
    amount: int
    orders: Sequence[str]
    keys: Sequence[str]
    evidence: Sequence[Message]


@dataclass(frozen=True, slots=True)
class GoodsRow:
    account: str
    emitter: str
    marketplace: str
    code: str
    description: str | None
    sent: Decimal
    symbolic: Decimal
    returned: Decimal
    sold: Decimal
    balance: Decimal
    negative_on: str
    oldest_on: str


@dataclass(frozen=True, slots=True)
class TaxRow:
    """`state` is the recipient's, `effect` a word; `amounts` in the order of `ReportData.tax_names`, centavos."""

    account: str
    period: str
    cfop: str
    cst: str
    state: str
    direction: str
    effect: str
    documents: int
    amounts: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything a report holds; the iterables are read once, in the order of the fields.

    `parameters` are labels and values of the run: accounts, period, its "now", tolerances, figures.
    """

    title: str
    parameters: Sequence[tuple[str, Cell]]
    rules: Iterable[RuleSum]
    findings: Iterable[FindingLine]
    links: Iterable[LinkRow]
    ties: Iterable[TieRow]
    suggestions: Iterable[SuggestionRow]
    explained: Iterable[ExplainedRow]
    goods: Iterable[GoodsRow]
    taxes: Iterable[TaxRow]
    tax_names: Sequence[str]


def write_report(path: Path, data: ReportData, stop: Stop | None = None) -> None:
    """Write the spreadsheet. Raises as `confere.export.spreadsheet.spreadsheet.write` does."""
    write(path, _sheets(data), title=data.title, stop=stop)


def _sheets(data: ReportData) -> Iterator[Sheet]:
    whole, money, day = Kind.WHOLE, Kind.MONEY, Kind.DAY
    account = Column(t("Account"))
    yield Sheet(
        t("Summary"),
        [
            *(account, Column(t("Rule")), Column(t("What was found"), Kind.LONG), Column(t("Severity"))),
            *(Column(t("Still open"), whole), Column(t("Amount at stake"), money), Column(t("Not checked"), whole)),
            *(Column(t("Explained"), whole), Column(t("Ignored"), whole), Column(t("Resolved"), whole)),
        ],
        (
            (
                *(entry.account, entry.rule, render(entry.title), entry.severity, entry.open, entry.amount),
                *(entry.not_checked, entry.explained, entry.ignored, entry.resolved),
            )
            for entry in data.rules
        ),
        data.parameters,
    )
    yield Sheet(
        t("Findings"),
        [
            *(account, Column(t("Number of the finding"))),
            *(Column(t("Rule")), Column(t("What was found"), Kind.LONG), Column(t("Month"))),
            *(Column(t("Severity")), Column(t("State")), Column(t("Amount at stake"), money)),
            *(Column(t("Orders"), Kind.LONG), Column(t("Number at the marketplace"), Kind.LONG)),
            *(Column(t("Buyer"), Kind.LONG), Column(t("Access keys"), Kind.KEY), Column(t("Evidence"), Kind.LONG)),
            *(Column(t("Note"), Kind.LONG), Column(t("By")), Column(t("Since"), Kind.MOMENT)),
        ],
        (
            (
                *(entry.account, str(entry.number), entry.rule, render(entry.title), entry.period, entry.severity),
                *(entry.state, entry.amount, ", ".join(entry.orders), ", ".join(entry.marketplace_ids)),
                *(", ".join(entry.buyers), "\n".join(entry.keys), _told(entry.evidence)),
                *(entry.note, entry.author, entry.changed_at),
            )
            for entry in data.findings
        ),
    )
    yield Sheet(
        t("Links"),
        [
            *(account, Column(t("Order")), Column(t("Day of the order"), day), Column(t("Total of the order"), money)),
            *(Column(t("Access key"), Kind.KEY), Column(t("Number")), Column(t("Day of the document"), day)),
            *(Column(t("Total of the document"), money), Column(t("Linked by")), Column(t("Confidence, %"), whole)),
            *(Column(t("Evidence"), Kind.LONG), Column(t("By"))),
        ],
        (
            (
                *(entry.account, entry.order_id, entry.order_on, entry.order_total, entry.key, entry.number),
                *(entry.paper_on, entry.paper_total, entry.kind, entry.confidence, _told(entry.evidence), entry.by),
            )
            for entry in data.links
        ),
    )
    yield Sheet(
        t("Ambiguous"),
        [
            *(account, Column(t("Orders"), Kind.LONG), Column(t("Access keys"), Kind.KEY)),
            *(Column(t("Would be linked by")), Column(t("Why it is not decided"), Kind.LONG)),
        ],
        (
            (entry.account, ", ".join(entry.orders), "\n".join(entry.keys), entry.kind, render(entry.reason))
            for entry in data.ties
        ),
    )
    yield from _beside(data)
    yield from _goods_and_taxes(data)


def _beside(data: ReportData) -> Iterator[Sheet]:
    """What stands beside the findings."""
    account, money = Column(t("Account")), Kind.MONEY
    yield Sheet(
        t("Suggestions"),
        [
            *(account, Column(t("Order")), Column(t("Total of the order"), money), Column(t("Access key"), Kind.KEY)),
            *(Column(t("Total of the document"), money), Column(t("Agrees"), Kind.LONG)),
            Column(t("Differs"), Kind.LONG),
        ],
        (
            (
                *(entry.account, entry.order_id, entry.order_total, entry.key, entry.paper_total),
                *(_told(entry.agrees), _told(entry.differs)),
            )
            for entry in data.suggestions
        ),
    )
    yield Sheet(
        t("Explained by the rule"),
        [
            *(account, Column(t("Month")), Column(t("Amount"), money), Column(t("Orders"), Kind.LONG)),
            *(Column(t("Access keys"), Kind.KEY), Column(t("Explained by"), Kind.LONG)),
        ],
        (
            (
                *(entry.account, entry.period, entry.amount, ", ".join(entry.orders), "\n".join(entry.keys)),
                _told(entry.evidence),
            )
            for entry in data.explained
        ),
    )


def _goods_and_taxes(data: ReportData) -> Iterator[Sheet]:
    pieces, day = Kind.PIECES, Kind.DAY
    account = Column(t("Account"))
    yield Sheet(
        t("Goods at marketplaces"),
        [
            *(account, Column(t("Company")), Column(t("Marketplace")), Column(t("Item"))),
            *(Column(t("Description"), Kind.LONG), Column(t("Sent"), pieces), Column(t("Sent symbolically"), pieces)),
            *(Column(t("Returned"), pieces), Column(t("Sold"), pieces), Column(t("Balance"), pieces)),
            *(Column(t("Below zero since"), day), Column(t("Oldest pieces of"), day)),
        ],
        (
            (
                *(entry.account, entry.emitter, entry.marketplace, entry.code, entry.description, entry.sent),
                *(entry.symbolic, entry.returned, entry.sold, entry.balance, entry.negative_on, entry.oldest_on),
            )
            for entry in data.goods
        ),
    )
    yield Sheet(
        t("Taxes"),
        [
            *(account, Column(t("Month")), Column(t("CFOP")), Column(t("CST or CSOSN")), Column(t("UF"))),
            *(Column(t("Direction")), Column(t("Effect")), Column(t("Documents"), Kind.WHOLE)),
            *(Column(name, Kind.MONEY) for name in data.tax_names),
        ],
        (
            (
                *(entry.account, entry.period, entry.cfop, entry.cst, entry.state, entry.direction, entry.effect),
                *(entry.documents, *entry.amounts),
            )
            for entry in data.taxes
        ),
    )


def _told(found: Sequence[Message]) -> str:
    return "\n".join(render(entry) for entry in found)
