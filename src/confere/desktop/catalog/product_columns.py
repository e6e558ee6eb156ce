"""The columns of the list of products as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from confere.app.catalog.browse_catalog import SORTS, ListedProduct
from confere.app.catalog.catalog_words import is_ncm, ncm_text
from confere.app.catalog.product_sections import moment_text, origin_text, price_text, stock_of, stock_text
from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.long_list.list_columns import Badge, ListColumn, ListPlan
from confere.errors import N_
from confere.fiscal.law import field_text
from confere.fiscal.periods import in_brasilia
from confere.sales.catalog_product import CatalogSku
from confere.system import formatting
from confere.system.messages import t

_MOST_IN_TIP: Final = 12

ProductColumn = ListColumn[ListedProduct, None]


def _first(values: Iterable[str | None]) -> str:
    """The first of several values, with how many more there are."""
    known = list(dict.fromkeys(value for value in values if value))
    return f"{known[0]} +{len(known) - 1}" if len(known) > 1 else "".join(known)


def _skus(line: ListedProduct) -> tuple[CatalogSku, ...]:
    return line.row.product.skus


def _each(text: Callable[[CatalogSku], str]) -> Callable[[ListedProduct, None], str]:
    """A tooltip with a line for every SKU."""

    def tip(line: ListedProduct, _: None) -> str:
        skus = _skus(line)
        lines = [f"{sku.code or '–'}: {text(sku)}" for sku in skus[:_MOST_IN_TIP]]
        if len(skus) > _MOST_IN_TIP:
            lines.append(t("… and {count} more", count=formatting.count(len(skus) - _MOST_IN_TIP)))
        return "\n".join(lines)

    return tip


def _joined(values: Iterable[str | None]) -> str:
    return " ".join(value for value in values if value)


def _ncm(line: ListedProduct) -> str:
    return ncm_text(line.row.product.ncm) or t("missing")


def _changed_day(line: ListedProduct) -> str:
    written = line.row.product.changed_at
    at = in_brasilia(written) if written else None
    return "" if at is None else formatting.date(at.date().isoformat())


def _gone(line: ListedProduct) -> str:
    return t("no longer listed") if line.row.gone_since else ""


def _gone_tip(line: ListedProduct) -> str:
    return t("No longer listed since {moment}", moment=moment_text(line.row.gone_since)) if line.row.gone_since else ""


def _lowest_price(line: ListedProduct) -> str:
    return clipboard_rows.money(
        min((sku.price_cents for sku in _skus(line) if sku.price_cents is not None), default=None)
    )


COLUMNS: Final[tuple[ProductColumn, ...]] = (
    ListColumn("code", "SKU", 114, lambda line, _: _first(sku.code for sku in _skus(line)),
        tip=_each(lambda sku: sku.title or ""),
        copied=(("SKU", lambda line, _: _joined(sku.code for sku in _skus(line))),)),
    ListColumn("title", N_("Title"), 240, lambda line, _: line.row.product.title or "",
        struck=lambda line: line.row.gone_since is not None),
    ListColumn("ean", "EAN", 140, lambda line, _: _first(sku.ean for sku in _skus(line)),
        tip=_each(lambda sku: sku.ean or ""),
        copied=(("EAN", lambda line, _: _joined(sku.ean for sku in _skus(line))),)),
    ListColumn("ncm", "NCM", 90, lambda line, _: _ncm(line),
        pill=lambda line: "" if is_ncm(line.row.product.ncm) else "warn",
        copied=(("NCM", lambda line, _: line.row.product.ncm or ""),)),
    ListColumn("origin", N_("Origin"), 68, lambda line, _: line.row.product.origin or "",
        tip=lambda line, _: origin_text(line.row.product.origin)),
    ListColumn("price", N_("Price"), 122, lambda line, _: price_text(line.row.product), right=True, newest_first=True,
        tip=_each(lambda sku: formatting.money(sku.price_cents)),
        copied=((N_("Price"), lambda line, _: _lowest_price(line)),)),
    ListColumn("stock", N_("Stock"), 74, lambda line, _: stock_text(line.row.product), right=True, newest_first=True,
        tip=_each(lambda sku: field_text.number(sku.stock)),
        copied=((N_("Stock"), lambda line, _: clipboard_rows.number(stock_of(line.row.product))),)),
    ListColumn("brand", N_("Brand"), 84, lambda line, _: line.row.product.brand or "", quiet=True),
    ListColumn("category", N_("Category"), 150, lambda line, _: line.category, quiet=True),
    ListColumn("gone", N_("No longer listed"), 36, lambda line, _: _gone(line), newest_first=True, mark="eye-off",
        tip=lambda line, _: _gone_tip(line), badge=lambda _: Badge("eye-off", "warn"),
        copied=((N_("No longer listed"), lambda line, _: moment_text(line.row.gone_since)),)),
    ListColumn("changed", N_("Changed on"), 104, lambda line, _: _changed_day(line), newest_first=True, quiet=True,
        tip=lambda line, _: moment_text(line.row.product.changed_at)),
    ListColumn("model", N_("Model"), 110, lambda line, _: line.row.product.model or "", shown=False),
    ListColumn("variations", N_("Variations"), 140,
        lambda line, _: _first(value for sku in _skus(line) for _name, value in sku.variations), shown=False),
    ListColumn("unit", N_("Unit"), 60, lambda line, _: _first(sku.unit for sku in _skus(line)), shown=False),
    ListColumn("skus", N_("SKUs"), 60, lambda line, _: formatting.count(len(_skus(line))), right=True, shown=False),
    ListColumn("versions", N_("Versions"), 80, lambda line, _: formatting.count(line.row.versions), right=True,
        shown=False),
    ListColumn("product", N_("Id at the hub"), 110, lambda line, _: line.row.product.hub_id, shown=False),
    ListColumn("account", N_("Account"), 110, lambda line, _: line.row.account, shown=False, quiet=True),
)  # fmt: skip


PLAN: Final[ListPlan[ListedProduct, None]] = ListPlan(
    COLUMNS,
    SORTS,
    sort="title",
    loose="title",
    descending=False,
    frozen=("code", "title"),
    decisive=("code", "title", "ncm", "price", "stock"),
)
PLACES: Final = PLAN.places()
