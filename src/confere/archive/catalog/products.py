"""Products of a hub's catalog: every version of their JSON as received, and the newest one as rows."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from confere.archive.clock import utc_now
from confere.archive.hub import coverage
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.orders.order_rows import canonical_digest, number_of, quantity_text, text_of
from confere.archive.orders.orders import Contents, RecordedOrders
from confere.archive.schema.schema import catalog_product, catalog_sku, catalog_version
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.vault import VaultWriter, digest_of
from confere.sales.catalog_product import CatalogProduct, CatalogSku
from confere.system.plain_text import folded_words

_FEW = 5
_MUCH = 0.1  # of what was known
_SAID = ("title", "ncm", "origin", "brand", "brand_id", "category_id", "model", "changed_at")
_ASSIGNED = ("content_id", "digest", *_SAID, "words", "last_run_id", "seen_at")


@dataclass(frozen=True, slots=True)
class ReceivedProduct:
    """A product with its JSON as received (UTF-8)."""

    product: CatalogProduct
    raw: bytes


@dataclass(slots=True)
class _Known:
    id: int
    digest: bytes
    has_row: bool  # in the archive before this batch


def record(
    transaction: Transaction, vault: VaultWriter, account_id: int, run_id: int, received: Sequence[ReceivedProduct]
) -> RecordedOrders:
    """Write these products down, in their order; a version that says what the newest one says is no new version.

    A product that was marked as no longer listed is listed again.
    """
    now = utc_now()
    known = _known(transaction, account_id, {storable(entry.product.hub_id) for entry in received})
    contents = Contents(transaction, vault)
    new = changed = same = 0
    latest: dict[int, tuple[ReceivedProduct, bytes, _Known]] = {}
    versions: list[tuple[int, ReceivedProduct]] = []
    seen: set[int] = set()
    for entry in received:
        name, digest = storable(entry.product.hub_id), canonical_digest(entry.raw)
        before = known.get(name)
        if before is None:
            before = known[name] = _Known(transaction.new_ids(catalog_product, 1)[0], digest, has_row=False)
            new += 1
        elif before.digest == digest:
            same += 1
            seen.add(before.id)
            continue
        else:
            changed += 1
            before.digest = digest
        latest[before.id] = (entry, digest, before)
        versions.append((before.id, entry))
        contents.want(entry.raw)
    held = contents.put()
    _write(transaction, account_id, run_id, now, latest, held)
    transaction.execute_many(
        "UPDATE catalog_product SET last_run_id = ?, seen_at = ?, gone_since = NULL WHERE id = ?",
        [(run_id, now, number) for number in seen],
    )
    _keep_versions(transaction, run_id, now, versions, held)
    return RecordedOrders(new=new, changed=changed, same=same)


def mark_gone(transaction: Transaction, account_id: int, run_id: int) -> int:
    """Mark the account's products that run `run_id`, which listed everything, did not see; how many more they are.

    Where much is missing at once the hub may only lag behind itself: then a product is marked when the listing before
    did not show it either. Nothing is deleted.
    """
    where = "account_id = ? AND gone_since IS NULL"
    count, unseen = transaction.fetch(
        f"SELECT count(*), coalesce(sum(last_run_id < ?), 0) FROM catalog_product WHERE {where}", (run_id, account_id)
    )[0]
    agreed = run_id
    if unseen > _FEW and unseen > count * _MUCH:
        agreed = coverage.whole_listing_before(transaction, account_id, run_id, (coverage.PRODUCTS,))
    return transaction.execute(
        f"UPDATE catalog_product SET gone_since = ? WHERE {where} AND last_run_id < ?", (utc_now(), account_id, agreed)
    )


def seen_by(transaction: Transaction, account_id: int, run_id: int) -> int:
    """How many products of the account a run saw and the archive has, with their bytes."""
    return int(
        transaction.scalar(
            "SELECT count(*) FROM catalog_product p JOIN content c ON c.id = p.content_id"
            " WHERE p.account_id = ? AND p.last_run_id = ?",
            (account_id, run_id),
        )
    )


def count(transaction: Transaction, account_id: int) -> int:
    """How many products the archive has of this account, those no longer listed among them."""
    return int(transaction.scalar("SELECT count(*) FROM catalog_product WHERE account_id = ?", (account_id,)))


def _known(transaction: Transaction, account_id: int, names: Collection[str]) -> dict[str, _Known]:
    rows = transaction.named_in(
        f"SELECT hub_id, id, digest FROM catalog_product WHERE account_id = {int(account_id)} AND hub_id IN {{}}", names
    )
    return {row.hub_id: _Known(row.id, row.digest, has_row=True) for row in rows}


def _write(
    transaction: Transaction,
    account_id: int,
    run_id: int,
    now: str,
    latest: dict[int, tuple[ReceivedProduct, bytes, _Known]],
    held: dict[bytes, int],
) -> None:
    inserts: list[Row] = []
    updates: list[Row] = []
    skus: list[Row] = []
    for number, (entry, digest, before) in latest.items():
        product = entry.product
        said = (
            held[digest_of(entry.raw)],
            digest,
            *product_said(product).values(),
        )
        if before.has_row:
            updates.append((*said, run_id, now, number))
        else:
            inserts.append((number, account_id, storable(product.hub_id), *said, run_id, run_id, now, None))
        skus += sku_rows(number, account_id, product)
    transaction.insert(catalog_product, inserts)
    assignments = ", ".join(f"{name} = ?" for name in _ASSIGNED)
    transaction.execute_many(f"UPDATE catalog_product SET {assignments}, gone_since = NULL WHERE id = ?", updates)
    # A new product may get the number of one whose row was lost, and whose SKUs are still here.
    transaction.execute_many("DELETE FROM catalog_sku WHERE product_id = ?", [(number,) for number in latest])
    transaction.insert(catalog_sku, skus)


def searched_words(product: CatalogProduct) -> str:
    """What a product is found by: title, brand, model, NCM, and codes, EANs and titles of its SKUs, folded."""
    parts = [product.title, product.brand, product.model, product.ncm, product.hub_id]
    for sku in product.skus:
        parts += [sku.code, sku.ean, sku.title]
    return folded_words(" ".join(part for part in parts if part))


def product_said(product: CatalogProduct) -> dict[str, str | None]:
    """What a product says, by column of `catalog_product`; its words too."""
    return {**{name: text_of(getattr(product, name)) for name in _SAID}, "words": storable(searched_words(product))}


def sku_rows(product_id: int, account_id: int, product: CatalogProduct) -> tuple[Row, ...]:
    """The rows of its SKUs."""
    return tuple(_sku_row(product_id, position, account_id, sku) for position, sku in enumerate(product.skus))


def _sku_row(product_id: int, position: int, account_id: int, sku: CatalogSku) -> Row:
    return (
        product_id,
        position,
        account_id,
        text_of(sku.hub_id),
        storable(sku.code),
        text_of(sku.ean),
        text_of(sku.title),
        number_of(sku.price_cents),
        quantity_text(sku.stock),
        text_of(sku.unit),
        number_of(sku.extra_days),
        json.dumps(sku.variations, ensure_ascii=True, separators=(",", ":")),
    )


def sku_of(row: NamedRow) -> CatalogSku:
    """The SKU in a row of `catalog_sku`."""
    return CatalogSku(
        row.hub_id,
        row.code,
        row.ean,
        row.title,
        row.price_cents,
        None if row.stock is None else Decimal(row.stock),
        row.unit,
        row.extra_days,
        tuple((name, value) for name, value in json.loads(row.variations)),
    )


def _keep_versions(
    transaction: Transaction,
    run_id: int,
    now: str,
    received: Sequence[tuple[int, ReceivedProduct]],
    held: dict[bytes, int],
) -> None:
    last: dict[int, int] = dict(
        transaction.fetch_in(
            "SELECT product_id, max(position) FROM catalog_version WHERE product_id IN {} GROUP BY product_id",
            {number for number, _ in received},
        )
    )
    rows: list[Row] = []
    for number, entry in received:
        last[number] = last.get(number, -1) + 1
        rows.append((number, last[number], held[digest_of(entry.raw)], now, run_id))
    transaction.insert(catalog_version, rows)
