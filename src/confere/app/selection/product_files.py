"""The list of products as files: one row a SKU, as it is sold and priced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from confere.app.catalog.catalog_words import ncm_text
from confere.app.selection.list_files import ListFiles, TableField, once, sheet_of, steps
from confere.archive.accounts import accounts
from confere.archive.catalog import catalog_list, catalog_search
from confere.archive.catalog.catalog_search import CatalogQuery, CatalogRow
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import N_
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet
from confere.fiscal.periods import in_brasilia
from confere.sales.catalog_product import CatalogSku
from confere.system.messages import t


@dataclass(frozen=True, slots=True)
class _Line:
    """A SKU of a product; an empty one for a product without any."""

    row: CatalogRow
    category: str
    sku: CatalogSku


_NO_SKU: Final = CatalogSku(None, "", None, None, None, None, None, None)


def _changed(line: _Line) -> Cell:
    at = in_brasilia(line.row.product.changed_at) if line.row.product.changed_at else None
    return "" if at is None else at.date().isoformat()


FIELDS: Final[tuple[TableField[_Line], ...]] = (
    TableField(N_("Account"), CellKind.TEXT, lambda line: line.row.account),
    TableField(N_("Id at the hub"), CellKind.TEXT, lambda line: line.row.product.hub_id),
    TableField("SKU", CellKind.TEXT, lambda line: line.sku.code),
    TableField(N_("Title"), CellKind.TEXT, lambda line: line.row.product.title),
    TableField(N_("Title of the SKU"), CellKind.TEXT, lambda line: line.sku.title),
    TableField(
        N_("Variations"),
        CellKind.TEXT,
        lambda line: ", ".join(f"{name}: {value}" for name, value in line.sku.variations),
    ),
    TableField("EAN", CellKind.KEY, lambda line: line.sku.ean),
    TableField("NCM", CellKind.TEXT, lambda line: ncm_text(line.row.product.ncm)),
    TableField(N_("Origin"), CellKind.TEXT, lambda line: line.row.product.origin),
    TableField(N_("Unit"), CellKind.TEXT, lambda line: line.sku.unit),
    TableField(N_("Price"), CellKind.MONEY, lambda line: line.sku.price_cents),
    TableField(N_("Stock"), CellKind.PIECES, lambda line: line.sku.stock),
    TableField(N_("Brand"), CellKind.TEXT, lambda line: line.row.product.brand),
    TableField(N_("Category"), CellKind.TEXT, lambda line: line.category),
    TableField(N_("Model"), CellKind.TEXT, lambda line: line.row.product.model),
    TableField(N_("Changed on"), CellKind.DAY, _changed),
    TableField(
        N_("No longer listed"),
        CellKind.MOMENT,
        lambda line: in_brasilia(line.row.gone_since) if line.row.gone_since else None,
    ),
)


def product_files(query: CatalogQuery, account: str | None = None, chosen: Sequence[int] | None = None) -> ListFiles:
    """These products, by the archive's numbers of them; without `chosen` everything that `query` lists of `account`.

    They have no documents of their own: what sells them is asked for by its items.
    """

    def ids(archive: Archive) -> Sequence[int]:
        if chosen is not None:
            return once(chosen)
        with archive.reading() as transaction:
            owner = None if account is None else accounts.named(transaction, account).id
            return catalog_search.ids(transaction, CatalogQuery(owner, query.words, query.gone))

    return ListFiles(ids, _sheet)


def _sheet(archive: Archive, ids: Sequence[int], _hides_people: bool) -> Sheet:
    return sheet_of(t("Products"), FIELDS, _lines(archive, ids))


def _lines(archive: Archive, ids: Sequence[int]) -> Iterator[_Line]:
    for lines in steps(archive, ids, _read):
        yield from lines


def _read(transaction: Transaction, ids: Sequence[int]) -> tuple[_Line, ...]:
    names = catalog_list.category_names(transaction, ids)
    return tuple(
        _Line(row, names.get(row.id, ""), sku)
        for row in catalog_search.by_ids(transaction, ids)
        for sku in row.product.skus or (_NO_SKU,)
    )
