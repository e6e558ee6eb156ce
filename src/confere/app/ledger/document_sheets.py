"""The tables of documents, items and numbers of the month's ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from confere.app.closing.series_gaps import SeriesGaps
from confere.app.labels import labels
from confere.app.labels.people import hidden_tax_id
from confere.app.ledger.ledger_columns import Shown, TableNames, amount_header, column, table
from confere.export.ledger.ledger_document import LedgerDocument, WrittenDocument
from confere.export.ledger.ledger_reader import LedgerMonth
from confere.export.ledger.ledger_sums import LedgerSums
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet
from confere.fiscal.ledger.item_taxes import AMOUNTS, PLACE, ItemTaxes
from confere.system.messages import t

_PRINTED: Final = ("products", "discount", "icms", "pis", "cofins")  # amounts of an item, on paper
_YES = 1  # of the first column of both tables: whether the document counts


class LedgerItem(NamedTuple):
    """An item with its document."""

    document: LedgerDocument
    taxes: ItemTaxes


def issuer_word(is_own: bool) -> str:
    """Who issued: the company itself or another."""
    return t("own") if is_own else t("of others")


def documents(month: LedgerMonth, hide_people: bool) -> Sheet:
    """Every document of the month, those without effect too; the total is of those in effect."""

    def total(name: str) -> Callable[[LedgerDocument], Cell]:
        return lambda one: None if one.written is None else getattr(one.written.totals, name)

    def tax_id(number: str | None) -> Cell:
        return labels.tax_id_word(hidden_tax_id(number) if hide_people else number)

    money = CellKind.MONEY
    columns: Shown[LedgerDocument] = [
        column("counts", t("Counts"), lambda one: int(one.in_effect), CellKind.WHOLE, 8),
        column("access_key", t("Access key"), lambda one: one.sheet.access_key, CellKind.KEY),
        column("type", t("Type"), lambda one: labels.type_word(one.sheet.type), width=10),
        column("series", t("Series"), lambda one: one.sheet.series, CellKind.SERIAL, 8),
        column("number", t("Number"), lambda one: one.sheet.number, CellKind.SERIAL),
        column("issued_on", t("Issued on"), lambda one: one.sheet.issued_on, CellKind.DAY),
        column("direction", t("Direction"), lambda one: labels.direction_word(one.sheet.direction), width=10),
        column("issuer", t("Issued by"), lambda one: issuer_word(one.is_own), width=12),
        column("state", t("State"), lambda one: labels.state_word(one.sheet.state), width=16),
        column("recipient_name", t("Recipient's name"), _name("recipient", hide_people), width=28),
        column("recipient_state", t("State of the recipient"), _written(lambda one: one.recipient_state), width=10),
        column("total", t("Total"), total("document"), money, 12),
        column("icms", t("ICMS"), total("icms"), money, 12),
        column("icms_st", t("ICMS-ST"), total("icms_st"), money, 12),
        column("ipi", t("IPI"), total("ipi"), money, 12),
        column("pis", t("PIS"), total("pis"), money, 12),
        column("cofins", t("COFINS"), total("cofins"), money, 12),
        column("model", t("Model"), lambda one: one.sheet.model, width=8),
        column("cstat", t("cStat"), lambda one: one.sheet.cstat, width=8),
        column("operation", t("Operation (natOp)"), _written(lambda one: one.operation), width=28),
        column("purpose", t("Purpose (finNFe)"), _written(lambda one: one.purpose), width=10),
        column("regime", t("Regime (CRT)"), _written(lambda one: one.regime), width=9),
        column("final_consumer", t("Final consumer (indFinal)"), _written(lambda one: one.final_consumer), width=11),
        column("emitter", t("Emitter"), lambda one: tax_id(one.sheet.emitter_tax_id), width=20),
        column("emitter_name", t("Emitter's name"), _name("emitter", hide_people), width=28),
        column("recipient", t("Recipient"), lambda one: tax_id(one.sheet.recipient_tax_id), width=20),
        column("products", t("Goods"), total("products"), money, 12),
        column("discount", t("Discount"), total("discount"), money, 12),
        column("freight", t("Freight"), total("freight"), money, 12),
        column("other", t("Other costs"), total("other"), money, 12),
    ]
    return table(
        TableNames("documents", t("Documents")),
        columns,
        month.documents(),
        counts=_counts,
        printed=17,
        folds_empty=True,
    )


def items(month: LedgerMonth) -> Sheet:
    """Every item with all its taxes; the total is of documents in effect."""

    def amount(name: str) -> Callable[[LedgerItem], Cell]:
        place = PLACE[name]
        return lambda one: one.taxes.amounts[place]

    columns: Shown[LedgerItem] = [
        column("counts", t("Counts"), lambda one: int(one.document.in_effect), CellKind.WHOLE, 8),
        column("access_key", t("Access key"), lambda one: one.document.sheet.access_key, CellKind.KEY),
        column("issued_on", t("Issued on"), lambda one: one.document.sheet.issued_on, CellKind.DAY),
        column("direction", t("Direction"), lambda one: labels.direction_word(one.document.sheet.direction), width=10),
        column("item", t("Item"), lambda one: one.taxes.item.number, CellKind.WHOLE, 7),
        column("code", t("Code"), lambda one: one.taxes.item.code, width=16),
        column("description", t("Description"), lambda one: one.taxes.item.description, width=36),
        column("ncm", t("NCM"), lambda one: one.taxes.item.ncm, width=11),
        column("cfop", t("CFOP"), lambda one: one.taxes.item.cfop, width=8),
        column("origin", t("Origin of the goods"), lambda one: one.taxes.item.origin, width=9),
        column("icms_code", t("CST or CSOSN"), lambda one: one.taxes.icms_code, width=10),
        column("icms_rate", t("ICMS, %"), lambda one: one.taxes.icms_rate, CellKind.PIECES, 9),
        column("pis_code", t("CST of PIS"), lambda one: one.taxes.pis_code, width=9),
        column("cofins_code", t("CST of COFINS"), lambda one: one.taxes.cofins_code, width=9),
        column("reform_code", t("CST of IBS and CBS"), lambda one: one.taxes.reform_code, width=9),
        column("tax_class", t("cClassTrib"), lambda one: one.taxes.tax_class, width=11),
        column("unit", t("Unit"), lambda one: one.taxes.item.unit, width=7),
        column("quantity", t("Quantity"), lambda one: one.taxes.item.quantity, CellKind.PIECES),
        column("unit_price", t("Unit price"), lambda one: one.taxes.item.unit_price, CellKind.PIECES),
        *(
            column(name, amount_header(name), amount(name), CellKind.MONEY, 12)
            for name in (*_PRINTED, *(name for name in AMOUNTS if name not in _PRINTED))
        ),
    ]
    rows = (
        LedgerItem(one, taxes) for one in month.documents() if one.written is not None for taxes in one.written.items
    )
    return table(
        TableNames("items", t("Items")), columns, rows, counts=_counts, printed=17 + len(_PRINTED), folds_empty=True
    )


class NumberRange(NamedTuple):
    """Numbers of the company's own notes: voided, or neither here nor voided."""

    is_voided: bool
    model: str
    series: int
    first: int
    last: int
    is_visible: bool | None = None  # whether an account declares the series wholly visible


def numbers(sums: LedgerSums, found: SeriesGaps) -> Sheet:
    """The numbers that `confere close --check` misses in the month, and those that are voided in it."""
    whole = CellKind.WHOLE
    columns: Shown[NumberRange] = [
        column("kind", t("What"), lambda one: t("voided") if one.is_voided else t("not here"), width=14),
        column("model", t("Model"), lambda one: one.model, width=10),
        column("series", t("Series"), lambda one: one.series, CellKind.SERIAL, 10),
        column("first", t("From number"), lambda one: one.first, CellKind.SERIAL, 14),
        column("last", t("To number"), lambda one: one.last, CellKind.SERIAL, 14),
        column("count", t("How many"), lambda one: one.last - one.first + 1, whole, 12),
        column("visible", t("Series declared wholly visible"), _visible, width=22),
    ]
    return table(TableNames("numbers", t("Numbers")), columns, _numbers(sums, found), total=False)


def _visible(one: NumberRange) -> Cell:
    return None if one.is_visible is None else t("yes") if one.is_visible else t("no")


def _numbers(sums: LedgerSums, found: SeriesGaps) -> Iterator[NumberRange]:
    for line in sorted(found.gaps):
        is_visible = line.name in found.declared
        for gap in found.gaps[line]:
            yield NumberRange(False, line.model, line.series, gap.first, gap.last, is_visible)
    yield from (NumberRange(True, *voided) for voided in sorted(sums.voided))


def _counts(row: Sequence[Cell]) -> bool:
    return row[0] == _YES


def _written(show: Callable[[WrittenDocument], str | None]) -> Callable[[LedgerDocument], Cell]:
    return lambda one: None if one.written is None else show(one.written)


def _name(role: str, hide_people: bool) -> Callable[[LedgerDocument], Cell]:
    def shown(one: LedgerDocument) -> Cell:
        if one.written is None:
            return None
        is_emitter = role == "emitter"
        name = one.written.emitter_name if is_emitter else one.written.recipient_name
        tax_id = one.sheet.emitter_tax_id if is_emitter else one.sheet.recipient_tax_id
        return labels.person_name(name, tax_id, hide_people)

    return shown


def states(sums: LedgerSums, top: Iterable[tuple[str, Cell]]) -> Sheet:
    """The summary: `top` lines, and documents by direction, type and state."""
    columns: Shown[tuple[Cell, ...]] = [
        column("direction", t("Direction"), lambda one: one[0], width=44),
        column("type", t("Type"), lambda one: one[1], width=44),
        column("state", t("State"), lambda one: one[2], width=24),
        column("documents", t("Documents"), lambda one: one[3], CellKind.WHOLE, 14),
        column("total", t("Total"), lambda one: one[4], CellKind.MONEY, 18),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            labels.direction_word(cell.direction),
            labels.type_word(cell.type),
            labels.state_word(cell.state),
            summed.documents,
            summed.amounts[0],
        )
        for cell, summed in sums.states.rows()
    ]
    return table(TableNames("summary", t("Summary")), columns, rows, top=tuple(top), total=False)
