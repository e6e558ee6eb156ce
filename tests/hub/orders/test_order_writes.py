"""Giving an order its invoice: exactly the bytes that were shown, once, and read back where an answer got lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from confere.errors import (
    HubAnswerUnreadable,
    HubBroken,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    HubUnreachable,
)
from confere.hub.orders.order_writes import OrderWrite, has_made, order_write, write_order
from confere.hub.orders.orders import orders
from confere.sales.order import Order, OrderInvoice
from confere.sales.order_moves import OrderMove, OrderMoveKind
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.archive.papers import key
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.documents.test_document_record import KEY
from tests.hub.scripted import Asked, Reply, data

INVOICE = OrderInvoice(1, 77, KEY, "2026-07-14T10:00:00-03:00")
MOVE = OrderMove(OrderMoveKind.INVOICED, INVOICE)
WRITE = order_write("1000123", MOVE)
BODY = (
    b'{"order_id": "1000123", "status": "INVOICED", "invoice": {"series": "1", "number": "77", "accessKey": "'
    + KEY.encode()
    + b'", "date": "2026-07-14T13:00:00Z"}}'
)


class Hub:
    """Keeps one order; `fate` of a PUT by its count: what it answers and whether it takes effect."""

    def __init__(self, fate: Callable[[int], tuple[Reply, bool]]) -> None:
        self.invoice: object = None
        self.puts: list[Asked] = []
        self._fate = fate

    def __call__(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            return data({"id": 1000123, "status": "INVOICED", "invoice": self.invoice})
        self.puts.append(asked)
        reply, arrives = self._fate(len(self.puts))
        if arrives:
            self.invoice = json.loads(asked.body)["invoice"]
        return reply


OTHER_KEY = key(78)
RESET = Reply(fate="reset")
GOOD = data({})


def test_the_request_is_the_specifications_to_the_last_byte() -> None:
    assert OrderWrite("1000123", "/orders/1000123", BODY, MOVE) == WRITE
    assert order_write("7/é", MOVE).path == "/orders/7%2F%C3%A9"
    assert json.loads(order_write('7"é', MOVE).body)["order_id"] == '7"é'


@pytest.mark.parametrize(
    "lacking",
    [
        OrderInvoice(None, 77, KEY, "2026-07-14T10:00:00-03:00"),
        OrderInvoice(1, None, KEY, "2026-07-14T10:00:00-03:00"),
        OrderInvoice(1, 77, None, "2026-07-14T10:00:00-03:00"),
        OrderInvoice(1, 77, KEY, None),
        OrderInvoice(1, 77, KEY, "soon"),
    ],
)
def test_an_invoice_that_lacks_something_makes_no_request(lacking: OrderInvoice) -> None:
    with pytest.raises(ValueError, match="an invoice has"):
        order_write("1", OrderMove(OrderMoveKind.INVOICED, lacking))


def test_it_is_sent_as_shown_and_read_back(serve: MakeServer, connect: MakeSession) -> None:
    hub = Hub(lambda _: (GOOD, True))
    server = serve(hub)
    found = write_order(connect(server), WRITE)
    assert [(asked.method, asked.target) for asked in server.asked] == [
        ("PUT", "/v2/orders/1000123"),
        ("GET", "/v2/orders/1000123"),
    ]
    assert hub.puts[0].body == BODY
    assert hub.puts[0].headers["content-type"] == "application/json"
    assert found is not None
    assert has_made(found.order, MOVE)


def test_what_the_hub_has_not_is_told_by_what_comes_back(serve: MakeServer, connect: MakeSession) -> None:
    found = write_order(connect(serve(Hub(lambda _: (GOOD, False)))), WRITE)
    assert found is not None
    assert not has_made(found.order, MOVE)
    assert not has_made(Order("1", invoice=OrderInvoice(access_key="3" * 44)), MOVE)


@pytest.mark.parametrize("lost", [RESET, Reply(500, b"x"), Reply(503, b"x"), Reply(302, b"", {"Location": "/x"})])
def test_an_answer_that_got_lost_is_looked_for_before_anything_is_repeated(
    serve: MakeServer, connect: MakeSession, lost: Reply
) -> None:
    hub = Hub(lambda _: (lost, True))
    found = write_order(connect(serve(hub)), WRITE)
    assert found is not None
    assert has_made(found.order, MOVE)
    assert len(hub.puts) == 1


def test_what_did_not_arrive_is_sent_again(serve: MakeServer, connect: MakeSession) -> None:
    hub = Hub(lambda count: (RESET, False) if count < 3 else (GOOD, True))
    server = serve(hub)
    found = write_order(connect(server), WRITE)
    assert found is not None
    assert has_made(found.order, MOVE)
    assert [asked.method for asked in server.asked] == ["PUT", "GET"] * 3
    assert {asked.body for asked in hub.puts} == {BODY}


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (RESET, HubUnreachable),
        (Reply(500, b'{"message": "quebrado"}'), HubBroken),
        (Reply(302, b"", {"Location": "/x"}), HubAnswerUnreadable),
    ],
)
def test_in_the_end_it_says_what_kept_it(
    serve: MakeServer, connect: MakeSession, reply: Reply, error: type[Exception]
) -> None:
    hub = Hub(lambda _: (reply, False))
    with pytest.raises(error):
        write_order(connect(serve(hub)), WRITE)
    assert len(hub.puts) == 3


@pytest.mark.parametrize(
    ("status", "error"),
    [(400, HubRefusedRequest), (422, HubRefusedRequest), (401, HubRefusedToken), (404, HubNotFound)],
)
def test_a_refusal_is_final_and_in_the_hubs_words(
    serve: MakeServer, connect: MakeSession, status: int, error: type[Exception]
) -> None:
    hub = Hub(lambda _: (data({"code": "X", "message": "O pedido está em CANCELED."}, status), False))
    server = serve(hub)
    with pytest.raises(error) as refused:
        write_order(connect(server), WRITE)
    assert refused.value.hub_words == "O pedido está em CANCELED. (X)"  # type: ignore[attr-defined]
    assert [asked.method for asked in server.asked] == ["PUT"]


def test_an_invoice_that_somebody_else_gave_meanwhile_is_not_overwritten(
    serve: MakeServer, connect: MakeSession
) -> None:
    hub = Hub(lambda _: (RESET, False))

    def answer(asked: Asked) -> Reply:
        if hub.puts:
            hub.invoice = {"series": "1", "number": "78", "accessKey": OTHER_KEY}
        return hub(asked)

    with pytest.raises(HubUnreachable):
        write_order(connect(serve(answer)), WRITE)
    assert len(hub.puts) == 1


@pytest.mark.parametrize("status", [400, 404])
def test_what_was_accepted_and_cannot_be_read_is_no_refusal(
    serve: MakeServer, connect: MakeSession, status: int
) -> None:
    session = connect(serve(lambda asked: GOOD if asked.method == "PUT" else data({}, status)))
    assert write_order(session, WRITE) is None


@pytest.mark.parametrize(("sent", "error"), [(GOOD, HubBroken), (RESET, HubUnreachable)])
def test_a_token_refused_at_the_reading_does_not_say_that_nothing_arrived(
    serve: MakeServer, connect: MakeSession, sent: Reply, error: type[Exception]
) -> None:
    session = connect(serve(lambda asked: sent if asked.method == "PUT" else data({}, 401)))
    with pytest.raises(error):
        write_order(session, WRITE)


def test_a_hub_that_asks_to_slow_down_is_asked_again(serve: MakeServer, connect: MakeSession) -> None:
    hub = Hub(lambda count: (data({}, 429), False) if count < 2 else (GOOD, True))
    session = connect(serve(hub))
    found = write_order(session, WRITE)
    assert found is not None
    assert has_made(found.order, MOVE)
    assert len(hub.puts) == 2
    assert session.throttled == 1


def test_a_hub_that_tears_connections_ends_with_one_change_for_each_order(connect: MakeSession, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    faults = "reset=0.25,error5xx=0.15"
    with running(SandboxOptions(documents=400, seed=39, state_file=state, faults=faults)) as hub:
        session = connect(hub.address, hub.token)
        waiting = [item.order for page in orders(session, status="PAID_WAITING_SHIP") for item in page.items]
        (sold,) = (page.items[0].order for page in islice(orders(session, status="CONCLUDED", limit=5), 1))
        assert sold.invoice is not None
        move = OrderMove(OrderMoveKind.INVOICED, sold.invoice)
        for order_id in {found.hub_id for found in waiting}:
            found = write_order(session, order_write(order_id, move))
            assert found is not None
            assert (found.order.status, has_made(found.order, move)) == ("INVOICED", True)
        assert session.retries > 0
    (section,) = (part for part in json.loads(state.read_text("utf-8"))["worlds"].values() if part["orders"])
    assert set(section["orders"]) == {found.hub_id for found in waiting}
    assert {len(changes) for changes in section["orders"].values()} == {1}
