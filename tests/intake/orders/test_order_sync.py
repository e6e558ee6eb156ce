"""Sync of orders against a hub that lacks, misreads, forgets and changes: nothing missed, nothing claimed in vain."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from confere.archive.accounts import accounts, audit, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.hub_facts import HAS_LIST, HAS_RETURNS, of_feed
from confere.archive.clock import utc_now
from confere.archive.hub import coverage
from confere.archive.orders import order_aliases, order_requests, order_search, orders, returns
from confere.archive.orders.order_rows import ReceivedOrder
from confere.archive.orders.order_search import OrderQuery
from confere.archive.schema.schema import hub_document
from confere.archive.store import Archive
from confere.errors import HubError, HubRefusedRequest, HubRefusedToken
from confere.hub.orders.orders import order_of_text
from confere.hub.retry import retry
from confere.hub.session import HubSession
from confere.intake.feeds import feed_reading
from confere.intake.orders import order_sync as intake_orders
from confere.intake.orders.order_completeness import ListedOrder, PageFields
from confere.intake.orders.order_sync import sync_orders
from confere.intake.orders.order_writer import OrdersRequest, OrdersResult
from confere.sales.hub_feeds import HubFeed
from confere.system.processes.cancellation import Stop
from tests.intake.order_hub import OrderHub
from tests.intake.served import START, serving


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_FIRST_WAIT", 0.01)


@pytest.fixture
def hub() -> Iterator[OrderHub]:
    with serving(OrderHub()) as running:
        yield running


@pytest.fixture
def account(archive: Archive, hub: OrderHub) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")


def run(
    archive: Archive, hub: OrderHub, account: Account, request: OrdersRequest | None = None, stop: Stop | None = None
) -> OrdersResult:
    hub.asked.clear()
    with archive.reading() as transaction:
        account = accounts.named(transaction, account.name)
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync_orders(archive, session, account, request, stop=stop)


def marking(archive: Archive, account: Account) -> None:
    with archive.writing() as transaction:
        wanted = preferences.get(transaction, account.id)
        preferences.set(transaction, account.id, replace(wanted, mark_feed=True))


def held(archive: Archive) -> dict[str, str | None]:
    with archive.reading() as transaction:
        return {row.hub_id: row.status for row in order_search.page(transaction, OrderQuery(), -1)}


def versions(archive: Archive, account: Account, name: str) -> int:
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, name)
        assert row is not None
        return len(orders.versions(transaction, row.id))


def covered(archive: Archive, account: Account, axis: str = coverage.ORDERS) -> list[tuple[str, str]]:
    with archive.reading() as transaction:
        return [(span.from_at[:10], span.to_at[:10]) for span in coverage.covered(transaction, account.id, axis)]


def facts(archive: Archive, account: Account) -> dict[str, object]:
    with archive.reading() as transaction:
        return dict(accounts.named(transaction, account.name).facts)


def quoted(archive: Archive, account: Account, *order_ids: str) -> None:
    """Documents whose hub record names these orders."""
    with archive.writing() as transaction:
        names = [column.name for column in hub_document.columns]
        for number, order_id in zip(transaction.new_ids(hub_document, len(order_ids)), order_ids, strict=True):
            told = {
                "id": number, "account_id": account.id, "identity": f"id:{number}", "order_id": order_id,
                "first_run_id": 0, "last_run_id": 0,
            }  # fmt: skip
            transaction.insert(hub_document, [tuple(told.get(name) for name in names)])


# -- the list ----------------------------------------------------------------------------------------------


def test_the_first_run_lists_everything_and_a_quiet_one_little(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    for number in range(1, 251):
        hub.add(number, number / 3)
    first = run(archive, hub, account)
    assert (first.listed, first.new, first.failed, first.has_list) == (250, 250, 0, True)
    assert sum(path == "GET orders" for path in hub.asked) == 3
    assert covered(archive, account) == [(coverage.FOREVER[:10], "2026-04-11")]
    hub.now += timedelta(days=1)
    quiet = run(archive, hub, account)
    assert (quiet.new, quiet.changed, quiet.asked, quiet.date_filter) == (0, 0, 0, "honoured")
    assert quiet.listed < 140
    assert covered(archive, account) == [(coverage.FOREVER[:10], "2026-04-12")]


def test_new_orders_and_new_statuses_of_the_last_days_arrive(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.add(1, 50, "PENDING")
    hub.add(2, 90, "PENDING")
    hub.unread.clear()
    run(archive, hub, account)
    hub.orders["1"]["status"] = hub.orders["2"]["status"] = "INVOICED"
    hub.add(3, 100, "PENDING")
    hub.unread.clear()
    hub.now += timedelta(hours=1)
    result = run(archive, hub, account)
    assert (result.new, result.changed, result.asked) == (1, 2, 0)
    assert held(archive) == {"1": "INVOICED", "2": "INVOICED", "3": "PENDING"}
    assert versions(archive, account, "1") == 2


def test_older_orders_that_may_still_move_are_asked_for_once_a_day(
    archive: Archive, hub: OrderHub, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, status in ((1, "PENDING"), (2, "CONCLUDED"), (3, "PENDING"), (4, "PENDING")):
        hub.add(number, number, status)
    hub.add(5, 90)
    hub.unread.clear()
    run(archive, hub, account)
    hub.orders["1"]["status"] = "CANCELED"
    del hub.orders["3"]
    with archive.writing() as transaction:  # as if the last look were days ago
        transaction.execute("UPDATE sales_order SET seen_at = '2026-01-01T00:00:00+00:00' WHERE created_on < '2026-02'")
    monkeypatch.setattr(intake_orders, "MOST_UNFINISHED", 2)
    result = run(archive, hub, account)
    assert (result.asked, result.changed, result.absent) == (2, 1, 1)
    assert held(archive)["1"] == "CANCELED"
    assert run(archive, hub, account).asked == 1  # the third, which the bound had left
    assert run(archive, hub, account).asked == 0


@pytest.mark.parametrize("dates", ["ignores", "misreads", "refuses"])
def test_dates_that_are_not_honoured_are_found_out(
    archive: Archive, hub: OrderHub, account: Account, dates: str
) -> None:
    hub.add(1, 1)
    hub.add(2, 90)
    run(archive, hub, account)
    hub.dates = dates
    hub.add(3, 99)
    hub.now += timedelta(days=1)
    result = run(archive, hub, account)
    assert (result.new, result.date_filter) == (1, "refused" if dates == "refuses" else "ignored")
    assert covered(archive, account) == [(coverage.FOREVER[:10], "2026-04-12")]


def test_an_order_without_a_date_shows_that_dates_are_ignored(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    hub.add(1, 1)
    run(archive, hub, account)
    hub.add(2, 99)
    hub.dates = "ignores"
    hub.orders["1"]["createdAt"] = None
    assert run(archive, hub, account).date_filter == "ignored"


def test_an_order_that_the_hub_forgot_does_not_cost_a_whole_listing_each_time(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    hub.add(1, 1)
    hub.add(2, 90)
    run(archive, hub, account)
    del hub.orders["2"]
    hub.unread.clear()
    assert run(archive, hub, account).date_filter == "ignored"
    hub.add(3, 95)
    assert run(archive, hub, account, OrdersRequest(full=True)).new == 1
    assert run(archive, hub, account).date_filter == "honoured"


def test_days_asked_for_claim_those_days_only(archive: Archive, hub: OrderHub, account: Account) -> None:
    for number in range(1, 31):
        hub.add(number, number)
    request = OrdersRequest(from_at=START + timedelta(days=10), to_at=START + timedelta(days=20))
    result = run(archive, hub, account, request)
    assert result.new == 10
    assert covered(archive, account) == [("2026-01-11", "2026-01-21")]
    assert not any("feeds" in path for path in hub.asked)
    run(archive, hub, account, OrdersRequest(from_at=START + timedelta(days=300)))
    assert covered(archive, account) == [("2026-01-11", "2026-01-21")]  # days to come claim nothing


def test_without_a_total_pages_share_an_order(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.counts = False
    for number in range(1, 251):
        hub.add(number, number / 3)
    gone = False

    def forget(path: str) -> None:
        nonlocal gone
        if path == "GET orders" and hub.asked.count("GET orders") == 2 and not gone:
            gone = True
            del hub.orders["1"]

    hub.before = forget
    result = run(archive, hub, account)
    assert gone
    assert (result.listed, result.new) == (250, 250)


def test_an_order_that_hides_while_the_list_is_read_is_looked_for(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    for number in range(1, 251):
        hub.add(number, number / 3)
    hub.unread.clear()

    def forget(path: str) -> None:
        if path == "GET orders" and hub.asked.count("GET orders") == 2:
            hub.orders.pop("1", None)

    hub.before = forget
    assert run(archive, hub, account).new == 250
    assert covered(archive, account)


@pytest.mark.parametrize("moved", [False, True])
def test_an_interrupted_first_listing_goes_on_and_sees_what_moved(
    archive: Archive, hub: OrderHub, account: Account, moved: bool
) -> None:
    for number in range(1, 401):
        hub.add(number, number / 5)
    hub.unread.clear()
    stop = Stop()

    def interrupt(path: str) -> None:
        if path == "GET orders" and hub.asked.count("GET orders") == 3:
            stop.set()

    hub.before = interrupt
    first = run(archive, hub, account, stop=stop)
    assert first.stopped
    assert 0 < first.new < 400
    hub.before = None
    if moved:
        for number in range(1, 11):
            del hub.orders[str(number)]
    run(archive, hub, account)
    assert set(hub.orders) <= set(held(archive))
    assert covered(archive, account) == [(coverage.FOREVER[:10], "2026-04-11")]


def test_a_listing_whose_page_is_refused_goes_on_there(archive: Archive, hub: OrderHub, account: Account) -> None:
    for number in range(1, 401):
        hub.add(number, number / 5)
    hub.unread.clear()
    hub.refuses_from = 200
    with pytest.raises(HubRefusedRequest):
        run(archive, hub, account)
    assert len(held(archive)) == 200
    with archive.reading() as transaction:
        interrupted = coverage.unfinished(transaction, account.id, (coverage.ORDERS,))
    assert interrupted is not None
    assert interrupted.offset == 200
    hub.refuses_from = None
    assert run(archive, hub, account).new == 200
    assert covered(archive, account) == [(coverage.FOREVER[:10], "2026-04-11")]


@pytest.mark.parametrize("status", [404, 405, 400, 403])
def test_a_hub_without_a_list_is_asked_again_after_a_week(
    archive: Archive, hub: OrderHub, account: Account, status: int
) -> None:
    hub.lists = hub.feeds = status
    result = run(archive, hub, account)
    assert (result.has_list, result.failed) == (False, 0)
    known = facts(archive, account)
    assert (known[HAS_LIST], known[of_feed(HubFeed.ORDERS).has], known[HAS_RETURNS]) == (False, False, False)
    assert covered(archive, account) == []
    assert run(archive, hub, account).requests == 0
    assert run(archive, hub, account, OrdersRequest(full=True)).requests > 0
    hub.lists = hub.feeds = 200
    hub.add(1, 1)
    with archive.writing() as transaction:
        long_ago = dict.fromkeys(("has_orders_asked", "has_feed_asked"), "2026-01-01T00:00:00+00:00")
        accounts.learn(transaction, account.id, long_ago)
    assert run(archive, hub, account).new == 1
    assert facts(archive, account)[HAS_LIST] is True


def test_a_refused_token_ends_the_run(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.feeds = 401
    with pytest.raises(HubRefusedToken):
        run(archive, hub, account)
    hub.feeds, hub.lists = 200, 401
    with pytest.raises(HubRefusedToken):
        run(archive, hub, account)


def test_a_list_without_items_is_a_hint_only(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.untold = ("items",)
    for number in range(1, 4):
        hub.add(number, 90, "PENDING")
    hub.unread.clear()
    first = run(archive, hub, account)
    assert (first.listed, first.asked, first.new) == (3, 3, 3)
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "2")
        assert row is not None
        assert len(orders.items(transaction, row.id)) == 1
    hub.orders["2"]["status"] = "INVOICED"
    second = run(archive, hub, account)
    assert (second.asked, second.changed) == (1, 1)
    assert versions(archive, account, "2") == 2


def test_a_list_without_items_is_not_read_whole_for_ever(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.untold = ("items",)
    for number in range(1, 4):
        hub.add(number, 90, "PENDING")
    run(archive, hub, account)
    run(archive, hub, account, OrdersRequest(full=True))  # shows them again, and none is asked for
    assert run(archive, hub, account).date_filter == "honoured"


def told_in_part(archive: Archive, hub: OrderHub, account: Account, **fields: object) -> None:
    """Three orders, held in full, whose buyer and payments the list leaves out."""
    hub.untold = ("buyer", "payments")
    for number in range(1, 4):
        hub.add(number, 90, "PENDING", buyer={"name": "Ana"}, payments=[{"method": "Pix"}], **fields)
    hub.unread.clear()
    assert run(archive, hub, account).new == 3
    assert run(archive, hub, account, OrdersRequest(ids=("1", "2", "3"))).changed == 3  # fuller than the list's


def test_what_a_list_leaves_out_is_no_change(archive: Archive, hub: OrderHub, account: Account) -> None:
    """The list and the order itself are two ways of telling the same: neither makes the other a change, ever."""
    told_in_part(archive, hub, account)
    for request in (OrdersRequest(full=True), OrdersRequest(ids=("1", "2")), OrdersRequest(full=True), None):
        again = run(archive, hub, account, request)
        assert (again.new, again.changed) == (0, 0)
    assert [versions(archive, account, str(number)) for number in range(1, 4)] == [2, 2, 2]
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "1")
        assert row is not None
        assert row.buyer_name == "Ana"


def test_a_change_in_what_a_list_tells_is_asked_for_in_full(archive: Archive, hub: OrderHub, account: Account) -> None:
    told_in_part(archive, hub, account)
    hub.orders["2"]["status"] = "INVOICED"
    found = run(archive, hub, account)
    assert (found.asked, found.changed) == (1, 1)
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "2")
        assert row is not None
        assert (row.status, row.buyer_name) == ("INVOICED", "Ana")
    assert run(archive, hub, account).changed == 0
    assert versions(archive, account, "2") == 3


def test_what_one_order_of_a_page_has_lost_is_a_change(archive: Archive, hub: OrderHub, account: Account) -> None:
    """A hub that tells everything in its list: an invoice that was taken away is gone, with nothing else changed."""
    for number in range(1, 4):
        hub.add(number, 90, invoice={"number": number, "series": 1})
    hub.unread.clear()
    run(archive, hub, account)
    del hub.orders["2"]["invoice"]
    found = run(archive, hub, account)
    assert (found.asked, found.changed) == (0, 1)
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "2")
        assert row is not None
        assert row.invoice_number is None


def test_what_an_order_lost_that_its_page_shows_is_asked_for_where_the_list_leaves_out_more(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    told_in_part(archive, hub, account, invoice={"number": 7, "series": 1})
    del hub.orders["2"]["invoice"]
    found = run(archive, hub, account)
    assert (found.asked, found.changed) == (1, 1)
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "2")
        assert row is not None
        assert (row.invoice_number, row.buyer_name) == (None, "Ana")


@pytest.mark.parametrize(
    ("status", "stands", "failed"), [(404, "INVOICED", 0), (422, "INVOICED", 1), (500, "PENDING", 1)]
)
def test_a_change_that_only_the_list_tells_is_kept_where_the_hub_does_not_give_the_order(
    archive: Archive, hub: OrderHub, account: Account, status: int, stands: str, failed: int
) -> None:
    told_in_part(archive, hub, account)
    hub.orders["2"]["status"] = "INVOICED"
    hub.broken["2"] = status
    found = run(archive, hub, account)
    assert (found.asked, found.failed) == (1, failed)  # a hub that is broken now is asked again by the next sync
    assert held(archive)["2"] == stands
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "2")
        assert row is not None
        assert len(orders.items(transaction, row.id)) == 1
    hub.broken.clear()
    run(archive, hub, account, OrdersRequest(ids=("2",)))
    assert held(archive)["2"] == "INVOICED"


def test_records_that_are_nested_deeply_are_compared_in_little_room() -> None:
    """A megabyte whose fields, each written as a path from the top, would be gigabytes."""
    leaves = ",".join(f'"k{number}":1' for number in range(2000))
    raw = ('{"id":"1","x":' + f'{{"{"n" * 1000}":' * 500 + "{" + leaves + "}" + "}" * 501).encode()
    tracemalloc.start()
    try:
        page = PageFields([order_of_text(raw)])
        assert page.shown(order_of_text(b'{"id":"1"}'), raw) is ListedOrder.WHOLE
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 50 * len(raw)


def test_an_order_without_an_id_is_told_not_kept(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.add(1, 1)
    del hub.orders["1"]["id"]
    hub.unread.clear()
    result = run(archive, hub, account)
    assert (result.new, result.failed) == (0, 1)


# -- one by one --------------------------------------------------------------------------------------------


def test_orders_that_documents_quote_are_asked_for_and_absence_is_remembered(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    hub.lists = hub.feeds = 404
    hub.add(1, 1)
    quoted(archive, account, "1", "2", "3")
    hub.broken["3"] = 422
    result = run(archive, hub, account)
    assert (result.asked, result.new, result.absent, result.failed) == (3, 1, 1, 1)
    with archive.reading() as transaction:
        assert order_requests.absent(transaction, account.id) == {"2"}
        assert [name for name, _ in order_requests.failures(transaction, account.id)] == ["3"]
    hub.broken.clear()
    hub.add(3, 3)
    retried = run(archive, hub, account, OrdersRequest(only_failed=True))
    assert (retried.asked, retried.new, retried.requests) == (1, 1, 1)
    assert run(archive, hub, account, OrdersRequest(only_failed=True)).requests == 0
    assert run(archive, hub, account).absent == 0
    with archive.writing() as transaction:
        transaction.execute("UPDATE order_asked SET asked_at = '2026-01-01T00:00:00+00:00'")
    hub.add(2, 2)
    assert run(archive, hub, account).new == 1  # asked again after a week


def test_one_order_by_its_number(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.add(1, 1)
    hub.add(2, 1)
    result = run(archive, hub, account, OrdersRequest(ids=("2",)))
    assert (result.asked, result.new, result.requests) == (1, 1, 1)


def test_an_order_under_another_id_is_kept_under_its_own(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.orders["MA-9"] = hub.add(9, 1)
    hub.orders["nameless"] = {"status": "PENDING"}
    result = run(archive, hub, account, OrdersRequest(ids=("MA-9", "nameless")))
    assert (result.new, result.failed) == (1, 1)
    assert set(held(archive)) == {"9"}


def test_a_hub_that_is_gone_ends_the_run_soon(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.lists = hub.feeds = 404
    names = [str(number) for number in range(1, 200)]
    quoted(archive, account, *names)
    hub.broken.update(dict.fromkeys(names, 503))
    with pytest.raises(HubError):
        run(archive, hub, account)
    assert len(hub.asked) < 80


# -- the feed ----------------------------------------------------------------------------------------------


def test_reading_the_feed_marks_nothing(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.lists = 404
    for number in range(1, 8):
        hub.add(number, number)
    before = dict(hub.unread)
    began = utc_now()
    assert run(archive, hub, account).new == 7
    assert began <= facts(archive, account)[of_feed(HubFeed.ORDERS).read_at] <= utc_now()
    for _ in range(3):
        again = run(archive, hub, account)
        assert (again.asked, again.requests) == (0, 1)  # what it shows is known
    hub.orders["3"]["status"] = "CANCELED"
    hub.touch(3)
    assert run(archive, hub, account).changed == 1
    assert set(hub.unread) == set(before)
    assert (hub.marked, [path for path in hub.asked if path.startswith("PUT")]) == ([], [])


def test_what_the_list_shows_is_not_asked_for_again(archive: Archive, hub: OrderHub, account: Account) -> None:
    for number in range(1, 8):
        hub.add(number, number)
    assert run(archive, hub, account).asked == 0


def test_marking_empties_the_feed_page_by_page(
    archive: Archive, hub: OrderHub, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_reading, "PAGE", 5)
    marking(archive, account)
    for number in range(1, 18):
        hub.add(number, number)
    hub.broken["4"] = 422
    del hub.orders["5"]
    hub.lists = 404
    told = dict(hub.unread)
    result = run(archive, hub, account)
    assert (result.marked, result.failed, result.absent) == (15, 1, 1)
    assert set(hub.unread) == {"4", "5"}  # what could not be brought here stays for everybody
    assert dict(hub.marked) == {name: token for name, token in told.items() if name not in ("4", "5")}
    with archive.reading() as transaction:
        assert any(line.action == "feed mark" for line in audit.lines(transaction))


def test_each_is_marked_only_after_it_is_written(
    archive: Archive, hub: OrderHub, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    marking(archive, account)
    for number in range(1, 6):
        hub.add(number, number)
    wrong = []

    def look(path: str) -> None:
        if path.startswith("PUT"):
            name = path.rpartition("/")[2]
            if held(archive).get(name) != hub.orders[name]["status"]:
                wrong.append(name)

    hub.before = look
    assert run(archive, hub, account).marked == 5
    assert wrong == []


def test_a_newer_token_is_never_lost(archive: Archive, hub: OrderHub, account: Account) -> None:
    marking(archive, account)
    hub.lists = 404
    hub.add(1, 1, "PENDING")
    moves = iter(("INVOICED", "CANCELED"))

    def move(path: str) -> None:
        """It changes after it was read and before it is marked, twice."""
        if path.startswith("PUT") and (status := next(moves, None)):
            hub.orders["1"]["status"] = status
            hub.touch(1)

    hub.before = move
    assert run(archive, hub, account).marked == 3
    assert held(archive) == {"1": "CANCELED"}
    assert hub.unread == {}
    assert len({token for _, token in hub.marked}) == 3


def test_a_mark_that_is_refused_is_told_and_tried_again(archive: Archive, hub: OrderHub, account: Account) -> None:
    marking(archive, account)
    hub.add(1, 1)
    hub.refused_marks["1"] = 422
    result = run(archive, hub, account)
    assert (result.marked, result.failed) == (0, 1)
    assert "token recusado" in str(result.failures[0].reason)
    hub.refused_marks.clear()
    assert run(archive, hub, account).marked == 1


@pytest.mark.parametrize(("status", "tried"), [(403, 1), (503, 6), (422, 5)])
def test_markings_that_fail_keep_nothing_else_from_arriving(
    archive: Archive, hub: OrderHub, account: Account, status: int, tried: int
) -> None:
    marking(archive, account)
    for number in range(1, 6):
        hub.add(number, number)
    hub.refused_marks.update(dict.fromkeys(hub.orders, status))
    hub.returns = [{"id": 1, "orderId": 1}]
    result = run(archive, hub, account)
    assert (result.new, result.marked, result.returns) == (5, 0, 1)
    assert sum(path.startswith("PUT") for path in hub.asked) == tried
    assert result.failed == {403: 1, 503: 3, 422: 5}[status]
    hub.refused_marks.clear()
    assert run(archive, hub, account).marked == 5


def test_a_token_that_ends_while_marking_ends_the_run(archive: Archive, hub: OrderHub, account: Account) -> None:
    marking(archive, account)
    hub.add(1, 1)
    hub.refused_marks["1"] = 401
    with pytest.raises(HubRefusedToken):
        run(archive, hub, account)


def test_a_feed_that_never_empties_is_left_to_the_next_run(archive: Archive, hub: OrderHub, account: Account) -> None:
    marking(archive, account)
    hub.add(1, 1)
    hub.add(2, 2)

    def move(path: str) -> None:
        if path == "PUT orders/feeds/1":
            hub.touch(1)

    hub.before = move
    result = run(archive, hub, account)
    assert (result.marked, result.failed) == (feed_reading.MOST_ITEMS + 1, 0)
    assert set(hub.unread) == {"1"}


@pytest.mark.parametrize("marks", [False, True])
def test_a_broken_feed_keeps_the_list_from_nothing(
    archive: Archive, hub: OrderHub, account: Account, marks: bool
) -> None:
    if marks:
        marking(archive, account)
    hub.add(1, 1)
    hub.feeds = 503
    result = run(archive, hub, account)
    assert (result.new, result.failed) == (1, 1)
    assert "/orders/feeds" in str(result.failures[0].reason)
    assert (
        facts(archive, account).get(of_feed(HubFeed.ORDERS).has) is None
    )  # it may have one: asked again by the next run
    assert of_feed(HubFeed.ORDERS).read_at not in facts(archive, account)
    hub.feeds = 200
    assert run(archive, hub, account).marked == int(marks)


def test_a_feed_that_breaks_while_it_is_marked_keeps_the_returns_from_nothing(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    marking(archive, account)
    hub.add(1, 1)
    hub.returns = [{"id": 1, "orderId": 1}]

    def break_down(path: str) -> None:
        if path.startswith("PUT"):
            hub.feeds = 503

    hub.before = break_down
    result = run(archive, hub, account)
    assert (result.marked, result.returns, result.failed) == (1, 1, 1)


# -- files and returns -------------------------------------------------------------------------------------


def test_an_order_that_a_file_named_by_the_marketplaces_number_becomes_the_hubs(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    found = order_of_text(json.dumps({"id": "MA-7", "marketPlaceId": "MA-7", "status": "PENDING"}).encode())
    with archive.writing() as transaction:
        entry = ReceivedOrder(found.order, found.raw, orders.FILE, "2026-01-01T00:00:00+00:00")
        orders.record(transaction, archive.vault_writer, account.id, 1, [entry])
    hub.add(7, 7)
    run(archive, hub, account)
    assert held(archive) == {"7": "CONCLUDED"}
    assert versions(archive, account, "7") == 2


def test_returns_are_listed_where_there_is_a_list(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.add(1, 1)
    hub.returns = [
        {"id": n, "orderId": 1, "createdAt": (START + timedelta(days=n)).isoformat(), "type": "partial"}
        for n in range(1, 4)
    ]
    assert run(archive, hub, account).returns == 3
    assert covered(archive, account, coverage.RETURNS) == [(coverage.FOREVER[:10], "2026-04-11")]
    hub.returns[0]["status"] = "DONE"
    hub.returns.append({"orderId": 1})
    hub.now += timedelta(days=1)
    again = run(archive, hub, account)
    assert (again.returns, again.failed) == (1, 1)
    with archive.reading() as transaction:
        assert len(returns.of_order(transaction, account.id, "1")) == 3
    hub.returns.clear()
    run(archive, hub, account)
    assert hub.asked.count("GET returns") == 2  # nothing with dates is asked again without


@pytest.mark.parametrize("moved", [False, True])
def test_an_interrupted_listing_of_returns_goes_on_and_sees_what_moved(
    archive: Archive, hub: OrderHub, account: Account, moved: bool
) -> None:
    hub.returns = [
        {"id": n, "orderId": n, "createdAt": (START + timedelta(days=n / 8)).isoformat()} for n in range(1, 401)
    ]
    hub.dates_returns = True
    stop = Stop()

    def interrupt(path: str) -> None:
        if path == "GET returns" and hub.asked.count("GET returns") == 3:
            stop.set()

    hub.before = interrupt
    first = run(archive, hub, account, stop=stop)
    assert first.stopped
    assert covered(archive, account, coverage.RETURNS) == []
    hub.before = None
    if moved:  # by more than the page before the place, which is read again
        del hub.returns[:150]
    shown = {str(entry["id"]) for entry in hub.returns}
    second = run(archive, hub, account)
    with archive.reading() as transaction:
        assert [name for name in shown if not returns.of_order(transaction, account.id, name)] == []
    assert (first.returns, second.returns) == (200, 200)
    if not moved:  # from the page before the place on, and the last days: 9 requests list everything
        assert hub.asked.count("GET returns") == 6
    assert covered(archive, account, coverage.RETURNS) == [(coverage.FOREVER[:10], "2026-04-11")]


@pytest.mark.parametrize("status", [400, 404, 405, 403, 422, 410])
def test_a_hub_without_returns_is_no_failure(archive: Archive, hub: OrderHub, account: Account, status: int) -> None:
    hub.add(1, 1)
    hub.no_returns = status
    result = run(archive, hub, account)
    assert (result.new, result.failed) == (1, 0)
    assert facts(archive, account)[HAS_RETURNS] is False


def test_returns_that_break_are_told_and_asked_for_again(archive: Archive, hub: OrderHub, account: Account) -> None:
    hub.no_returns = 503
    result = run(archive, hub, account)
    assert (result.failed, "/returns" in str(result.failures[0].reason)) == (1, True)
    hub.returns = [{"id": 1}]
    assert run(archive, hub, account).returns == 1


def test_two_numbers_of_a_file_that_are_one_order_of_the_hub(archive: Archive, hub: OrderHub, account: Account) -> None:
    """The hub changes the marketplace's number between two sights of it: neither crashes, nor is one lost."""
    with archive.writing() as transaction:
        for number in ("MA-7", "MB-7"):
            found = order_of_text(json.dumps({"id": number, "marketPlaceId": number}).encode())
            entry = ReceivedOrder(found.order, found.raw, orders.FILE, "2026-01-01T00:00:00+00:00")
            orders.record(transaction, archive.vault_writer, account.id, 1, [entry])
        assert order_aliases.adopt(transaction, account.id, {"MA-7": "7", "MB-7": "7"}) == 1
    assert set(held(archive)) == {"7", "MB-7"}


def test_orders_that_an_older_version_read_are_read_again_first(
    archive: Archive, hub: OrderHub, account: Account
) -> None:
    hub.add(7, 1, partnerId="ERP-7", lastUpdate="2026-01-03T12:00:00Z")
    run(archive, hub, account)
    with archive.writing() as transaction:
        transaction.execute("UPDATE sales_order SET partner_id = NULL, updated_at = NULL, reader = NULL")
    assert run(archive, hub, account).changed == 0
    with archive.reading() as transaction:
        found = orders.one(transaction, account.id, "ERP-7")
        assert found is not None
        assert (found.hub_id, found.updated_at) == ("7", "2026-01-03T12:00:00.000+00:00")
