"""The list of orders as files: one row an order, and the documents that belong to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.people import hidden_order, hidden_text, people_of
from confere.app.labels.reconciliation_labels import status_word
from confere.app.selection.list_files import ListFiles, TableField, once, sheet_of, steps
from confere.archive.accounts import accounts
from confere.archive.orders import order_search, orders
from confere.archive.orders.order_search import OrderQuery
from confere.archive.orders.orders import OrderRow
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import N_
from confere.export.spreadsheet.xlsx_writer import CellKind, Sheet
from confere.fiscal.periods import in_brasilia
from confere.system.messages import t


@dataclass(frozen=True, slots=True)
class _Line:
    row: OrderRow
    documents: int


def _day(written: str | None) -> str:
    at = in_brasilia(written) if written else None
    return "" if at is None else at.date().isoformat()


FIELDS: Final[tuple[TableField[_Line], ...]] = (
    TableField(N_("Account"), CellKind.TEXT, lambda line: line.row.account),
    TableField(N_("Marketplace"), CellKind.TEXT, lambda line: marketplace_word(line.row.marketplace)),
    TableField(N_("Order"), CellKind.TEXT, lambda line: line.row.hub_id),
    TableField(
        N_("Number at the marketplace"),
        CellKind.TEXT,
        lambda line: line.row.marketplace_number or line.row.marketplace_id or "",
    ),
    TableField(N_("Number in the seller's system"), CellKind.TEXT, lambda line: line.row.partner_id or ""),
    TableField(N_("Created"), CellKind.DAY, lambda line: line.row.created_on),
    TableField(N_("Status"), CellKind.TEXT, lambda line: status_word(line.row.status)),
    TableField(N_("CNPJ or CPF"), CellKind.TEXT, lambda line: labels.tax_id_word(line.row.buyer_tax_id)),
    TableField(N_("Buyer"), CellKind.TEXT, lambda line: labels.person_name(line.row.buyer_name, line.row.buyer_tax_id)),
    TableField("UF", CellKind.TEXT, lambda line: line.row.uf or ""),
    TableField(N_("Goods"), CellKind.MONEY, lambda line: line.row.gross),
    TableField(N_("Discount"), CellKind.MONEY, lambda line: line.row.discount),
    TableField(N_("Freight"), CellKind.MONEY, lambda line: line.row.freight),
    TableField(N_("Total"), CellKind.MONEY, lambda line: line.row.total),
    TableField(N_("Documents"), CellKind.WHOLE, lambda line: line.documents),
    TableField(N_("Access key"), CellKind.KEY, lambda line: line.row.invoice_key or ""),
    TableField(N_("Shipped"), CellKind.DAY, lambda line: _day(line.row.shipped_at)),
    TableField(N_("Delivered"), CellKind.DAY, lambda line: _day(line.row.delivered_at)),
    TableField(N_("Carrier"), CellKind.TEXT, lambda line: line.row.carrier or ""),
    TableField(N_("Tracking number"), CellKind.TEXT, lambda line: line.row.tracking_number or ""),
    TableField(N_("Transmission"), CellKind.TEXT, lambda line: line.row.transmission_status or ""),
    TableField(N_("Transmission's message"), CellKind.TEXT, lambda line: line.row.transmission_message or ""),
)


def order_files(query: OrderQuery, account: str | None = None, chosen: Sequence[int] | None = None) -> ListFiles:
    """These orders, by the archive's numbers of them; without `chosen` everything that `query` lists of `account`."""

    def ids(archive: Archive) -> Sequence[int]:
        if chosen is not None:
            return once(chosen)
        with archive.reading() as transaction:
            owner = None if account is None else accounts.named(transaction, account).id
            return order_search.ids(transaction, replace(query, account_id=owner))

    return ListFiles(ids, _sheet, _documents)


def _documents(transaction: Transaction, rows: Sequence[int]) -> Sequence[int]:
    """Documents that are linked to these orders, that they name, or that the hub says are theirs."""
    return [
        number
        for row in order_search.by_ids(transaction, rows)
        for number in orders.documents_of(transaction, row.account_id, row.hub_id)
    ]


def _sheet(archive: Archive, ids: Sequence[int], hides_people: bool) -> Sheet:
    return sheet_of(t("Orders"), FIELDS, _lines(archive, ids, hides_people))


def _lines(archive: Archive, ids: Sequence[int], hides_people: bool) -> Iterator[_Line]:
    for lines in steps(archive, ids, _read):
        for line in lines:
            yield replace(line, row=_hidden(line.row)) if hides_people else line


def _read(transaction: Transaction, ids: Sequence[int]) -> tuple[_Line, ...]:
    return tuple(
        _Line(row, len(orders.documents_of(transaction, row.account_id, row.hub_id)))
        for row in order_search.by_ids(transaction, ids)
    )


def _hidden(row: OrderRow) -> OrderRow:
    """The order with its buyer hidden, also in what the hub said of its transmission."""
    told = row.transmission_message
    return replace(hidden_order(row), transmission_message=told and hidden_text(told, people_of(orders=[row])))
