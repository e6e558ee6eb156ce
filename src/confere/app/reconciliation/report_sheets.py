"""The sheets of a reconciliation's report: what each column shows of a value of the use cases, with its account."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from confere.app.labels import labels, reconciliation_labels
from confere.app.labels.people import hidden_text, people_of
from confere.app.reconciliation import stock_and_taxes
from confere.app.reconciliation.values import (
    FindingGroup,
    FindingRow,
    LinkLine,
    StockRow,
    SuggestionLine,
    TieLine,
)
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders.orders import OrderRow
from confere.errors import NC_, Message
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn
from confere.reconcile.tax_pivot import PivotLine
from confere.sales.findings import ExplainedDifference
from confere.system.messages import render, t

T = TypeVar("T")


class Of(NamedTuple, Generic[T]):
    """A value of an account."""

    account: str
    value: T


class ReportedFinding(NamedTuple):
    """A finding with its `orders`, as far as they are known, and whether natural persons are hidden: its `people`."""

    row: FindingRow
    orders: Sequence[OrderRow]
    hide_people: bool
    people: frozenset[str] = frozenset()


class ReportedLink(NamedTuple):
    """A link with both its ends, as far as they are known, and whether natural persons are hidden."""

    link: LinkLine
    order: OrderRow | None
    document: DocumentRow | None
    hide_people: bool = False

    @property
    def people(self) -> frozenset[str]:
        """The names of natural persons at both ends."""
        return people_of(filter(None, [self.document]), filter(None, [self.order]))

    @property
    def order_on(self) -> str:
        """The day of the order, empty where it is not known."""
        return "" if self.order is None else self.order.created_on

    @property
    def document_on(self) -> str:
        """The day of the document's issue, empty where it is not known."""
        return "" if self.document is None else self.document.issued_on


Columns = Sequence[tuple[SheetColumn, Callable[[Of[T]], Cell]]]


def rules(groups: Iterable[Of[FindingGroup]], parameters: Sequence[tuple[str, Cell]]) -> Sheet:
    """The findings by rule, below `parameters`: labels and values of the run."""
    return _sheet(
        t("Summary"),
        [
            (SheetColumn(t("Rule")), lambda one: one.value.rule),
            (SheetColumn(t("What was found"), CellKind.LONG), lambda one: render(one.value.title)),
            (SheetColumn(t("Severity")), lambda one: reconciliation_labels.severity_word(one.value.severity)),
            (SheetColumn(t("Still open"), CellKind.WHOLE), lambda one: one.value.open),
            (SheetColumn(t("Amount at stake"), CellKind.MONEY), lambda one: one.value.amount),
            (SheetColumn(t("Not checked"), CellKind.WHOLE), lambda one: one.value.not_checked),
            (SheetColumn(t("Explained"), CellKind.WHOLE), lambda one: one.value.explained),
            (SheetColumn(t("Ignored"), CellKind.WHOLE), lambda one: one.value.ignored),
            (SheetColumn(t("Resolved"), CellKind.WHOLE), lambda one: one.value.resolved),
        ],
        groups,
        parameters,
    )


def findings(rows: Iterable[Of[ReportedFinding]]) -> Sheet:
    """Every finding with its orders, documents and evidence."""
    return _sheet(
        t("Findings"),
        [
            (SheetColumn(t("Number of the finding")), lambda one: str(one.value.row.id)),
            (SheetColumn(t("Rule")), lambda one: one.value.row.finding.rule),
            (SheetColumn(t("What was found"), CellKind.LONG), lambda one: render(one.value.row.title)),
            (SheetColumn(t("Month")), lambda one: one.value.row.finding.period),
            (
                SheetColumn(t("Severity")),
                lambda one: reconciliation_labels.severity_word(one.value.row.finding.severity),
            ),
            (SheetColumn(t("State")), lambda one: reconciliation_labels.state_word(one.value.row.stored.state)),
            (SheetColumn(t("Amount at stake"), CellKind.MONEY), lambda one: one.value.row.finding.amount),
            (SheetColumn(t("Orders"), CellKind.LONG), lambda one: ", ".join(one.value.row.finding.orders)),
            (SheetColumn(t("Number at the marketplace"), CellKind.LONG), _marketplace_ids),
            (SheetColumn(t("Buyer"), CellKind.LONG), _buyers),
            (SheetColumn(t("Access keys"), CellKind.KEY), lambda one: "\n".join(one.value.row.finding.keys)),
            (
                SheetColumn(t("Evidence"), CellKind.LONG),
                lambda one: _hidden(one.value, _lines(one.value.row.finding.evidence)),
            ),
            (
                SheetColumn(t("Note"), CellKind.LONG),
                lambda one: _hidden(one.value, one.value.row.stored.note),
            ),
            (SheetColumn(t(NC_("decision", "By"))), lambda one: one.value.row.stored.author),
            (SheetColumn(t("Since"), CellKind.MOMENT), lambda one: one.value.row.changed_at),
        ],
        rows,
    )


def links(rows: Iterable[Of[ReportedLink]]) -> Sheet:
    """Which order belongs to which document, and why."""
    return _sheet(
        t("Links"),
        [
            (SheetColumn(t("Order")), lambda one: one.value.link.link.order_id),
            (SheetColumn(t("Day of the order"), CellKind.DAY), lambda one: one.value.order_on),
            (
                SheetColumn(t("Total of the order"), CellKind.MONEY),
                lambda one: None if one.value.order is None else one.value.order.total,
            ),
            (SheetColumn(t("Access key"), CellKind.KEY), lambda one: one.value.link.link.key),
            (SheetColumn(t("Number")), _document_number),
            (SheetColumn(t("Day of the document"), CellKind.DAY), lambda one: one.value.document_on),
            (
                SheetColumn(t("Total of the document"), CellKind.MONEY),
                lambda one: None if one.value.document is None else one.value.document.total,
            ),
            (SheetColumn(t("Linked by")), lambda one: reconciliation_labels.kind_word(one.value.link.link.kind)),
            (SheetColumn(t("Confidence, %"), CellKind.WHOLE), lambda one: one.value.link.link.confidence),
            (
                SheetColumn(t("Evidence"), CellKind.LONG),
                lambda one: _hidden(one.value, _lines(one.value.link.link.evidence)),
            ),
            (SheetColumn(t(NC_("link", "By"))), _who_linked),
        ],
        rows,
    )


def ties(rows: Iterable[Of[TieLine]]) -> Sheet:
    """What fits in more than one way."""
    return _sheet(
        t("Ambiguous"),
        [
            (SheetColumn(t("Orders"), CellKind.LONG), lambda one: ", ".join(one.value.orders)),
            (SheetColumn(t("Access keys"), CellKind.KEY), lambda one: "\n".join(one.value.keys)),
            (SheetColumn(t("Would be linked by")), lambda one: reconciliation_labels.kind_word(one.value.kind)),
            (SheetColumn(t("Why it is not decided"), CellKind.LONG), lambda one: render(one.value.reason)),
        ],
        rows,
    )


def suggestions(rows: Iterable[Of[SuggestionLine]]) -> Sheet:
    """Pairs that nearly fit."""
    return _sheet(
        t("Suggestions"),
        [
            (SheetColumn(t("Order")), lambda one: one.value.order_id),
            (SheetColumn(t("Total of the order"), CellKind.MONEY), lambda one: one.value.order_total),
            (SheetColumn(t("Access key"), CellKind.KEY), lambda one: one.value.key),
            (SheetColumn(t("Total of the document"), CellKind.MONEY), lambda one: one.value.paper_total),
            (SheetColumn(t("Agrees"), CellKind.LONG), lambda one: _lines(one.value.agrees)),
            (SheetColumn(t("Differs"), CellKind.LONG), lambda one: _lines(one.value.differs)),
        ],
        rows,
    )


def explained(rows: Iterable[Of[ExplainedDifference]]) -> Sheet:
    """Differences of totals that R3 explains itself."""
    return _sheet(
        t("Explained by the rule"),
        [
            (SheetColumn(t("Month")), lambda one: one.value.period),
            (SheetColumn(t("Amount"), CellKind.MONEY), lambda one: one.value.amount),
            (SheetColumn(t("Orders"), CellKind.LONG), lambda one: ", ".join(one.value.orders)),
            (SheetColumn(t("Access keys"), CellKind.KEY), lambda one: "\n".join(one.value.keys)),
            (SheetColumn(t("Explained by"), CellKind.LONG), lambda one: _lines(one.value.evidence)),
        ],
        rows,
    )


def goods(rows: Iterable[Of[StockRow]]) -> Sheet:
    """What stands at the marketplaces' warehouses. Sold is all that left and did not come back."""
    pieces = CellKind.PIECES
    return _sheet(
        t("Goods at marketplaces"),
        [
            (SheetColumn(t("Company")), lambda one: labels.tax_id_word(one.value.line.emitter)),
            (SheetColumn(t("Marketplace")), lambda one: one.value.line.marketplace),
            (SheetColumn(t("Item")), lambda one: one.value.line.code),
            (SheetColumn(t("Description"), CellKind.LONG), lambda one: one.value.line.description),
            (SheetColumn(t("Sent"), pieces), lambda one: one.value.line.sent),
            (SheetColumn(t("Sent symbolically"), pieces), lambda one: one.value.line.sent_symbolically),
            (SheetColumn(t("Returned"), pieces), lambda one: one.value.line.returned),
            (
                SheetColumn(t("Sold"), pieces),
                lambda one: one.value.line.sold + one.value.line.removed + one.value.line.lost,
            ),
            (SheetColumn(t("Balance"), pieces), lambda one: one.value.line.balance),
            (SheetColumn(t("Below zero since"), CellKind.DAY), lambda one: one.value.negative_on),
            (SheetColumn(t("Oldest pieces of"), CellKind.DAY), lambda one: one.value.line.standing_since),
        ],
        rows,
    )


def taxes(rows: Iterable[Of[PivotLine]]) -> Sheet:
    """The pivot of taxes (R20)."""
    amounts: Columns[PivotLine] = [
        (SheetColumn(tax_name(name), CellKind.MONEY), _amount(name)) for name in stock_and_taxes.TAX_AMOUNTS
    ]
    return _sheet(
        t("Taxes"),
        [
            (SheetColumn(t("Month")), lambda one: one.value.period),
            (SheetColumn(t("CFOP")), lambda one: one.value.cfop or ""),
            (SheetColumn(t("CST or CSOSN")), lambda one: one.value.cst or ""),
            (SheetColumn(t("UF")), lambda one: one.value.uf or ""),
            (SheetColumn(t("Direction")), lambda one: labels.direction_word(one.value.direction)),
            (SheetColumn(t("Effect")), lambda one: t("in effect") if one.value.in_effect else t("without effect")),
            (SheetColumn(t("Documents"), CellKind.WHOLE), lambda one: one.value.documents),
            *amounts,
        ],
        rows,
    )


def tax_name(name: str) -> str:
    """What one of `stock_and_taxes.TAX_AMOUNTS` is called."""
    known = {
        "products": t("Products"),
        "discount": t("Discount"),
        "freight": t("Freight"),
        "other": t("Other charges"),
        "icms_base": t("ICMS base"),
        "icms": t("ICMS"),
        "icms_st_base": t("ICMS ST base"),
        "icms_st": t("ICMS ST"),
        "fcp": t("FCP"),
        "ipi": t("IPI"),
        "pis": t("PIS"),
        "cofins": t("COFINS"),
        "ibs": t("IBS"),
        "cbs": t("CBS"),
    }
    return known.get(name, name)


def _sheet(
    title: str, columns: Columns[T], rows: Iterable[Of[T]], parameters: Sequence[tuple[str, Cell]] = ()
) -> Sheet:
    """A sheet whose first column is the account; its rows are read once, while it is written."""
    return Sheet(
        title,
        [SheetColumn(t("Account")), *(column for column, _ in columns)],
        ((row.account, *(value(row) for _, value in columns)) for row in rows),
        parameters,
    )


def _amount(name: str) -> Callable[[Of[PivotLine]], Cell]:
    return lambda one: one.value.amount(name)


def _hidden(shown: ReportedFinding | ReportedLink, text: str | None) -> str | None:
    """A text about a finding or a link without natural persons, where they are hidden."""
    return hidden_text(text, shown.people) if text and shown.hide_people else text


def _lines(sentences: Sequence[Message]) -> str:
    return "\n".join(render(sentence) for sentence in sentences)


def _marketplace_ids(one: Of[ReportedFinding]) -> str:
    return ", ".join(order.marketplace_id for order in one.value.orders if order.marketplace_id)


def _buyers(one: Of[ReportedFinding]) -> str:
    names = (
        labels.person_name(order.buyer_name, order.buyer_tax_id, one.value.hide_people) for order in one.value.orders
    )
    return ", ".join(dict.fromkeys(filter(None, names)))


def _document_number(one: Of[ReportedLink]) -> str:
    document = one.value.document
    if document is None:
        return ""
    return f"{labels.type_word(document.type)} {labels.number_word(document.series, document.number)}"


def _who_linked(one: Of[ReportedLink]) -> str:
    if one.value.link.manual:
        return t("a person")
    return t("confirmed by a person") if one.value.link.confirmed else t("the program")
