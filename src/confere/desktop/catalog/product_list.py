"""The long list, of products; with what it says of them in the status bar and on the clipboard."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from confere.app.catalog import browse_catalog
from confere.app.catalog.browse_catalog import CatalogTotals, ListedProduct, ProductsScope
from confere.desktop.catalog.product_columns import PLAN, ProductColumn
from confere.desktop.services import Services
from confere.desktop.widgets.long_list import clipboard
from confere.desktop.widgets.long_list.list_model import LongListModel
from confere.desktop.widgets.long_list.list_table import LongListTable
from confere.desktop.widgets.long_list.totals_reader import SumSource
from confere.desktop.widgets.notices import GOOD
from confere.system import formatting
from confere.system.messages import ngettext, t

_WORTH_SAYING = 2  # products from which a notice tells what was copied


class ProductModel(LongListModel[ListedProduct, ProductsScope, None]):
    """The products of a scope."""

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(
            PLAN,
            browse_catalog,
            ProductsScope(),
            None,
            "catalog.list",
            services.opened,
            services.reader,
            services.faults,
            services.look,
            parent,
        )


class ProductTable(LongListTable[ListedProduct, ProductsScope, None]):
    """Shows a `ProductModel`."""

    def __init__(self, model: ProductModel, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(model, t("Products"), "catalog/columns", services.look, services.memory, parent)


def copy_rows(services: Services, ids: array[int], columns: Sequence[ProductColumn]) -> None:
    """Copy these products as tab-separated text with the heads of `columns`."""

    def done(count: int) -> None:
        if count >= _WORTH_SAYING:
            services.notices.add(GOOD, t("Copied: {what}.", what=products_text(count)), topic="catalog.copy")

    opened = services.opened
    clipboard.put(
        services.reader,
        services.faults,
        "catalog.copy",
        ids,
        lambda: clipboard.table_text(opened, browse_catalog, ids, columns, None),
        done,
    )


def products_text(count: int) -> str:
    return ngettext("{count} product", "{count} products", count)


def listed_text(totals: CatalogTotals) -> str:
    """1.284 products · 1.402 SKUs · R$ 412.933,10 in stock · 12 no longer listed."""
    parts = [products_text(totals.count)]
    if totals.skus and totals.skus != totals.count:
        parts.append(ngettext("{count} SKU", "{count} SKUs", totals.skus))
    if totals.worth:
        parts.append(t("{worth} in stock", worth=formatting.money(totals.worth)))
    if totals.gone:
        parts.append(ngettext("{count} no longer listed", "{count} no longer listed", totals.gone))
    return " · ".join(parts)


def explained(totals: CatalogTotals) -> str:
    """What the sum is, in a sentence; empty where there is none."""
    if not totals.worth:
        return ""
    return t("Price × stock of what is listed, at the hub's sale prices: no value of the inventory at cost.")


SUMS: SumSource[ProductsScope, CatalogTotals] = SumSource(
    browse_catalog.totals, browse_catalog.totals_of, CatalogTotals(), listed_text, explained
)
