"""What a listing may claim: not what was never shown, not what one wrong clock says; for documents, orders, returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_text
from confere.archive.hub import coverage, shortfalls
from confere.archive.store import Archive
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.documents.sync_request import SyncRequest
from confere.intake.orders.order_sync import sync_orders
from confere.intake.orders.order_writer import OrdersRequest, OrdersResult
from tests.intake.order_hub import OrderHub
from tests.intake.served import START, Answer, serving
from tests.intake.small_hub import SmallHub

DAY = timedelta(days=1)
AGES_AHEAD, AGES_BEHIND = datetime(9999, 12, 31, tzinfo=UTC), datetime(1981, 1, 1, tzinfo=UTC)


@dataclass
class OddClock(SmallHub):
    """`odd` are answers, by their number from 0, that are dated `wrong`; None: all of them."""

    wrong: datetime = AGES_AHEAD
    odd: frozenset[int] | None = frozenset({0})
    right: datetime = field(default_factory=lambda: datetime.now(UTC))
    answers: int = 0

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        self.now = self.wrong if self.odd is None or self.answers in self.odd else self.right
        self.answers += 1
        return super().answer(method, path, query, body)


@dataclass
class ShortOrders(OrderHub):
    """`short` is the list that has an empty second page, or counts `beyond` more than it shows."""

    short: str = ""
    beyond: int = 0

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        status, told = super().answer(method, path, query, body)
        if path != f"/v2/{self.short}" or status != 200:
            return status, told
        assert isinstance(told, dict)
        if self.beyond and told["page"]["totalElements"]:
            told["page"]["totalElements"] += self.beyond
        elif not self.beyond and 100 <= int(query.get("offset", 0)) < 200:
            told["content"] = []
        return status, told


@pytest.fixture
def hub() -> Iterator[OddClock]:
    with serving(OddClock()) as running:
        yield running


@pytest.fixture
def order_hub() -> Iterator[ShortOrders]:
    with serving(ShortOrders(returns=[])) as running:
        yield running


def account_of(archive: Archive, hub: Any, environment: str = "sandbox") -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment=environment, address=hub.address, platform="p")


def run(archive: Archive, hub: SmallHub, account: Account, request: SyncRequest | None = None) -> SyncResult:
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync(archive, session, account, request)


def run_orders(archive: Archive, hub: OrderHub, account: Account, *, full: bool = False) -> OrdersResult:
    with archive.reading() as transaction:
        account = accounts.named(transaction, account.name)
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync_orders(archive, session, account, OrdersRequest(full=full))


def until(archive: Archive, account: Account, axis: str = coverage.CREATED) -> datetime:
    with archive.reading() as transaction:
        (span,) = coverage.covered(transaction, account.id, axis)
    assert span.from_at == coverage.FOREVER
    return datetime.fromisoformat(span.to_at)


@pytest.mark.parametrize("wrong", [AGES_AHEAD, AGES_BEHIND, datetime.now(UTC) + 40 * DAY])
@pytest.mark.parametrize("odd", [0, 2])
def test_one_wrong_date_of_the_hub_claims_nothing(archive: Archive, hub: OddClock, wrong: datetime, odd: int) -> None:
    hub.wrong, hub.odd = wrong, frozenset({odd})
    account = account_of(archive, hub)
    for number in range(1, 6):
        hub.add(number, number)
    run(archive, hub, account)
    assert abs(until(archive, account) - hub.right) < DAY
    assert run(archive, hub, account).new == 0
    assert abs(until(archive, account) - hub.right) < DAY


def test_a_clock_that_is_always_wrong_claims_what_is_proven(archive: Archive, hub: OddClock) -> None:
    hub.odd = None
    account = account_of(archive, hub)
    newest = max(datetime.fromisoformat(hub.add(number, number)["createdAt"]) for number in range(1, 6))
    run(archive, hub, account)
    assert abs(until(archive, account) - datetime.now(UTC)) < DAY
    hub.wrong = AGES_BEHIND
    run(archive, hub, account, SyncRequest(full=True))
    assert until(archive, account) >= newest


def test_what_an_older_release_believed_of_a_wrong_clock_is_taken_back(archive: Archive, hub: OddClock) -> None:
    hub.odd = frozenset()
    account = account_of(archive, hub)
    hub.add(1, 1)
    run(archive, hub, account)
    with archive.writing() as transaction:
        transaction.execute("UPDATE coverage SET to_at = '9999-12-31T00:00:00.000+00:00'")
    assert until(archive, account) < datetime.now(UTC) + 2 * DAY
    run(archive, hub, account)
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT max(to_at) FROM coverage") < "2999"


def test_a_demonstration_lives_in_its_own_time(archive: Archive, hub: OddClock) -> None:
    hub.odd = frozenset()
    account = account_of(archive, hub, "embedded")
    hub.add(1, 1)
    hub.right += 200 * DAY
    run(archive, hub, account)
    assert abs(until(archive, account) - hub.right) < DAY
    ahead = "2031-01-01T00:00:00.000+00:00"
    with archive.writing() as transaction:
        transaction.execute("UPDATE coverage SET to_at = ?", (ahead,))
        coverage.tidy(transaction, account.id)
    assert until(archive, account) == datetime.fromisoformat(ahead)


@pytest.mark.parametrize("beyond", [0, 650])
@pytest.mark.parametrize("short", ["orders", "returns"])
def test_orders_and_returns_that_are_short_stand_until_they_are_whole(
    archive: Archive, order_hub: ShortOrders, short: str, beyond: int
) -> None:
    account = account_of(archive, order_hub)
    order_hub.returns = []
    for number in range(1, 251):
        order_hub.add(number, number / 10)
        created = (START + timedelta(hours=number)).isoformat()
        order_hub.returns.append({"id": f"r{number}", "createdAt": created, "orderId": str(number)})
    order_hub.unread.clear()
    order_hub.short, order_hub.beyond = short, beyond
    axis = coverage.ORDERS if short == "orders" else coverage.RETURNS
    for _ in range(2):
        result = run_orders(archive, order_hub, account)
        assert (result.short, result.failed) == (1, 1)
        assert result.failures[-1].reason.params["list"] == shortfalls._LISTS[axis]
        with archive.reading() as transaction:
            (entry,) = shortfalls.every(transaction, account.id)
            assert (entry.of, entry.kind, entry.missing) == (axis, "count", beyond or 100)
            assert coverage.covered(transaction, account.id, axis) == ()
    order_hub.short = ""
    result = run_orders(archive, order_hub, account)
    assert (result.short, result.failed) == (0, 0)
    assert until(archive, account, axis)


def test_windows_are_merged_so_that_a_year_of_hours_is_a_few_rows(archive: Archive, hub: OddClock) -> None:
    hub.odd = frozenset()
    account = account_of(archive, hub)
    hub.add(1, 1)
    for _ in range(4):
        run(archive, hub, account)
    with archive.reading() as transaction:
        (span,) = coverage.covered(transaction, account.id, coverage.CREATED)
        listed, relisted = (
            coverage.last_listed(transaction, account.id),
            coverage.last_relisted(transaction, account.id),
        )
    at = hub.right - 30 * DAY
    with archive.writing() as transaction:
        for hour in range(24 * 30):
            for axis in (coverage.CREATED, coverage.UPDATED):
                window = coverage.begin(
                    transaction, account.id, 10 + hour, axis=axis, narrowed="", method=coverage.WINDOW,
                    from_at=utc_text(at + timedelta(hours=hour - 24)), to_at=utc_text(at + timedelta(hours=hour)),
                )  # fmt: skip
                coverage.finish(transaction, window.id)
        open_one = coverage.begin(
            transaction, account.id, 999, axis=coverage.CREATED, from_at=coverage.FOREVER, to_at=span.to_at,
            narrowed="", method=coverage.SCAN,
        )  # fmt: skip
        coverage.advance(transaction, open_one.id, 100)
        before = coverage.covered(transaction, account.id, coverage.CREATED)
        assert coverage.tidy(transaction, account.id) >= 2 * 24 * 30 - 4
        assert coverage.tidy(transaction, account.id) == 0
        assert coverage.covered(transaction, account.id, coverage.CREATED) == before
        assert transaction.scalar("SELECT count(*) FROM coverage") <= 8
        assert transaction.scalar("SELECT max(run_id) FROM coverage WHERE method = 'window'") == 10 + 24 * 30 - 1
        resumed = coverage.unfinished(transaction, account.id)
        assert resumed is not None
        assert (resumed.id, resumed.offset) == (open_one.id, 100)
        assert coverage.last_relisted(transaction, account.id) == relisted
        assert (coverage.last_listed(transaction, account.id) or "") >= (listed or "")
    for _ in range(3):
        run(archive, hub, account)
        with archive.reading() as transaction:
            assert transaction.scalar("SELECT count(*) FROM coverage") <= 10
