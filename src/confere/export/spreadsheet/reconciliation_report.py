"""The report of a reconciliation as a spreadsheet: findings, what is explained, links, what is open, goods, taxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from confere.errors import Message
from confere.export.spreadsheet.spreadsheet import Cell, CellKind, Sheet, SheetColumn, write
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
    whole, money, day = CellKind.WHOLE, CellKind.MONEY, CellKind.DAY
    account = SheetColumn(t("Account"))
    yield Sheet(
        t("Summary"),
        [
            *(
                account,
                SheetColumn(t("Rule")),
                SheetColumn(t("What was found"), CellKind.LONG),
                SheetColumn(t("Severity")),
            ),
            *(
                SheetColumn(t("Still open"), whole),
                SheetColumn(t("Amount at stake"), money),
                SheetColumn(t("Not checked"), whole),
            ),
            *(SheetColumn(t("Explained"), whole), SheetColumn(t("Ignored"), whole), SheetColumn(t("Resolved"), whole)),
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
            *(account, SheetColumn(t("Number of the finding"))),
            *(SheetColumn(t("Rule")), SheetColumn(t("What was found"), CellKind.LONG), SheetColumn(t("Month"))),
            *(SheetColumn(t("Severity")), SheetColumn(t("State")), SheetColumn(t("Amount at stake"), money)),
            *(SheetColumn(t("Orders"), CellKind.LONG), SheetColumn(t("Number at the marketplace"), CellKind.LONG)),
            *(
                SheetColumn(t("Buyer"), CellKind.LONG),
                SheetColumn(t("Access keys"), CellKind.KEY),
                SheetColumn(t("Evidence"), CellKind.LONG),
            ),
            *(SheetColumn(t("Note"), CellKind.LONG), SheetColumn(t("By")), SheetColumn(t("Since"), CellKind.MOMENT)),
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
            *(
                account,
                SheetColumn(t("Order")),
                SheetColumn(t("Day of the order"), day),
                SheetColumn(t("Total of the order"), money),
            ),
            *(
                SheetColumn(t("Access key"), CellKind.KEY),
                SheetColumn(t("Number")),
                SheetColumn(t("Day of the document"), day),
            ),
            *(
                SheetColumn(t("Total of the document"), money),
                SheetColumn(t("Linked by")),
                SheetColumn(t("Confidence, %"), whole),
            ),
            *(SheetColumn(t("Evidence"), CellKind.LONG), SheetColumn(t("By"))),
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
            *(account, SheetColumn(t("Orders"), CellKind.LONG), SheetColumn(t("Access keys"), CellKind.KEY)),
            *(SheetColumn(t("Would be linked by")), SheetColumn(t("Why it is not decided"), CellKind.LONG)),
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
    account, money = SheetColumn(t("Account")), CellKind.MONEY
    yield Sheet(
        t("Suggestions"),
        [
            *(
                account,
                SheetColumn(t("Order")),
                SheetColumn(t("Total of the order"), money),
                SheetColumn(t("Access key"), CellKind.KEY),
            ),
            *(SheetColumn(t("Total of the document"), money), SheetColumn(t("Agrees"), CellKind.LONG)),
            SheetColumn(t("Differs"), CellKind.LONG),
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
            *(
                account,
                SheetColumn(t("Month")),
                SheetColumn(t("Amount"), money),
                SheetColumn(t("Orders"), CellKind.LONG),
            ),
            *(SheetColumn(t("Access keys"), CellKind.KEY), SheetColumn(t("Explained by"), CellKind.LONG)),
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
    pieces, day = CellKind.PIECES, CellKind.DAY
    account = SheetColumn(t("Account"))
    yield Sheet(
        t("Goods at marketplaces"),
        [
            *(account, SheetColumn(t("Company")), SheetColumn(t("Marketplace")), SheetColumn(t("Item"))),
            *(
                SheetColumn(t("Description"), CellKind.LONG),
                SheetColumn(t("Sent"), pieces),
                SheetColumn(t("Sent symbolically"), pieces),
            ),
            *(SheetColumn(t("Returned"), pieces), SheetColumn(t("Sold"), pieces), SheetColumn(t("Balance"), pieces)),
            *(SheetColumn(t("Below zero since"), day), SheetColumn(t("Oldest pieces of"), day)),
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
            *(
                account,
                SheetColumn(t("Month")),
                SheetColumn(t("CFOP")),
                SheetColumn(t("CST or CSOSN")),
                SheetColumn(t("UF")),
            ),
            *(SheetColumn(t("Direction")), SheetColumn(t("Effect")), SheetColumn(t("Documents"), CellKind.WHOLE)),
            *(SheetColumn(name, CellKind.MONEY) for name in data.tax_names),
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
