from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given

from confere.hub.json.json_reader import Record
from confere.hub.orders.orders import HubOrder, order, order_of, order_of_text, orders
from confere.sales.order import Order, OrderInvoice
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.documents.test_document_record import KEY
from tests.hub.json.test_json_reader import JSON
from tests.hub.scripted import Asked, Reply, page

RAW = (
    b'{"id": 1000123, "createdAt": "2026-08-07T13:15:00Z", "status": "INVOICED", "marketplace": "MERCADO_AZUL",'
    b' "marketPlaceId": "MA-77", "total": 129.90, "invoice": {"accessKey": "' + KEY.encode() + b'"}}'
)
ORDER = HubOrder(
    Order(
        "1000123",
        created_at="2026-08-07T13:15:00+00:00",
        status="INVOICED",
        marketplace="MERCADO_AZUL",
        marketplace_id="MA-77",
        total_cents=12990,
        invoice=OrderInvoice(access_key=KEY),
    ),
    RAW,
)


def test_one_order(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(body=RAW)])
    found = order(connect(hub), "1000123")
    assert found == ORDER
    assert (found.hub_id, found.created_at) == ("1000123", datetime(2026, 8, 7, 13, 15, tzinfo=UTC))
    assert hub.asked[0].path == "/v2/orders/1000123"


def test_the_list_and_its_filters(serve: MakeServer, connect: MakeSession) -> None:
    def answer(asked: Asked) -> Reply:
        offset = int(asked.query.get("offset", 0))
        items = [{"id": number} for number in range(130)][offset : offset + 100]
        return page(items, page={"totalElements": 130})

    hub = serve(answer)
    found = list(
        orders(
            connect(hub),
            datetime(2026, 8, 1, tzinfo=UTC),
            datetime(2026, 9, 1, tzinfo=UTC),
            status="INVOICED",
            marketplace="M",
            marketplace_id="7",
            sort="createdAt",
        )
    )
    assert {item.hub_id for one in found for item in one.items} == {str(number) for number in range(130)}
    assert hub.asked[0].query == {
        "createdAfter": "2026-08-01T00:00:00+00:00",
        "createdBefore": "2026-09-01T00:00:00+00:00",
        "status": "INVOICED",
        "marketplace": "M",
        "marketplaceId": "7",
        "sort": "createdAt",
        "limit": "100",
    }


@given(JSON)
def test_any_json_is_read_without_raising(value: object) -> None:
    found = order_of(Record(value, b"{}"))
    assert (found is None) is not isinstance(value, dict)
    assert found is None or found.identity


def test_orders_without_an_id_are_told_apart_by_their_bytes() -> None:
    one, other = order_of(Record({"a": 1}, b'{"a":1}')), order_of(Record({"a": 2}, b'{"a":2}'))
    assert one is not None
    assert other is not None
    assert (one.hub_id, one.order.hub_id) == (None, "")
    assert one.identity != other.identity


def test_kept_bytes_are_read_as_an_answer_is() -> None:
    assert order_of_text(RAW) == ORDER
    for nothing in (b"", b"[]", b"{", b'"text"', b"\xff", b"[" * 100_000):
        with pytest.raises(ValueError, match=r"."):
            order_of_text(nothing)
