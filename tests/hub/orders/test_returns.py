"""Returns of hubs of any kind: read tolerantly, absent without an error."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given

from confere.errors import HubRefusedRequest
from confere.hub.json.json_reader import Record
from confere.hub.orders.returns import HubReturn, return_of, returns
from confere.sales.order import OrderItem, Return
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.documents.test_document_record import KEY
from tests.hub.json.test_json_reader import JSON
from tests.hub.scripted import Asked, Reply, data, page

RAW = (
    b'{"id": "r-7", "orderId": 1000123, "type": "PARTIAL", "status": "RECEIVED", "createdAt": "2026-08-07T13:15:00Z",'
    b' "total": "59.90", "invoice": {"accessKey": "' + KEY.encode() + b'"},'
    b' "items": [{"sku": {"partnerId": "A-1"}, "amount": 2, "unit": 29.95, "total": 59.9}]}'
)
RETURN = Return(
    "r-7",
    "1000123",
    "partial",
    "RECEIVED",
    "2026-08-07T13:15:00+00:00",
    KEY,
    5990,
    (OrderItem("A-1", None, None, Decimal(2), 2995, None, None, 5990),),
)


def test_the_list_and_its_dates(serve: MakeServer, connect: MakeSession) -> None:
    def answer(asked: Asked) -> Reply:
        return Reply(body=b'{"content": [' + RAW + b"]}") if "offset" not in asked.query else page([])

    hub = serve(answer)
    found = returns(connect(hub), datetime(2026, 8, 1, tzinfo=UTC), datetime(2026, 9, 1, tzinfo=UTC))
    assert found is not None
    items = {item for one in found for item in one.items}
    assert items == {HubReturn(RETURN, RAW)}
    assert hub.asked[0].path == "/v2/returns"
    assert hub.asked[0].query == {
        "createdAfter": "2026-08-01T00:00:00+00:00",
        "createdBefore": "2026-09-01T00:00:00+00:00",
        "limit": "100",
    }


def test_nothing_is_asked_for_twice_and_nothing_is_lost(serve: MakeServer, connect: MakeSession) -> None:
    def answer(asked: Asked) -> Reply:
        offset = int(asked.query.get("offset", 0))
        return page([{"id": number} for number in range(130)][offset : offset + 100], page={"totalElements": 130})

    hub = serve(answer)
    found = returns(connect(hub))
    assert found is not None
    assert {item.entry.hub_id for one in found for item in one.items} == {str(number) for number in range(130)}
    assert [asked.query.get("offset") for asked in hub.asked] == [None, "100"]


@pytest.mark.parametrize("status", [404, 405])
def test_a_hub_without_the_list_is_no_error(serve: MakeServer, connect: MakeSession, status: int) -> None:
    hub = serve([data({"message": "?"}, status)])
    assert returns(connect(hub)) is None
    assert len(hub.asked) == 1


def test_a_refusal_is_one(serve: MakeServer, connect: MakeSession) -> None:
    with pytest.raises(HubRefusedRequest, match="datas"):
        returns(connect(serve([data({"message": "datas"}, 422)])))


@pytest.mark.parametrize(
    ("written", "kind"),
    [("TOTAL", "total"), ("full", "total"), ("Parcial", "partial"), ("exchange", "exchange"), (5, "5"), (None, None)],
)
def test_kinds(written: object, kind: str | None) -> None:
    found = return_of(Record({"type": written}, b"{}"))
    assert found is not None
    assert found.entry.kind == kind


@given(JSON)
def test_any_json_is_read_without_raising(value: object) -> None:
    found = return_of(Record(value, b"{}"))
    assert (found is None) is not isinstance(value, dict)
    assert found is None or found.identity


def test_returns_without_an_id_are_told_apart_by_their_bytes() -> None:
    one, other = return_of(Record({"a": 1}, b'{"a":1}')), return_of(Record({"a": 2}, b'{"a":2}'))
    assert one is not None
    assert other is not None
    assert one.identity != other.identity


def test_the_sandboxs_returns_are_understood_whole(connect: MakeSession) -> None:
    with running(SandboxOptions(documents=300, seed=4)) as hub:
        found = returns(connect(hub.address, hub.token))
        assert found is not None
        entries = {item.entry.hub_id: item.entry for one in found for item in one.items}
    assert len(entries) > 5
    for entry in entries.values():
        assert None not in (entry.order_id, entry.kind, entry.status, entry.created_at, entry.total_cents)
        assert sum(item.total_cents or 0 for item in entry.items) == entry.total_cents
    with running(SandboxOptions(documents=20, returns=False)) as hub:
        assert returns(connect(hub.address, hub.token)) is None
