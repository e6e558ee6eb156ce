"""Published prices by SKU and marketplace, each with the time from which it held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction
from confere.sales.published_price import PublishedPrice

_COLUMNS = "publication, sku, marketplace, since_at, price, discount_price, campaign, is_dated"


def record(transaction: Transaction, account_id: int, prices: Sequence[PublishedPrice]) -> int:
    """Write these down; how many were not known. One without a date is new only where its price is another one."""
    newest = _newest(transaction, account_id, {storable(price.publication) for price in prices})
    new = 0
    for price in sorted(prices, key=lambda price: (not price.is_dated, price.since_at)):
        name = storable(price.publication)
        before = newest.get(name)
        if not price.is_dated and before is not None and _said(before) == _said(price):
            continue
        new += transaction.execute(
            f"INSERT INTO published_price (account_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (account_id, publication, since_at) DO UPDATE SET price = excluded.price,"
            " discount_price = excluded.discount_price, campaign = excluded.campaign, sku = excluded.sku,"
            " marketplace = excluded.marketplace, is_dated = excluded.is_dated"
            " WHERE (price, discount_price, campaign) IS NOT (excluded.price, excluded.discount_price,"
            " excluded.campaign)",
            (
                account_id,
                name,
                storable(price.sku),
                None if price.marketplace is None else storable(price.marketplace),
                price.since_at,
                price.price,
                price.discount_price,
                None if price.campaign is None else storable(price.campaign),
                int(price.is_dated),
            ),
        )
        if price.is_dated:
            # The hub's own date takes the place of later moments at which that price was merely seen.
            transaction.execute(
                "DELETE FROM published_price WHERE account_id = ? AND publication = ? AND is_dated = 0"
                " AND since_at >= ? AND (price, discount_price, campaign) IS (?, ?, ?)",
                (account_id, name, price.since_at, *_said(price)),
            )
        if before is None or before.since_at <= price.since_at:
            newest[name] = price
    return new


def at(
    transaction: Transaction, account_id: int, marketplace: str | None, skus: Collection[str], moment: str
) -> dict[str, tuple[PublishedPrice, ...]]:
    """What each SKU was published at on a marketplace at a moment (UTC text): one price for each of its publications.

    A SKU of which nothing is known that old is left out.
    """
    rows = _of(transaction, account_id, "sku", {storable(sku) for sku in skus})
    held: dict[str, dict[str, PublishedPrice]] = defaultdict(dict)
    for price in rows:
        if price.since_at <= moment and _is_on(price, marketplace):
            held[price.sku][price.publication] = price
    return {sku: tuple(publications.values()) for sku, publications in held.items()}


def _is_on(price: PublishedPrice, marketplace: str | None) -> bool:
    """Whether a price is of this marketplace, or of one that the hub does not name."""
    return price.marketplace is None or price.marketplace.casefold() == (marketplace or "").casefold()


def count(transaction: Transaction, account_id: int) -> int:
    """How many prices are known, each change one."""
    return int(transaction.scalar("SELECT count(*) FROM published_price WHERE account_id = ?", (account_id,)) or 0)


def _newest(transaction: Transaction, account_id: int, publications: Collection[str]) -> dict[str, PublishedPrice]:
    return {price.publication: price for price in _of(transaction, account_id, "publication", publications)}


def _of(transaction: Transaction, account_id: int, column: str, values: Collection[str]) -> Iterator[PublishedPrice]:
    """The prices whose `column` is one of `values`, those of a publication from its oldest to its newest."""
    rows = transaction.fetch_in_as(
        PublishedPrice,
        f"SELECT {_COLUMNS} FROM published_price WHERE account_id = {int(account_id)} AND {column} IN {{}}"
        " ORDER BY publication, since_at",
        values,
    )
    return (replace(price, is_dated=bool(price.is_dated)) for price in rows)


def _said(price: PublishedPrice) -> tuple[int | None, int | None, str | None]:
    return price.price, price.discount_price, price.campaign
