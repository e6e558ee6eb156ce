"""An order's JSON as a value: the specification's form, other spellings, and anything hostile."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.json.json_values import exact
from confere.hub.orders.order_reader import MOST_LINES, items, order, tax_id
from confere.hub.orders.orders import order_of_text
from confere.sales.order import Buyer, Order, OrderInvoice, OrderItem, OrderPayment, Shipping, Tracking
from tests.hub.documents.test_document_record import KEY
from tests.hub.json.test_json_reader import JSON

WHOLE = {
    "id": 1001,
    "createdAt": "2026-10-05T17:05:00Z",
    "status": "PAID_WAITING_DELIVERY",
    "marketPlace": "AZUL",
    "marketPlaceStatus": "em trânsito",
    "marketPlaceId": "MA-1",
    "marketPlaceShipmentStatus": "shipped",
    "transmissionStatus": "ERROR",
    "transmissionMessage": "recusado",
    "discount": 5,
    "freight": "12.50",
    "gross": 100.1,
    "total": 107.6,
    "shipping": {"city": "Santos", "state": "SP", "country": "BR", "address": "Rua A, 1", "zipCode": "11000-000"},
    "buyer": {
        "id": "b1",
        "name": "Ana",
        "email": "a@b.c",
        "document": "123.456.789-09",
        "documentType": "CPF",
        "phone": "13 9",
    },
    "payments": [{"method": "PIX", "status": "PAID", "value": 107.6}],
    "items": [
        {
            "sku": {"partnerId": "A-1"},
            "amount": 2,
            "unit": 50.05,
            "price": 50.05,
            "discount": 5,
            "gross": 100.1,
            "total": 95.1,
        }
    ],
    "invoice": {"series": "1", "number": "000055", "accessKey": KEY, "date": "2026-10-06T02:30:00-03:00"},
    "tracking": {
        "date": "2026-10-06T10:00:00Z",
        "shippedDate": "2026-10-06T11:00:00Z",
        "estimateDate": "2026-10-09T00:00:00Z",
        "deliveredDate": "2026-10-08T12:00:00Z",
        "bufferingDate": "2026-10-06T00:00:00Z",
        "carrier": "Rápida",
        "number": "BR1",
        "url": "https://x/1",
    },
}
READ = Order(
    "1001",
    created_at="2026-10-05T17:05:00+00:00",
    status="PAID_WAITING_DELIVERY",
    marketplace="AZUL",
    marketplace_id="MA-1",
    marketplace_status="em trânsito",
    shipment_status="shipped",
    transmission_status="ERROR",
    transmission_message="recusado",
    total_cents=10760,
    gross_cents=10010,
    discount_cents=500,
    freight_cents=1250,
    buyer=Buyer("b1", "Ana", "a@b.c", "12345678909", "CPF", "13 9"),
    shipping=Shipping("Santos", "SP", "BR", "Rua A, 1", "11000-000"),
    invoice=OrderInvoice(1, 55, KEY, "2026-10-06T02:30:00-03:00"),
    tracking=Tracking(
        "2026-10-06T10:00:00+00:00",
        "2026-10-06T11:00:00+00:00",
        "2026-10-09T00:00:00+00:00",
        "2026-10-08T12:00:00+00:00",
        "2026-10-06T00:00:00+00:00",
        "Rápida",
        "BR1",
        "https://x/1",
    ),
    items=(OrderItem("A-1", None, None, Decimal(2), 5005, 500, 10010, 9510),),
    payments=(OrderPayment("PIX", "PAID", 10760),),
)


def test_the_specifications_order_is_read_whole() -> None:
    assert order_of_text(json.dumps(WHOLE).encode()).order == READ


def test_numbers_and_ids_may_come_as_text_and_the_other_way_round() -> None:
    said = json.loads(json.dumps(WHOLE), parse_int=str, parse_float=str)
    assert order_of_text(json.dumps(said).encode()).order == READ


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ({"marketplace": {"name": "AZUL"}}, "marketplace", "AZUL"),
        ({"marketplaceId": 7}, "marketplace_id", "7"),
        ({"creationDate": "2026-10-05"}, "created_at", "2026-10-05T00:00:00-03:00"),
        ({"createdAt": 1791219900000}, "created_at", "2026-10-05T17:05:00+00:00"),
        ({"createdAt": "yesterday"}, "created_at", None),
        ({"total": "12,5"}, "total_cents", None),
        ({"total": True}, "total_cents", None),
        ({"customer": {"cpf": "***.456.789-**"}}, "buyer", Buyer(tax_id="***456789**")),
        ({"buyer": []}, "buyer", Buyer()),
        ({"shipping": {"state": "br-sp"}}, "shipping", Shipping(uf="SP")),
        ({"shipping": {"state": "São Paulo"}}, "shipping", Shipping()),
        ({"invoices": [{"number": 5}, {"number": 6}]}, "invoice", OrderInvoice(number=5)),
        ({"invoice": {}}, "invoice", None),
        ({"invoice": {"number": -5, "series": 10**12, "accessKey": "12"}}, "invoice", None),
        ({"tracking": None}, "tracking", None),
        ({"payment": {"type": "PIX"}}, "payments", (OrderPayment("PIX", None, None),)),
        ({"items": "none"}, "items", ()),
        ({"partnerId": "ERP-7"}, "partner_id", "ERP-7"),
        ({"marketPlaceNumber": 2000003}, "marketplace_number", "2000003"),
        ({"marketPlaceNumber": "N-1", "marketPlaceId": "I-1"}, "marketplace_id", "I-1"),
        ({"marketPlaceNumber": "N-1"}, "marketplace_id", "N-1"),
        ({"interestValue": "1.25"}, "interest_cents", 125),
        ({"fulfillment": True}, "fulfillment", "true"),
        ({"fulfillment": {"type": "FBX"}}, "fulfillment", "FBX"),
        ({"fulfillment": "SELLER"}, "fulfillment", "SELLER"),
        ({"lastUpdate": "2026-10-05T10:00:00-03:00"}, "updated_at", "2026-10-05T10:00:00-03:00"),
        (
            {"payments": [{"method": "PIX", "value": 10, "marketplaceFee": 1.5, "gatewayFee": "0.25"}]},
            "payments",
            (OrderPayment("PIX", None, 1000, 150, 25),),
        ),
        (
            {"payments": [{"value": 10, "fees": {"marketplace": 1, "gateway": 2}}]},
            "payments",
            (OrderPayment(None, None, 1000, 100, 200),),
        ),
    ],
)
def test_other_spellings_and_nonsense(said: dict[str, object], field: str, value: object) -> None:
    assert getattr(order_of_text(json.dumps({"id": 1, **said}).encode()).order, field) == value


def test_items_by_other_names() -> None:
    (found,) = items({"sku": "S", "gtin": 789, "title": "T", "quantity": "1.50", "price": "3"})
    assert found == OrderItem("S", "789", "T", Decimal("1.50"), 300, None, None, None)


def test_an_endless_order_is_read_in_part() -> None:
    assert len(items([{"amount": 1}] * (MOST_LINES + 7))) == MOST_LINES


@given(st.dictionaries(st.sampled_from([*WHOLE, "products", "customer", "invoices"]), JSON))
def test_no_json_in_any_place_raises_or_brings_a_wrong_type(said: dict[str, object]) -> None:
    found = order(said, "1")
    assert found.hub_id == "1"
    _sound(found)


def _sound(value: object) -> None:
    assert is_dataclass(value)
    for entry in fields(value):
        inner = getattr(value, entry.name)
        for one in inner if isinstance(inner, tuple) else (inner,):
            if is_dataclass(one):
                _sound(one)
            else:
                assert isinstance(one, str | int | Decimal | None)
                assert not isinstance(one, bool)


@given(st.decimals(allow_nan=True, allow_infinity=True) | st.integers() | st.text(max_size=40) | st.booleans())
def test_a_quantity_is_exact_or_none(value: object) -> None:
    found = exact(value)
    if found is not None:
        assert found == Decimal(str(value))
        assert abs(found) < 10**16


def test_a_tax_id_keeps_what_is_hidden() -> None:
    assert [tax_id(text) for text in ("12.abc.345/01DE-35", " ", 12, None)] == ["12ABC34501DE35", None, "12", None]
