"""Products for people: a list, one in full with how it changed, and what a sync came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.app.catalog import catalog_words
from confere.cli import tables
from confere.cli.output import Output
from confere.fiscal.periods import in_brasilia
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.catalog.catalog import CatalogResult, CatalogRow, ShownProduct
    from confere.sales.catalog_product import CatalogSku

_MOST_TOLD = 50


def products(rows: Sequence[CatalogRow]) -> RenderableType:
    """One SKU a line: what is sold is what orders and invoices name."""
    lines = []
    for row in rows:
        product = row.product
        for sku in product.skus or (None,):
            lines.append(
                (
                    sku.code if sku else "",
                    (sku.title if sku else None) or product.title or "",
                    (sku.ean if sku else None) or "",
                    product.ncm or "",
                    product.origin or "",
                    formatting.money(sku.price_cents if sku else None),
                    _stock(sku),
                    product.brand or "",
                    t("no longer listed") if row.gone_since else "",
                )
            )
    headers = (t("Code"), t("Title"), t("EAN"), t("NCM"), t("Origin"), t("Price"), t("Stock"), t("Brand"), "")
    return tables.table(headers, lines, right=(5, 6))


def parts(shown: ShownProduct) -> Iterator[RenderableType]:
    """The whole sheet."""
    row, product = shown.row, shown.row.product
    yield Text(plain(product.title or product.hub_id), style="bold")
    yield tables.facts(
        [
            (t("Account"), row.account),
            (t("Id at the hub"), product.hub_id),
            (t("NCM"), product.ncm),
            (t("Origin"), product.origin),
            (t("Brand"), product.brand),
            (t("Category"), shown.category),
            (t("Model"), product.model),
            (t("Last change at the hub"), _moment(product.changed_at)),
            (t("Last listed"), _moment(row.seen_at)),
            (t("No longer listed since"), _moment(row.gone_since)),
        ]
    )
    yield ""
    yield Text(t("SKUs"), style="bold")
    yield tables.table(
        (t("Code"), t("Title"), t("EAN"), t("Variations"), t("Unit"), t("Price"), t("Stock")),
        [
            (
                sku.code,
                sku.title or "",
                sku.ean or "",
                catalog_words.variations_text(sku),
                sku.unit or "",
                formatting.money(sku.price_cents),
                _stock(sku),
            )
            for sku in product.skus
        ],
        right=(5, 6),
    )
    yield ""
    yield Text(t("Versions"), style="bold")
    lines = []
    for entry in shown.versions:
        seen = _moment(entry.version.seen_at)
        what = [catalog_words.change_text(change) for change in entry.changes] or [
            t("first seen") if entry is shown.versions[-1] else t("a field that Confere does not compare")
        ]
        for place, text in enumerate(what):
            lines.append((seen if place == 0 else "", text))
    yield tables.table((t("Seen"), t("What changed")), lines)


def synced(out: Output, result: CatalogResult) -> None:
    """Figures to stdout, what was refused to stderr."""
    count = formatting.count

    def some(number: int) -> str:
        return count(number) if number else ""

    names = result.names
    out.print(
        tables.facts(
            [
                (t("Products listed"), count(result.listed)),
                (t("Archived"), count(result.archived)),
                (t("New"), count(result.new)),
                (t("Changed"), count(result.changed)),
                (t("Refused, with a reason"), some(result.refused)),
                (t("Unaccounted for"), some(result.lost)),
                (t("No longer listed"), some(result.gone)),
                (t("Brands"), count(names["brand"]) if "brand" in names else ""),
                (t("Categories"), count(names["category"]) if "category" in names else ""),
                (t("Variations"), count(names["variation"]) if "variation" in names else ""),
                (t("Requests"), count(result.requests)),
                (t("Time"), formatting.duration(result.seconds)),
            ]
        )
    )
    if not result.whole and not result.stopped:
        out.aside(t("Only what changed since the last sync was listed; --full lists everything."))
    for entry in result.failures[:_MOST_TOLD]:
        out.aside(f"- {plain(entry.name)}: {render(entry.reason)}")
    if result.stopped:
        out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def _stock(sku: CatalogSku | None) -> str:
    return "" if sku is None or sku.stock is None else f"{sku.stock:f}"


def _moment(written: str | None) -> str:
    return "" if not written else formatting.moment(in_brasilia(written))
