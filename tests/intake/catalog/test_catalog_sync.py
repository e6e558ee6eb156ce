"""Sync of a catalog against a hub that changes, forgets and is interrupted: nothing lost, nothing claimed in vain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.catalog import catalog_search, registered_names
from confere.archive.catalog.catalog_search import CatalogQuery
from confere.archive.store import Archive
from confere.hub.catalog.catalog_reads import CatalogReads
from confere.hub.session import HubSession
from confere.intake.catalog.catalog_result import CatalogResult
from confere.intake.catalog.catalog_sync import sync_catalog
from confere.sales.catalog_product import CatalogName
from confere.system.messages import render
from confere.system.processes.cancellation import Stop
from tests.intake.served import START, Answer, page_of, serving

READS = CatalogReads(True, True, True, (CatalogName.BRAND,))


@dataclass
class CatalogHub:
    """Its products in the order of their ids; `stop` is set when page `stop_at` is asked for."""

    products: list[Any] = field(default_factory=list)
    now: datetime = START + timedelta(days=100)
    asked: list[str] = field(default_factory=list)
    address: str = ""
    stop: Stop | None = None
    stop_at: int = 0

    def add(self, number: int, **changes: Any) -> dict[str, Any]:
        """A product with one SKU, changed last when it was added."""
        record = {
            "id": number,
            "title": f"Caneca {number}",
            "nbm": {"id": "6912.00.00"},
            "origin": {"id": "0"},
            "brand": {"id": "1", "name": "Ipê"},
            "category": {"id": "9"},
            "skus": [{"id": number, "partnerId": f"CAN-{number}", "price": "19.90", "amount": "4"}],
            "lastUpdate": self.now.isoformat(),
        } | changes
        self.products.append(record)
        return record

    def change(self, record: dict[str, Any], **changes: Any) -> None:
        record.update(changes, lastUpdate=self.now.isoformat())

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        self.asked.append(f"{method} {path.removeprefix('/v2')}" + (" changed" if "changedAfter" in query else ""))
        if path.endswith("/brands"):
            return 200, {"content": [{"id": 1, "name": "Ipê", "partnerId": "IPE"}]}
        if self.stop is not None and len([each for each in self.asked if "/products" in each]) == self.stop_at:
            self.stop.set()
        found = self.products
        if "changedAfter" in query:
            after = datetime.fromisoformat(query["changedAfter"])
            found = [each for each in found if datetime.fromisoformat(each["lastUpdate"]) >= after]
        content, page = page_of(found, query)
        return 200, {"content": content, "page": page}


@pytest.fixture
def hub() -> Iterator[CatalogHub]:
    with serving(CatalogHub()) as running:
        yield running


@pytest.fixture
def account(archive: Archive, hub: CatalogHub) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")


def run(
    archive: Archive, hub: CatalogHub, account: Account, reads: CatalogReads = READS, *, full: bool = False
) -> CatalogResult:
    hub.asked.clear()
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync_catalog(archive, session, account, reads, full=full, stop=hub.stop)


def held(archive: Archive) -> dict[str, int]:
    """How many versions there are of each product."""
    with archive.reading() as transaction:
        return {row.product.hub_id: row.versions for row in catalog_search.page(transaction, CatalogQuery(), -1)}


def test_everything_first_then_only_what_changed(archive: Archive, hub: CatalogHub, account: Account) -> None:
    records = [hub.add(number) for number in range(1, 231)]
    hub.now += timedelta(days=3)
    first = run(archive, hub, account)
    assert (first.listed, first.archived, first.new, first.whole) == (230, 230, 230, True)
    assert (first.refused, first.lost) == (0, 0)
    with archive.reading() as transaction:
        (brand,) = registered_names.every(transaction, account.id, CatalogName.BRAND)
    assert (brand.name, brand.partner_id) == ("Ipê", "IPE")
    hub.now += timedelta(days=3)
    hub.change(records[0], title="Caneca nova")
    quiet = run(archive, hub, account)
    assert set(hub.asked) == {"GET /brands", "GET /products changed"}
    assert (quiet.listed, quiet.archived, quiet.changed, quiet.new, quiet.whole) == (1, 1, 1, 0, False)
    assert (held(archive)["1"], held(archive)["2"]) == (2, 1)
    nothing = run(archive, hub, account, full=True)
    assert (nothing.listed, nothing.changed, held(archive)["1"]) == (230, 0, 2)


def test_a_hub_without_the_filter_is_listed_whole(archive: Archive, hub: CatalogHub, account: Account) -> None:
    hub.add(1)
    reads = READS._replace(changed_after=False, names=())
    assert run(archive, hub, account, reads).whole
    assert run(archive, hub, account, reads).whole
    assert set(hub.asked) == {"GET /products"}


def test_what_is_no_longer_listed_is_marked_and_comes_back(archive: Archive, hub: CatalogHub, account: Account) -> None:
    for number in range(1, 21):
        hub.add(number)
    run(archive, hub, account)
    gone = hub.products.pop(3)
    assert run(archive, hub, account).gone == 0  # what changed alone shows nothing of it
    assert run(archive, hub, account, full=True).gone == 1
    with archive.reading() as transaction:
        (row,) = catalog_search.page(transaction, CatalogQuery(gone=True), -1)
        assert (row.product.hub_id, row.gone_since is not None) == ("4", True)
        assert catalog_search.owners(transaction, account.id, ["CAN-4", "CAN-5"]).keys() == {"CAN-5"}
    hub.products.insert(3, gone)
    run(archive, hub, account, full=True)
    with archive.reading() as transaction:
        assert catalog_search.count(transaction, CatalogQuery(gone=True)) == 0


def test_much_missing_at_once_is_believed_the_second_time(archive: Archive, hub: CatalogHub, account: Account) -> None:
    for number in range(1, 21):
        hub.add(number)
    run(archive, hub, account)
    del hub.products[8:]
    assert run(archive, hub, account, full=True).gone == 0
    assert run(archive, hub, account, full=True).gone == 12


def test_what_cannot_be_kept_is_counted_with_its_reason(archive: Archive, hub: CatalogHub, account: Account) -> None:
    hub.add(1)
    hub.add(2, id=None)
    hub.products.append("no record")
    result = run(archive, hub, account)
    assert (result.listed, result.archived, result.refused, result.lost) == (3, 1, 2, 0)
    assert sorted(render(entry.reason) for entry in result.failures) == [
        "The hub lists a product without an id: it cannot be kept.",
        "The hub lists something among its products that is no record.",
    ]


def test_an_interrupted_listing_goes_on_and_ends_the_same(archive: Archive, hub: CatalogHub, account: Account) -> None:
    for number in range(1, 451):
        hub.add(number)
    hub.stop, hub.stop_at = Stop(), 3
    stopped = run(archive, hub, account)
    assert (stopped.stopped, 0 < len(held(archive)) < 450) == (True, True)
    hub.stop = None
    assert run(archive, hub, account).failed == 0
    assert held(archive) == {str(number): 1 for number in range(1, 451)}


def test_skus_come_one_by_one_with_their_products(archive: Archive, hub: CatalogHub, account: Account) -> None:
    skus = [{"id": n, "partnerId": f"A-{n}", "price": 5, "variations": {"Cor": "azul"}, "unit": "UN"} for n in (1, 2)]
    hub.add(1, skus=skus, origin={"id": 2}, nbm={"id": 69120000})
    hub.add(2)
    run(archive, hub, account)
    with archive.reading() as transaction:
        sold = list(catalog_search.iter_catalog_skus(transaction, account.id))
        assert catalog_search.has_catalog(transaction, account.id)
        assert not catalog_search.has_catalog(transaction, account.id + 1)
    assert [(entry.sku.code, entry.product.ncm, entry.product.origin, entry.sku.unit) for entry in sold] == [
        ("A-1", "69120000", "2", "UN"),
        ("A-2", "69120000", "2", "UN"),
        ("CAN-2", "69120000", "0", None),
    ]
    assert (sold[0].sku.price_cents, sold[2].sku.price_cents, sold[0].sku.variations) == (500, 1990, (("Cor", "azul"),))
