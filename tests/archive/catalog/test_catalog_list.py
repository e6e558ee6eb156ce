"""The long list of products against what Python makes of all of them: sorts, filters, sums, choices, what is sold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from confere.archive.accounts import accounts, runs
from confere.archive.catalog import catalog_list, catalog_search, products, registered_names, sold_items
from confere.archive.catalog.catalog_list import LACKS, SORTS, CatalogTotals, ProductQuery
from confere.archive.catalog.catalog_search import CatalogRow
from confere.archive.catalog.products import ReceivedProduct
from confere.archive.orders import orders
from confere.archive.orders.order_rows import HUB, ReceivedOrder
from confere.archive.store import Archive
from confere.hub.orders.orders import order_of_text
from confere.sales.catalog_product import CatalogName, CatalogProduct, CatalogSku, RegisteredName
from confere.system.plain_text import folded_words

NCMS = ("61091000", "6109", "", None, "ABCDEFGH", "95030099")
ORIGINS = ("0", "2", "8", "9", "", None)
BRANDS = ("Ipê", "ipê azul", "Pampa", None)
CATEGORIES = ("1", "2", "77", None)  # 77 is not registered
NAMES = {"1": "Café", "2": "Brinquedos"}
PRICES = (None, 0, 1_990, 5_990, 12_345)
STOCKS = (None, Decimal(0), Decimal("2.5"), Decimal(18))


def of_account(name: str) -> dict[str, str]:
    return {"name": name, "environment": "sandbox", "address": f"https://{name}.example", "platform": "erp"}


def product(number: int, chance: random.Random) -> CatalogProduct:
    skus = tuple(
        CatalogSku(
            f"{number}{place}",
            chance.choice((f"SKU-{number}-{place}", f"SKU-{number}-{place}", "")),
            chance.choice((None, "", f"789{number:08d}{place}")),
            f"Produto {number}",
            chance.choice(PRICES),
            chance.choice(STOCKS),
            "UN",
            None,
        )
        for place in range(chance.choice((0, 1, 1, 1, 3)))
    )
    return CatalogProduct(
        str(1_000 + number),
        chance.choice((f"Caneca {number % 7}", f"açaí {number}", f"Ábaco {number % 3}", None)),
        chance.choice(NCMS),
        chance.choice(ORIGINS),
        chance.choice(BRANDS),
        None,
        chance.choice(CATEGORIES),
        chance.choice((None, "M1", "M2")),
        chance.choice((None, f"2026-0{1 + number % 9}-01T00:00:00Z")),
        skus,
    )


@pytest.fixture
def rows(archive: Archive) -> tuple[CatalogRow, ...]:
    """Of two accounts, some no longer listed."""
    chance = random.Random(14)
    with archive.writing() as transaction:
        for name in ("loja", "outra"):
            account = accounts.add(transaction, **of_account(name))
            run_id = runs.start(transaction, "catalog", account.id, {})
            made = [product(number, chance) for number in range(60)]
            received = [ReceivedProduct(entry, json.dumps({"id": entry.hub_id, "of": name}).encode()) for entry in made]
            products.record(transaction, archive.vault_writer, account.id, run_id, received)
            names = [RegisteredName(CatalogName.CATEGORY, hub_id, text) for hub_id, text in NAMES.items()]
            registered_names.replace(transaction, account.id, CatalogName.CATEGORY, names)
        transaction.execute("UPDATE catalog_product SET gone_since = '2026-11-01T00:00:00Z' WHERE id % 9 = 0")
    with archive.reading() as transaction:
        return catalog_search.page(transaction, catalog_search.CatalogQuery(), -1)


def category(row: CatalogRow) -> str | None:
    hub_id = row.product.category_id
    return NAMES.get(hub_id, hub_id) if hub_id is not None else None


def units(row: CatalogRow) -> Decimal | None:
    amounts = [sku.stock for sku in row.product.skus if sku.stock is not None]
    return sum(amounts, Decimal()) if amounts else None


def lowest(row: CatalogRow) -> int | None:
    return min((sku.price_cents for sku in row.product.skus if sku.price_cents is not None), default=None)


def upper(text: str | None) -> str | None:
    """As SQLite's NOCASE compares: the letters of ASCII alone."""
    return None if text is None else "".join(sign.lower() if sign.isascii() else sign for sign in text)


VALUES: dict[str, Callable[[CatalogRow], Any]] = {
    "title": lambda row: upper(row.product.title),
    "code": lambda row: row.product.skus[0].code if row.product.skus else None,
    "ean": lambda row: row.product.skus[0].ean if row.product.skus else None,
    "ncm": lambda row: row.product.ncm,
    "origin": lambda row: row.product.origin,
    "price": lowest,
    "stock": units,
    "brand": lambda row: upper(row.product.brand),
    "category": lambda row: upper(category(row)),
    "changed": lambda row: row.product.changed_at,
    "gone": lambda row: row.gone_since,
    "model": lambda row: row.product.model,
    "product": lambda row: row.product.hub_id,
    "account": lambda row: row.account,
}
LACKING: dict[str, Callable[[CatalogRow], bool]] = {
    "ncm": lambda row: not (len(row.product.ncm or "") == 8 and (row.product.ncm or "").isdigit()),
    "origin": lambda row: row.product.origin not in tuple("012345678"),
    "ean": lambda row: any(not sku.ean for sku in row.product.skus),
    "code": lambda row: not row.product.skus or any(not sku.code for sku in row.product.skus),
    "price": lambda row: any(not sku.price_cents for sku in row.product.skus),
    "stock": lambda row: not units(row),
}


def listed(archive: Archive, query: ProductQuery) -> list[int]:
    with archive.reading() as transaction:
        found = list(catalog_list.ids(transaction, query))
        assert [row.id for row in catalog_list.page(transaction, query, 20)] == found[:20]
    return found


def test_every_sort_has_an_oracle_here() -> None:
    assert set(VALUES) == set(SORTS)
    assert set(LACKING) == set(LACKS)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("sort", SORTS)
def test_products_are_sorted_and_those_without_a_value_come_last(
    archive: Archive, rows: Sequence[CatalogRow], sort: str, descending: bool
) -> None:
    by_id = {row.id: row for row in rows}
    found = [VALUES[sort](by_id[number]) for number in listed(archive, ProductQuery(sort=sort, descending=descending))]
    known = [value for value in found if value is not None]
    assert found == sorted(known, reverse=descending) + [None] * (len(rows) - len(known))


@pytest.mark.parametrize("code", LACKS)
def test_what_a_product_lacks_is_found(archive: Archive, rows: Sequence[CatalogRow], code: str) -> None:
    lacking = {row.id for row in rows if LACKING[code](row)}
    assert set(listed(archive, ProductQuery(lacks=(code,)))) == lacking
    assert 0 < len(lacking) < len(rows)


@pytest.mark.parametrize(
    ("query", "meets"),
    [
        (ProductQuery(gone=True), lambda row: row.gone_since is not None),
        (ProductQuery(gone=False), lambda row: row.gone_since is None),
        (ProductQuery(origins=("2", "8")), lambda row: row.product.origin in ("2", "8")),
        (ProductQuery(brands=("Ipê",)), lambda row: row.product.brand == "Ipê"),
        (ProductQuery(categories=("Café", "77")), lambda row: row.product.category_id in ("1", "77")),
        (ProductQuery(text="ACAI"), lambda row: "acai" in folded_words(row.product.title or "")),
        (
            ProductQuery(text="caneca ipe"),
            lambda row: "Caneca" in (row.product.title or "") and folded_words(row.product.brand or "")[:3] == "ipe",
        ),
        (ProductQuery(text="sku-7-0"), lambda row: any(sku.code == "SKU-7-0" for sku in row.product.skus)),
        (ProductQuery(text="100%"), lambda _: False),
        (
            ProductQuery(account_ids=(2,), lacks=("ncm", "origin"), gone=False),
            lambda row: (
                row.account == "outra" and row.gone_since is None and (LACKING["ncm"](row) or LACKING["origin"](row))
            ),
        ),
    ],
)
def test_filters_narrow_the_list(
    archive: Archive, rows: Sequence[CatalogRow], query: ProductQuery, meets: Callable[[CatalogRow], bool]
) -> None:
    assert set(listed(archive, query)) == {row.id for row in rows if meets(row)}


def summed(rows: Sequence[CatalogRow]) -> CatalogTotals:
    here = [row for row in rows if row.gone_since is None]
    skus = [sku for row in here for sku in row.product.skus]
    worth = sum((sku.price_cents or 0) * (sku.stock or 0) for sku in skus)
    return CatalogTotals(len(rows), len(skus), int(worth), len(rows) - len(here))


def test_sums_leave_out_what_is_no_longer_listed(archive: Archive, rows: Sequence[CatalogRow]) -> None:
    some = [row for row in rows if row.id % 2]
    with archive.reading() as transaction:
        assert catalog_list.totals(transaction, ProductQuery()) == summed(rows)
        assert catalog_list.totals_of(transaction, [row.id for row in some]) == summed(some)
        assert catalog_list.totals(transaction, ProductQuery(text="there is none")) == CatalogTotals()


def test_choices_say_how_many_there_are(archive: Archive, rows: Sequence[CatalogRow]) -> None:
    with archive.reading() as transaction:
        choices = catalog_list.choices(transaction, ProductQuery())
        names = catalog_list.category_names(transaction, [row.id for row in rows])
    assert choices.gone == sum(row.gone_since is not None for row in rows)
    assert choices.listed + choices.gone == len(rows)
    assert dict(choices.lacks) == {code: sum(map(lacks, rows)) for code, lacks in LACKING.items()}
    assert dict(choices.categories) == {
        name: sum(category(row) == name for row in rows) for name in ("Café", "Brinquedos", "77")
    }
    assert [count for _, count in choices.brands] == sorted((count for _, count in choices.brands), reverse=True)
    assert None not in dict(choices.origins)
    assert "" not in dict(choices.origins)
    assert names == {row.id: category(row) or "" for row in rows}


def test_a_price_beyond_measure_breaks_no_sum(archive: Archive) -> None:
    sku = CatalogSku("1", "X", None, None, 2**52, Decimal("9" * 12), None, None)
    absurd = CatalogProduct("1", "X", None, None, None, None, None, None, None, (sku,))
    with archive.writing() as transaction:
        account = accounts.add(transaction, **of_account("loja"))
        run_id = runs.start(transaction, "catalog", account.id, {})
        products.record(transaction, archive.vault_writer, account.id, run_id, [ReceivedProduct(absurd, b"{}")])
    with archive.reading() as transaction:
        assert catalog_list.totals(transaction, ProductQuery()).worth == catalog_list._MOST_WORTH


def test_the_newest_items_that_sell_a_code_come_first(archive: Archive) -> None:
    def order(number: int, *codes: str) -> ReceivedOrder:
        items = [{"sku": {"partnerId": code}, "amount": 2, "price": 10.5} for code in codes]
        raw = json.dumps({"id": number, "createdAt": f"2026-10-{number:02d}T12:00:00Z", "items": items}).encode()
        return ReceivedOrder(order_of_text(raw).order, raw, HUB, "2026-11-01T00:00:00Z")

    with archive.writing() as transaction:
        for name in ("loja", "outra"):
            account = accounts.add(transaction, **of_account(name))
            run_id = runs.start(transaction, "orders", account.id, {})
            made = [order(1, "A"), order(2, "B"), order(3, "B", "A", "A2"), order(4, "")]
            orders.record(transaction, archive.vault_writer, account.id, run_id, made)
    with archive.reading() as transaction:
        found = sold_items.sold(transaction, 2, ("A", "A2", ""), 10)
        assert [(sold.order.hub_id, sold.place, sold.item.code) for sold in found] == [
            ("3", 1, "A"),
            ("3", 2, "A2"),
            ("1", 0, "A"),
        ]
        assert {sold.order.account for sold in found} == {"outra"}
        assert sold_items.sold(transaction, 2, ("A", "A2"), 2) == found[:2]
        assert sold_items.sold(transaction, 2, ("",), 10) == ()
