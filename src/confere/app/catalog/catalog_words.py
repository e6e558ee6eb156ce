"""What people read for fields of a product, its origin, and the values that changed; shared by both faces."""

from __future__ import annotations

from typing import Final

from confere.app.catalog.product_history import ProductChange
from confere.errors import message
from confere.sales.catalog_product import CatalogSku
from confere.system import formatting
from confere.system.messages import render, t

_NCM_DIGITS: Final = 8
FIELDS: Final = {
    "title": message("Title"),
    "ncm": message("NCM"),
    "origin": message("Origin"),
    "brand": message("Brand"),
    "category_id": message("Category"),
    "model": message("Model"),
    "sku": message("SKU"),
    "ean": message("EAN"),
    "price_cents": message("Price"),
    "stock": message("Stock"),
    "unit": message("Unit"),
    "extra_days": message("Additional days"),
    "variations": message("Variations"),
}
"""By the names of a `ProductChange`."""
KINDS: Final = {
    "brand": message("Brands"),
    "category": message("Categories"),
    "variation": message("Variations"),
    "product": message("Products"),
    "sku": message("SKUs"),
    "image": message("Images"),
    "stock": message("Stock"),
}
"""What a push writes, by the values of its `StepKind`."""


def ncm_text(ncm: str | None) -> str:
    """`8517.13.00`; as written where it has not eight digits."""
    if not ncm:
        return ""
    return f"{ncm[:4]}.{ncm[4:6]}.{ncm[6:]}" if is_ncm(ncm) else ncm


def is_ncm(ncm: str | None) -> bool:
    """Whether it has the eight digits of an NCM."""
    return ncm is not None and len(ncm) == _NCM_DIGITS and ncm.isascii() and ncm.isdigit()


def value_text(field: str, value: str | int | None) -> str:
    """A value of a field that changed."""
    if value is None:
        return t("(none)")
    if field == "price_cents" and isinstance(value, int):
        return formatting.money(value)
    return ncm_text(str(value)) if field == "ncm" else str(value)


def change_text(change: ProductChange) -> str:
    """`SKU-1, Price: 49,90 → 59,90`."""
    if change.field == "sku":
        return (
            t("SKU {code} came", code=change.code) if change.before is None else t("SKU {code} went", code=change.code)
        )
    before, after = (value_text(change.field, value) for value in (change.before, change.after))
    where = f"{change.code}, " if change.code else ""
    return f"{where}{render(FIELDS[change.field])}: {before} → {after}"


def variations_text(sku: CatalogSku) -> str:
    """`Cor: azul, Tamanho: M`."""
    return ", ".join(f"{name}: {value}" for name, value in sku.variations)
