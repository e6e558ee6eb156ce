"""The tables of one product: its SKUs, its versions with what changed, and the orders that sell it."""

from __future__ import annotations

from typing import NamedTuple

from confere.app.catalog.browse_catalog import ProductChange, ShownVersion, SoldItem
from confere.app.catalog.catalog_words import FIELDS, value_text, variations_text
from confere.app.catalog.product_sections import moment_text
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.reconciliation_labels import status_word
from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.table import TableColumn
from confere.fiscal.law import field_text
from confere.sales.catalog_product import CatalogSku
from confere.sales.order import OrderStatus
from confere.system import formatting
from confere.system.messages import render, t

_DIGITS = 12  # of a SHA-256 that are shown
_EXAMPLES = 3  # of what changed that a line names


class SkuLine(NamedTuple):
    """A SKU at its place: two of a product may say the same."""

    place: int
    sku: CatalogSku


class ProductVersionLine(NamedTuple):
    """A version with its number; the first that was received is 1."""

    number: int
    shown: ShownVersion


def sku_columns() -> tuple[TableColumn[SkuLine], ...]:
    return (
        TableColumn("code", "SKU", lambda line: line.sku.code or t("missing"), 130,
            pill=lambda line: "" if line.sku.code else "warn", copied=lambda line: line.sku.code),
        TableColumn("ean", "EAN", lambda line: line.sku.ean or "", 120),
        TableColumn("title", t("Title"), lambda line: line.sku.title or "", 200, stretches=True),
        TableColumn("variations", t("Variations"), lambda line: variations_text(line.sku), 180),
        TableColumn("unit", t("Unit"), lambda line: line.sku.unit or "", 60),
        TableColumn("price", t("Price"), lambda line: formatting.money(line.sku.price_cents), 100, right=True,
            copied=lambda line: clipboard_rows.money(line.sku.price_cents)),
        TableColumn("stock", t("Stock"), lambda line: field_text.number(line.sku.stock), 80, right=True,
            copied=lambda line: clipboard_rows.number(line.sku.stock)),
        TableColumn("days", t("Additional days"), lambda line: _count(line.sku.extra_days), 110, right=True,
            rank=1),
        TableColumn("id", t("Id at the hub"), lambda line: line.sku.hub_id or "", 110, shown=False),
    )  # fmt: skip


def version_columns() -> tuple[TableColumn[ProductVersionLine], ...]:
    return (
        TableColumn("number", t("Version"), lambda line: str(line.number), 64, right=True),
        TableColumn("seen", t("Seen"), lambda line: moment_text(line.shown.version.seen_at), 126),
        TableColumn("what", t("What changed"), fields_text, 120, stretches=True, narrowest=90),
        TableColumn("sha256", "SHA-256", lambda line: line.shown.version.sha256[:_DIGITS], 104, shown=False,
            tip=lambda line: line.shown.version.sha256, copied=lambda line: line.shown.version.sha256),
    )  # fmt: skip


def fields_text(line: ProductVersionLine) -> str:
    """Price, Stock: which fields are other than before."""
    names = list(dict.fromkeys(render(FIELDS[change.field]) for change in line.shown.changes))
    return ", ".join(names[:_EXAMPLES]) + (f" +{len(names) - _EXAMPLES}" if len(names) > _EXAMPLES else "")


def change_columns() -> tuple[TableColumn[ProductChange], ...]:
    return (
        TableColumn("field", t("Field"), lambda change: render(FIELDS[change.field]), 130),
        TableColumn("code", "SKU", lambda change: change.code or "", 120),
        TableColumn("before", t("Before"), lambda change: value_text(change.field, change.before), 200),
        TableColumn("after", t("After"), lambda change: value_text(change.field, change.after), 200, stretches=True),
    )


def sold_columns() -> tuple[TableColumn[SoldItem], ...]:
    return (
        TableColumn("created", t("Created"), lambda sold: formatting.date(sold.order.created_on or None), 96),
        TableColumn("order", t("Order"), lambda sold: sold.order.hub_id, 104),
        TableColumn("number", t("At the marketplace"),
            lambda sold: sold.order.marketplace_number or sold.order.marketplace_id or "", 150),
        TableColumn("marketplace", t("Marketplace"), lambda sold: marketplace_word(sold.order.marketplace), 120,
            rank=1),
        TableColumn("code", "SKU", lambda sold: sold.item.code or "", 120, stretches=True, narrowest=90),
        TableColumn("quantity", t("Quantity"), lambda sold: field_text.number(sold.item.quantity), 84, right=True),
        TableColumn("unit", t("Unit price"), lambda sold: formatting.money(sold.item.unit_cents), 100, right=True,
            copied=lambda sold: clipboard_rows.money(sold.item.unit_cents)),
        TableColumn("total", t("Total"), lambda sold: formatting.money(sold.item.total_cents), 104, right=True,
            copied=lambda sold: clipboard_rows.money(sold.item.total_cents)),
        TableColumn("status", t("Status"), lambda sold: status_word(sold.order.status), 150,
            pill=lambda sold: "bad" if sold.order.status == OrderStatus.CANCELED else ""),
    )  # fmt: skip


def _count(number: int | None) -> str:
    return "" if number is None else formatting.count(number)
