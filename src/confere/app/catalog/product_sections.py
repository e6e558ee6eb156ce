"""A product in full as sections of facts: what it is and how it is taxed, and what its SKUs cost and stock."""

from __future__ import annotations

from decimal import Decimal

from confere.app.catalog.catalog import CatalogRow, ShownProduct
from confere.app.catalog.catalog_words import is_ncm, ncm_text, variations_text
from confere.app.documents.view.facts import MUTED, STRONG, WARN, Fact, FactLine, Section, fact, figure, section
from confere.fiscal.law import field_text
from confere.fiscal.periods import in_brasilia
from confere.sales.catalog_product import CatalogProduct, CatalogSku
from confere.system import formatting
from confere.system.messages import t

_MOST_SKUS = 40  # that are told one by one; the table has all of them


def of_product(shown: ShownProduct) -> tuple[Section, ...]:
    """What it is, how it is taxed, and how it stands in the hub's list."""
    row, product = shown.row, shown.row.product
    return _told(
        section(
            t("Product"),
            fact(t("Title"), product.title, STRONG),
            fact(t("Brand"), product.brand),
            fact(t("Category"), shown.category),
            fact(t("Model"), product.model),
        ),
        section(
            t("Taxation"),
            _ncm(product.ncm),
            fact(t("Origin"), origin_text(product.origin)) or _missing(t("Origin")),
        ),
        section(
            t("At the hub"),
            fact(t("Id at the hub"), product.hub_id),
            fact(t("Account"), row.account),
            fact(t("Last change at the hub"), moment_text(product.changed_at)),
            fact(t("Last listed"), moment_text(row.seen_at)),
            fact(t("No longer listed since"), moment_text(row.gone_since), WARN),
        ),
    )


def of_skus(row: CatalogRow) -> tuple[Section, ...]:
    """The one SKU with all that is known of it, or what several amount to and each in a line."""
    skus = row.product.skus
    if len(skus) == 1:
        return _told(_only(skus[0]))
    return _told(
        section(
            t("SKUs"),
            figure(t("How many"), formatting.count(len(skus))),
            figure(t("Price"), price_text(row.product)),
            figure(t("Stock"), stock_text(row.product), STRONG),
        ),
        section(t("Each SKU"), *map(_line, skus[:_MOST_SKUS])),
    )


def origin_text(origin: str | None) -> str:
    """The origin's code with its meaning."""
    return field_text.coded("orig", origin)


def price_text(product: CatalogProduct) -> str:
    """The price, or the lowest and the highest of several SKUs: `R$ 36,70 – 59,50`."""
    prices = sorted({sku.price_cents for sku in product.skus if sku.price_cents is not None})
    if len(prices) < 2:
        return formatting.money(prices[0] if prices else None)
    return f"{formatting.money(prices[0])} – {formatting.money(prices[-1]).removeprefix('R$ ')}"


def stock_of(product: CatalogProduct) -> Decimal | None:
    """The stock of all SKUs together; None where the hub shows none of any."""
    amounts = [sku.stock for sku in product.skus if sku.stock is not None]
    return sum(amounts, Decimal()) if amounts else None


def stock_text(product: CatalogProduct) -> str:
    """The stock of all SKUs together."""
    return field_text.number(stock_of(product))


def moment_text(written: str | None) -> str:
    """A time of the hub or the archive, in Brasília."""
    return formatting.moment(in_brasilia(written) or written) if written else ""


def _told(*sections: Section) -> tuple[Section, ...]:
    return tuple(entry for entry in sections if entry.facts)


def _ncm(ncm: str | None) -> Fact | None:
    if not ncm:
        return _missing("NCM")
    return fact("NCM", ncm_text(ncm)) if is_ncm(ncm) else fact("NCM", t("{ncm}: no NCM of eight digits", ncm=ncm), WARN)


def _missing(label: str) -> Fact | None:
    return fact(label, t("missing"), WARN)


def _only(sku: CatalogSku) -> Section:
    return section(
        t("SKU"),
        fact(t("Code"), sku.code, STRONG) or _missing(t("Code")),
        fact("EAN", sku.ean),
        fact(t("Title"), sku.title),
        fact(t("Variations"), variations_text(sku)),
        fact(t("Unit"), sku.unit),
        fact(t("Additional days"), None if sku.extra_days is None else formatting.count(sku.extra_days)),
        fact(t("Id at the hub"), sku.hub_id),
        figure(t("Price"), formatting.money(sku.price_cents), STRONG),
        figure(t("Stock"), field_text.number(sku.stock), STRONG),
    )


def _line(sku: CatalogSku) -> Fact:
    parts = (variations_text(sku), formatting.money(sku.price_cents), f"{t('Stock')} {field_text.number(sku.stock)}")
    lines = [FactLine(" · ".join(filter(None, parts)))]
    lines += [FactLine(f"EAN {sku.ean}", MUTED)] if sku.ean else []
    return Fact(sku.code or t("missing"), tuple(lines))
