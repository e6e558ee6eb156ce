"""The JSON of commands on the catalog: money as decimal strings, times and codes as they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.system.formatting import decimal_string

if TYPE_CHECKING:
    from confere.app.catalog.catalog import CatalogPage, CatalogResult, CatalogRow, ShownProduct
    from confere.app.catalog.product_history import ProductChange
    from confere.app.catalog.push_plan import PushPlan
    from confere.app.catalog.push_result import PushResult

_PRODUCT = ("title", "ncm", "origin", "brand", "category_id", "model", "changed_at")
_SKU = ("code", "sku_id=hub_id", "ean", "title", "price=price_cents", "stock", "unit", "extra_days")
_MONEY = "price_cents"


def row(product: CatalogRow) -> Shape:
    """A product with its SKUs, as it stands."""
    return {
        "row": product.id,
        "product_id": product.product.hub_id,
        **fields_of(product.product, *_PRODUCT),
        **fields_of(product, "account", "seen_at", "gone_since", "versions"),
        "skus": [
            fields_of(sku, *_SKU, money=("price",)) | {"variations": dict(sku.variations)}
            for sku in product.product.skus
        ],
    }


def listing(page: CatalogPage) -> Shape:
    return {"products": [row(product) for product in page.products], "total": page.total}


def shown(product: ShownProduct) -> Shape:
    """A product whole; `history` has its versions, the newest first, each with what changed by it."""
    return {
        **row(product.row),
        "category": product.category,
        "history": [
            fields_of(entry.version, "sha256", "seen_at") | {"changes": [_change(one) for one in entry.changes]}
            for entry in product.versions
        ],
    }


def _change(change: ProductChange) -> Shape:
    if change.field != _MONEY:
        return fields_of(change, "field", "code", "before", "after")
    before, after = (
        decimal_string(value) if isinstance(value, int) else None for value in (change.before, change.after)
    )
    return {"field": "price", "code": change.code, "before": before, "after": after}


def synced(result: CatalogResult) -> Shape:
    return {
        **result.counts(),
        "names": result.names,
        "stopped": result.stopped,
        "failures": each_of(result.failures, "name", "reason"),
    }


def pushed(made: PushPlan, result: PushResult | None) -> Shape:
    """What a push would do, and did: `rows` is null where nothing was sent, and holds those that are not well.

    `planned` counts what is created and changed by kind, `counts` what became of the rows. `digest` is what
    --only-if takes.
    """
    return {
        "account": made.account,
        "file": made.file.name,
        "sheet": made.file.sheet or None,
        "lines": made.file.rows,
        "unused_columns": made.file.unused,
        "planned": made.counts(),
        "as_at_hub": len(made.settled),
        "digest": made.digest,
        "faults": each_of(made.faults, "line", "column", "reason", "remedy"),
        "counts": None if result is None else result.counts(),
        "rows": None
        if result is None
        else each_of(result.not_well, "line", "code", "product", "outcome", "reason=why", "hub_words"),
        "stopped": result is not None and result.stopped,
        "problem": None if result is None else result.problem,
    }
