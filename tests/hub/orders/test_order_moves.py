"""Moves of orders over HTTP: their bodies, what shows that they were made, and what is never sent again blindly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from confere.errors import HubUnreachable
from confere.hub.orders.early_shipment import ShipmentResult, failure_of, wait_for_result
from confere.hub.orders.order_writes import has_made, order_write, write_order
from confere.hub.orders.orders import HubOrder, order
from confere.sales.order import Order, Tracking
from confere.sales.order_moves import OrderMove, OrderMoveKind
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Asked, Reply, data

SHIPPED = OrderMove(
    OrderMoveKind.SHIPPED,
    tracking=Tracking(
        shipped_at="2026-07-14T10:00:00.250-03:00",
        estimated_at="2026-07-20T00:00:00-03:00",
        carrier="Rápida",
        number="BR1",
        url="https://x.example/BR1",
    ),
)
DELIVERED = OrderMove(OrderMoveKind.DELIVERED, tracking=Tracking(delivered_at="2026-07-19T10:00:00-03:00"))
EARLY = OrderMove(OrderMoveKind.EARLY_SHIPMENT)
RESET = Reply(fate="reset")
GOOD = data({})


def plain(kind: str) -> OrderMove:
    return OrderMove(OrderMoveKind(kind))


@pytest.mark.parametrize(
    ("move", "body"),
    [
        (plain("paid"), {"status": "PAID_WAITING_SHIP"}),
        (
            SHIPPED,
            {
                "status": "PAID_WAITING_DELIVERY",
                "tracking": {
                    "shippedDate": "2026-07-14T13:00:00Z",
                    "estimateDate": "2026-07-20T03:00:00Z",
                    "carrier": "Rápida",
                    "number": "BR1",
                    "url": "https://x.example/BR1",
                },
            },
        ),
        (DELIVERED, {"status": "PAID_WAITING_DELIVERY", "tracking": {"deliveredDate": "2026-07-19T13:00:00Z"}}),
        (plain("concluded"), {"status": "CONCLUDED"}),
        (plain("cancelled"), {"status": "CANCELED"}),
        (EARLY, {"deliveryStatus": "SHIP_CONFIRMED"}),
    ],
)
def test_the_request_is_the_specifications(move: OrderMove, body: dict[str, Any]) -> None:
    write = order_write("7/é", move)
    assert write.path == "/orders/7%2F%C3%A9"
    assert json.loads(write.body) == {"order_id": "7/é", **body}


@pytest.mark.parametrize(
    "move",
    [
        OrderMove(OrderMoveKind.SHIPPED),
        OrderMove(OrderMoveKind.SHIPPED, tracking=DELIVERED.tracking),
        OrderMove(OrderMoveKind.DELIVERED, tracking=SHIPPED.tracking),
        OrderMove(OrderMoveKind.SHIPPED, tracking=Tracking(shipped_at="soon")),
    ],
)
def test_a_shipment_or_delivery_without_its_date_makes_no_request(move: OrderMove) -> None:
    with pytest.raises(ValueError, match="has its date"):
        order_write("1", move)


@pytest.mark.parametrize(
    ("move", "found", "made"),
    [
        (plain("paid"), Order("1", status="PAID_WAITING_SHIP"), True),
        (plain("paid"), Order("1", status="PENDING"), False),
        (plain("cancelled"), Order("1", status="CANCELED"), True),
        (SHIPPED, Order("1", status="PAID_WAITING_DELIVERY"), False),
        (SHIPPED, Order("1", status="INVOICED", tracking=SHIPPED.tracking), False),
        (SHIPPED, Order("1", status="CONCLUDED", tracking=SHIPPED.tracking), True),
        (
            SHIPPED,
            Order("1", status="PAID_WAITING_DELIVERY", tracking=Tracking(shipped_at="2026-07-14T13:00:00Z")),
            False,
        ),
        (
            OrderMove(OrderMoveKind.SHIPPED, tracking=Tracking(shipped_at="2026-07-14T10:00:00-03:00")),
            Order("1", status="PAID_WAITING_DELIVERY", tracking=Tracking(shipped_at="2026-07-14T13:00:00.9Z")),
            True,
        ),
        (DELIVERED, Order("1", status="PAID_WAITING_DELIVERY", tracking=DELIVERED.tracking), True),
        (EARLY, Order("1", status="INVOICED"), False),
        (EARLY, Order("1", status="PAID_WAITING_DELIVERY"), True),
    ],
)
def test_what_shows_that_a_move_was_made(move: OrderMove, found: Order, made: bool) -> None:
    assert has_made(found, move) is made


class Hub:
    """Keeps the status of one order; `fate` of a PUT by its count: what it answers and whether it takes effect."""

    def __init__(self, fate: Callable[[int], tuple[Reply, bool]], status: str = "PENDING") -> None:
        self.status = status
        self.puts = 0
        self._fate = fate

    def __call__(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            return data({"id": 1, "status": self.status})
        self.puts += 1
        reply, arrives = self._fate(self.puts)
        if arrives:
            self.status = json.loads(asked.body).get("status", self.status)
        return reply


BEFORE = Order("1", status="PENDING")


def test_an_answer_that_got_lost_is_looked_for_before_the_same_is_sent_again(
    serve: MakeServer, connect: MakeSession
) -> None:
    arrived = Hub(lambda _: (RESET, True))
    found = write_order(connect(serve(arrived)), order_write("1", plain("paid")), BEFORE)
    assert found is not None
    assert (found.order.status, arrived.puts) == ("PAID_WAITING_SHIP", 1)
    again = Hub(lambda count: (RESET, False) if count == 1 else (GOOD, True))
    assert write_order(connect(serve(again)), order_write("1", plain("paid")), BEFORE) is not None
    assert again.puts == 2


def test_an_order_that_somebody_else_moved_meanwhile_is_not_moved_back(serve: MakeServer, connect: MakeSession) -> None:
    hub = Hub(lambda _: (RESET, False), status="CANCELED")
    with pytest.raises(HubUnreachable):
        write_order(connect(serve(hub)), order_write("1", plain("paid")), BEFORE)
    assert hub.puts == 1


@pytest.mark.parametrize("lost", [RESET, Reply(500, b"x"), Reply(302, b"", {"Location": "/x"})])
def test_an_early_shipment_is_never_sent_again(serve: MakeServer, connect: MakeSession, lost: Reply) -> None:
    hub = Hub(lambda _: (lost, False), status="INVOICED")
    with pytest.raises(Exception, match=r".+"):
        write_order(connect(serve(hub)), order_write("1", EARLY), Order("1", status="INVOICED"))
    assert hub.puts == 1


# -- what comes of an early shipment -----------------------------------------------------------------------


def told(status: str = "INVOICED", failure: str | None = None, at: str = "2026-07-14T10:00:00Z") -> dict[str, Any]:
    state = {"transmissionStatus": "OK" if failure is None else "ERROR"}
    words = {"transmissionMessage": failure} if failure else {}
    return {"id": 1, "status": status, "lastUpdate": at, **state, **words}


LATER = "2026-07-14T10:00:05Z"


@pytest.mark.parametrize(
    ("before", "answers", "result", "reads"),
    [
        (told(), [told("PAID_WAITING_DELIVERY")], ShipmentResult.SHIPPED, 1),
        (told(), [told(), told(), told("PAID_WAITING_DELIVERY")], ShipmentResult.SHIPPED, 3),
        (told(), [told(), told(failure="Não.")], ShipmentResult.DECLINED, 2),
        (told(), [told()], ShipmentResult.WAITING, 4),
        # The failure of an earlier try stands until something comes of this one.
        (told(failure="Não."), [told(failure="Não.")], ShipmentResult.WAITING, 4),
        (told(failure="Não."), [told(failure="Nunca.")], ShipmentResult.DECLINED, 1),
        (told(failure="Não."), [told(), told(failure="Não.")], ShipmentResult.DECLINED, 2),
        (told(failure="Não."), [told(failure="Não."), told(failure="Não.", at=LATER)], ShipmentResult.DECLINED, 2),
        (told(failure="Não."), [told(failure="Não."), told("CONCLUDED")], ShipmentResult.SHIPPED, 2),
        (told(), [told(failure="")], ShipmentResult.DECLINED, 1),
        (told(), [told("CANCELED")], ShipmentResult.WAITING, 4),
    ],
)
def test_the_order_is_read_until_it_shows_what_came_of_it(
    serve: MakeServer,
    connect: MakeSession,
    before: dict[str, Any],
    answers: list[dict[str, Any]],
    result: ShipmentResult,
    reads: int,
) -> None:
    server = serve([data(before), *map(data, answers)])
    session = connect(server)
    was, first = order(session, "1"), order(session, "1")
    answer = wait_for_result(session, "1", was.order, first, threading.Event(), waits=(0, 0, 0))
    assert answer.result is result
    assert len(server.asked) == 1 + reads


def test_a_stop_ends_the_waiting(serve: MakeServer, connect: MakeSession) -> None:
    server = serve([data(told())])
    session = connect(server)
    first = order(session, "1")
    stop = threading.Event()
    stop.set()
    assert wait_for_result(session, "1", first.order, first, stop).result is ShipmentResult.WAITING
    assert len(server.asked) == 1


def test_a_failure_is_known_by_its_status() -> None:
    assert failure_of(Order("1", transmission_status="OK", transmission_message="x")) is None
    assert failure_of(Order("1", transmission_status="error", transmission_message="x")) == "x"
    assert failure_of(HubOrder(Order("1"), b"").order) is None
