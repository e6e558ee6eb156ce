"""Syncs against hubs of every shape: all is archived, a quiet sync stays small, and what was learnt is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.hub import coverage, hub_traits
from confere.archive.store import Archive
from confere.errors import HubError
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.documents.sync_request import SyncRequest
from confere.intake.orders.order_sync import sync_orders
from confere.intake.orders.order_writer import OrdersRequest, OrdersResult
from tests.breadth import some_of
from tests.hub.shaped import NAMED, ListShape
from tests.intake.order_hub import OrderHub
from tests.intake.served import START, Answer, serving
from tests.intake.small_hub import SmallHub

SIZE = 230


@pytest.fixture(scope="module")
def served() -> Iterator[SmallHub]:
    with serving(SmallHub()) as running:
        for number in range(1, SIZE + 1):
            running.add(number, number % 100)
        running.documents.sort(key=lambda record: str(record["createdAt"]))
        yield running


@pytest.fixture
def hub(served: SmallHub) -> Iterator[SmallHub]:
    """The module's hub in its own state again, whatever a test does to it."""
    kept, now, files = list(served.documents), served.now, dict(served.files)
    served.shape, served.dates, served.before_page, served.lists = None, "honours", None, 0
    yield served
    served.documents[:], served.now, served.files = kept, now, files


@pytest.fixture
def account(archive: Archive, hub: SmallHub) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")


def run(archive: Archive, hub: SmallHub, account: Account, request: SyncRequest | None = None) -> SyncResult:
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync(archive, session, account, request)


def held(archive: Archive) -> int:
    with archive.reading() as transaction:
        return documents.summary(transaction, DocumentQuery()).count


def traits(archive: Archive, account: Account) -> dict[str, str]:
    with archive.reading() as transaction:
        return {entry.trait: entry.value for entry in hub_traits.read(transaction, account.id)}


@pytest.mark.parametrize("name", some_of(NAMED, 5))
def test_a_hub_of_any_shape_is_synced_and_then_costs_little(
    archive: Archive, hub: SmallHub, account: Account, name: str
) -> None:
    hub.shape = NAMED[name]
    first = run(archive, hub, account)
    assert (first.listed, first.failed, held(archive)) == (SIZE, 0, SIZE)
    for number in (SIZE + 1, SIZE + 2):
        hub.add(number, 100)
    hub.now += timedelta(days=1)
    second = run(archive, hub, account)
    assert (second.new, held(archive)) == (2, SIZE + 2)
    assert second.date_filter == ("refused" if name == "dates-refused" else "honoured")
    quiet = run(archive, hub, account)
    assert (quiet.new, quiet.updated, quiet.downloaded) == (0, 0, 0)
    whole = 14 if name == "dates-refused" else 0  # everything is listed again: nothing else can be asked
    assert quiet.requests <= max(10, whole)
    known = traits(archive, account)
    expected = {"dates-date-only": "date", "dates-no-zone": "no zone", "dates-milliseconds": "milliseconds"}
    assert known["documents.dates"] == expected.get(name, "refused" if name == "dates-refused" else "offset")


def test_a_hub_that_changes_its_shape_is_learnt_anew_in_one_run(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    hub.shape = ListShape()
    run(archive, hub, account)
    assert traits(archive, account)["documents.paging"] == "whole pages"
    for shape in (NAMED["page-base-1"], replace(NAMED["whole-pages"], dates="date", strict=True)):
        hub.shape = shape
        hub.add(len(hub.documents) + 1, 100)
        hub.now += timedelta(days=1)
        assert run(archive, hub, account).new == 1
        assert run(archive, hub, account, SyncRequest(full=True)).listed == len(hub.documents)
        assert held(archive) == len(hub.documents)
    known = traits(archive, account)
    assert (known["documents.paging"], known["documents.dates"]) == ("whole pages", "date")


@pytest.mark.parametrize("empty", [200, 204, 404])
@pytest.mark.parametrize("listed", [True, False])
def test_an_honestly_empty_month_is_no_reason_to_scan(
    archive: Archive, hub: SmallHub, account: Account, empty: int, listed: bool
) -> None:
    hub.shape = ListShape(empty=empty)
    if listed:
        run(archive, hub, account)
    before = hub.lists
    month = SyncRequest(from_at=START - timedelta(days=60), to_at=START - timedelta(days=30))
    result = run(archive, hub, account, month)
    assert (result.date_filter, result.listed) == ("honoured", 0)
    assert hub.lists - before <= 6
    with archive.reading() as transaction:
        spans = coverage.covered(transaction, account.id, coverage.CREATED)
    assert any(span.from_at.startswith("2025-11-02") for span in spans) or listed


@pytest.mark.parametrize("listed", [True, False])
def test_a_month_that_is_empty_by_a_misread_filter_is_scanned(
    archive: Archive, hub: SmallHub, account: Account, listed: bool
) -> None:
    if listed:
        run(archive, hub, account)
    hub.dates = "misreads"
    for days in (-60, 0):  # before everything, and where something stands
        month = SyncRequest(from_at=START + timedelta(days=days), to_at=START + timedelta(days=days + 30))
        assert run(archive, hub, account, month).date_filter == "ignored"
    assert held(archive) >= 60


def test_a_wrong_address_is_not_an_empty_account(archive: Archive, hub: SmallHub, account: Account) -> None:
    elsewhere = hub.address.replace("/v2", "/other/v2")
    with HubSession(elsewhere, "token-of-a-test", "p") as session, pytest.raises(HubError):
        sync(archive, session, account)
    with archive.reading() as transaction:
        assert coverage.covered(transaction, account.id, coverage.CREATED) == ()


def test_a_list_without_totals_that_grows_while_it_is_read(
    archive: Archive, hub: SmallHub, account: Account, tmp_path: Path
) -> None:
    hub.shape = NAMED["whole-pages"]
    whole = hub.answer
    answers = 0

    def grow(method: str, path: str, query: dict[str, str], sent: bytes) -> Answer:
        nonlocal answers
        if "download" not in path:
            answers += 1
            if answers <= 3:
                hub.add(1000 + answers, 100)
        return whole(method, path, query, sent)

    hub.answer = grow  # type: ignore[method-assign]
    try:
        run(archive, hub, account)
    finally:
        del hub.answer
    assert held(archive) == SIZE + 3


# -- orders and returns ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some_of(NAMED, 5))
def test_orders_and_returns_of_a_hub_of_any_shape(archive: Archive, name: str) -> None:
    with serving(OrderHub(shape=NAMED[name])) as hub:
        for number in range(1, 131):
            hub.add(number, number / 2)
        hub.returns = [{"id": f"r-{number}", "orderId": number} for number in range(1, 8)]
        hub.unread.clear()
        with archive.writing() as transaction:
            account = accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")
        first = bring(archive, hub, account)
        assert (first.listed, first.new, first.failed, first.returns) == (130, 130, 0, 7)
        hub.add(131, 100)
        hub.unread.clear()
        hub.now += timedelta(days=1)
        second = bring(archive, hub, account)
        assert (second.new, second.failed) == (1, 0)
        assert second.date_filter == ("refused" if name == "dates-refused" else "honoured")
        quiet = bring(archive, hub, account)
        assert (quiet.new, quiet.changed) == (0, 0)
        # Behind a list that says nothing of its end, and is as long as before, the hub is asked again each time.
        assert quiet.requests <= {"no-limit": 20, "dates-refused": 20, "link-alone": 10}.get(name, 8)
        month = OrdersRequest(from_at=START - timedelta(days=60), to_at=START - timedelta(days=30))
        empty = bring(archive, hub, account, month)
        if name != "dates-refused":
            assert (empty.listed, empty.date_filter) == (0, "honoured")


def bring(archive: Archive, hub: OrderHub, account: Account, request: OrdersRequest | None = None) -> OrdersResult:
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync_orders(archive, session, account, request)
