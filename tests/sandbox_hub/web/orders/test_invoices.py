"""The invoices of posted orders: real signed documents, in every place where a document is, the same bytes always."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sandbox_hub.paper.keys import check_digit
from tests.callback_receiver import eventually, receiving
from tests.sandbox_hub.paper.test_schemas import LETTER_FIELDS, complaints
from tests.sandbox_hub.paper.test_signatures import verifies
from tests.sandbox_hub.web.client import CONTROL, Client, error_of, sandbox
from tests.sandbox_hub.web.orders.posted import BUYER, SHIPPING, invoice, invoiced, move, moved, posted

NOTE_SCHEMA = "nfe/schemas/v4_0/procNFe_v4.00.xsd"
CANCELLATION_SCHEMA = "nfe_evento_cancel/schemas/v1_0/procEventoCancNFe_v1.00.xsd"


@pytest.fixture(scope="module")
def client() -> Any:
    with sandbox(documents=60, seed=9) as found:
        yield found


def file_of(client: Client, item_id: str) -> bytes:
    response = client.get(f"/fiscalDocuments/download/{item_id}")
    assert response.status_code == 200, response.text
    return response.content


def text_of(root: etree._Element, name: str) -> str:
    (element,) = root.iter("{http://www.portalfiscal.inf.br/nfe}" + name)
    return element.text or ""


def test_the_document_is_there_before_the_order_says_so(client: Client) -> None:
    order = posted(client, marketPlace="LOJA_VERDE", marketPlaceId="LV-77", freight=15.5)
    told = invoiced(client, order["id"])
    key = told["documentKey"]
    assert client.ok(f"/orders/{order['id']}") == order
    (listed,) = client.ok("/fiscalDocuments", orderId=order["id"])["content"]
    assert (listed["documentKey"], listed["type"], listed["subtype"]) == (key, "NFE", "sale")
    assert client.all("/fiscalDocuments")[-1] == listed
    assert listed in client.all("/fiscalDocuments", documentTypeValue="sale", marketplace="LOJA_VERDE")
    assert listed not in client.all("/fiscalDocuments", documentTypeValue="inbound")
    detail = client.detail(listed)
    assert detail["documents"] == [{"type": "AUTHORIZATION", "path": {"document_item_id": told["document_item_id"]}}]
    data = file_of(client, told["document_item_id"])
    root = etree.fromstring(data)
    assert complaints(NOTE_SCHEMA, root) == []
    assert verifies(data)
    assert text_of(root, "chNFe") == key
    assert text_of(root, "vNF") == "135.50"
    assert text_of(root, "xPed") == "LV-77"
    assert str(order["id"]) in text_of(root, "xTexto")
    files = {file["id"]: file for file in client.panel("files", sha256=1)["content"]}
    assert files[told["document_item_id"]] == {
        "id": told["document_item_id"],
        "document": told["id"],
        "documentKey": key,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    assert invoiced(client, order["id"]) == told
    after = moved(client, order["id"], status="INVOICED", invoice=told["invoice"])
    assert (after["status"], after["invoice"]) == ("INVOICED", told["invoice"])
    assert client.ok("/fiscalDocuments", orderId=order["id"])["page"]["totalElements"] == 1


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"buyer": {"name": "Ana"}}, "CPF"),
        ({"buyer": {**BUYER, "name": " "}}, "nome"),
        ({"shipping": {**SHIPPING, "state": "XX"}}, "estado"),
        ({"status": "PENDING"}, "PENDING"),
    ],
)
def test_what_cannot_be_invoiced_is_refused(client: Client, fields: dict[str, Any], word: str) -> None:
    order = posted(client, **fields)
    response = invoice(client, order["id"])
    assert response.status_code == 422
    assert word in error_of(response)["message"]
    assert client.ok("/fiscalDocuments", orderId=order["id"])["content"] == []


def test_the_panel_refuses_what_it_does_not_know(client: Client) -> None:
    world_order = client.ok("/orders")["content"][0]["id"]
    for body, status in (
        ({"orderId": world_order}, 404),
        ({"orderId": 5 * 10**8 + 10**6}, 404),
        ({"orderId": "500000000"}, 422),
        ({"orderId": True}, 422),
        ({"orderId": 1, "environment": "other"}, 422),
        ({}, 400),
    ):
        response = client.http.post(f"{client.hub.panel}/invoices", headers=CONTROL, json=body)
        assert response.status_code == status, body
        error_of(response)
    assert client.http.post(f"{client.hub.panel}/invoices", json={"orderId": 1}).status_code == 403


def test_every_kind_of_order_gives_a_valid_note(client: Client) -> None:
    brand = client.post("/brands", {"name": "Nova"}).json()["id"]
    product = {
        "title": "Caixa & tampa <grande>",
        "brand": {"id": str(brand)},
        "category": {"id": "101"},
        "priceFactor": 1,
        "nbm": {"id": "4819.10.00"},
        "origin": {"id": "1"},
        "skus": [{"title": "Caixa “grande”", "partnerId": "CX/1", "price": 10.01, "ean": "SEM"}],
    }
    assert client.post("/products", product).status_code == 201
    bare = {**product, "title": "Solta", "skus": [{"title": " ", "partnerId": "CX/2", "price": 3}]}
    del bare["nbm"], bare["origin"]
    assert client.post("/products", bare).status_code == 201
    items = [
        {"sku": {"partnerId": "CX/1"}, "amount": 3.3333, "discount": 1},
        {"sku": {"partnerId": "CX/2"}, "amount": 1, "discount": 3},
        {"sku": {"partnerId": "SKU-0010"}, "amount": 1},
    ]
    gross = sum(posted(client, items=[item])["total"] for item in items)
    company = {"name": "Oficina LTDA", "document": "11.222.333/0001-81", "documentType": "CNPJ"}
    for number, fields in enumerate(
        (
            {"items": items, "discount": 4 + gross - 0.05},  # nearly all of it: no line below nothing
            {"items": items, "interestValue": 2.5, "freight": 7},
            {"items": items, "buyer": company, "shipping": {**SHIPPING, "state": "sp", "city": "Ilhabela"}},
            {"items": items, "shipping": {"state": "TO"}, "payments": [{"method": "VALE"}]},
            {"items": items, "shipping": {"state": "MT", "city": "cuiabá", "address": "X"}, "payments": []},
            {"marketPlace": "LOJA_VERDE", "fulfillment": True},
        )
    ):
        order = posted(client, marketPlaceId=f"number {number}, longer than an xPed", **fields)
        data = file_of(client, invoiced(client, order["id"])["document_item_id"])
        root = etree.fromstring(data)
        assert complaints(NOTE_SCHEMA, root) == [], fields
        assert verifies(data)
        assert text_of(root, "vNF") == f"{order['total']:.2f}"


def test_an_order_that_the_marketplace_fulfils_is_invoiced_when_it_is_paid(client: Client) -> None:
    order = posted(client, status="PENDING", fulfillment=True)
    assert client.ok("/fiscalDocuments", orderId=order["id"])["content"] == []
    moved(client, order["id"], status="PAID_WAITING_SHIP")
    (listed,) = client.ok("/fiscalDocuments", orderId=order["id"])["content"]
    assert listed["cfop"] in ("6105", "6106")
    assert invoiced(client, order["id"])["id"] == listed["id"]


def test_an_invoice_of_the_sellers_own_is_held_once_it_is_written(client: Client) -> None:
    """Whose key is one of a company of this seller; any other key is written and no document comes of it."""
    given = invoiced(client, posted(client)["id"])["invoice"]
    order = posted(client)
    own = given["accessKey"]
    body = own[:22] + "004" + "000000815" + own[34:43]
    key = body + check_digit(body)
    note = {"series": "4", "number": "815", "accessKey": key, "date": given["date"]}
    moved(client, order["id"], status="INVOICED", invoice=note)
    (listed,) = client.ok("/fiscalDocuments", orderId=order["id"])["content"]
    assert listed["documentKey"] == key
    file = client.detail(listed)["documents"][0]["path"]["document_item_id"]
    root = etree.fromstring(file_of(client, file))
    assert (text_of(root, "serie"), text_of(root, "nNF"), text_of(root, "chNFe")) == ("4", "815", key)
    assert complaints(NOTE_SCHEMA, root) == []
    stranger = body[:6] + "11222333000181" + body[20:]
    for changed, date in ((stranger, given["date"]), (body, "2026-09-01T00:00:00Z")):
        other = posted(client)
        strange = {**note, "accessKey": changed + check_digit(changed), "date": date}
        assert moved(client, other["id"], status="INVOICED", invoice=strange)["invoice"] == strange
        assert client.ok("/fiscalDocuments", orderId=other["id"])["content"] == []


def test_a_cancellation_of_it_is_an_event_like_any(client: Client) -> None:
    told = invoiced(client, posted(client)["id"])
    assert client.cancel(told["documentKey"]).status_code == 200
    assert client.cancel(told["documentKey"]).status_code == 422
    detail = client.ok(f"/fiscalDocuments/{told['id']}")
    assert [event["status"] for event in detail["history"]] == ["AUTHORIZED", "CANCELLED"]
    data = file_of(client, detail["documents"][1]["path"]["document_item_id"])
    found = complaints(CANCELLATION_SCHEMA, etree.fromstring(data))
    assert [told for _, told in found if not any(field in told for field in LETTER_FIELDS)] == []
    assert verifies(data)
    assert client.forget(told["id"]).status_code == 200
    assert client.get(f"/fiscalDocuments/{told['id']}").status_code == 404


def test_it_is_announced_and_its_bytes_stay_the_same(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with (
        receiving() as receiver,
        sandbox(documents=60, seed=4, state_file=state, callback=receiver.address) as client,
    ):
        told = invoiced(client, posted(client)["id"])
        assert eventually(lambda: receiver.ids == [told["id"]])
        assert receiver.received[0].body["content"]["metadata"] == {
            "documentTypeValue": "sale",
            "marketplace": "MERCADO_AZUL",
            "type": "NFE",
        }
        data = file_of(client, told["document_item_id"])
        client.cancel(told["documentKey"])
        assert eventually(lambda: receiver.ids == [told["id"]] * 2)
    with sandbox(documents=60, seed=4, state_file=state) as client:
        change = {"title": "Outro", "nbm": {"id": "48191000"}}
        product = client.ok("/stocks", partnerId="SKU-0002")["content"][0]["id"]
        assert client.put(f"/products/{product}", change).status_code in (200, 404)
        client.move_clock("2026-12-24T00:00:00-03:00")
        assert file_of(client, told["document_item_id"]) == data
        client.move_clock("2026-10-01T00:00:00-03:00")
        assert client.get(f"/fiscalDocuments/{told['id']}").status_code == 404
        assert told["id"] not in {file["document"] for file in client.panel("files")["content"]}
    with sandbox(documents=60, seed=4) as client:  # another hub of the same seed, the same order: the same document
        again = invoiced(client, posted(client)["id"])
        assert file_of(client, again["document_item_id"]) == data


def test_invoices_come_between_documents_by_the_time_at_which_they_came() -> None:
    with sandbox(documents=200, seed=4, clock="2026-06-01T00:00:00-03:00") as client:
        told = invoiced(client, posted(client)["id"])
        client.move_clock("2026-11-01T00:00:00-03:00")
        documents = client.all("/fiscalDocuments")
        created = [item["createdAt"] for item in documents]
        assert created == sorted(created)
        place = [item.get("id") for item in documents].index(told["id"])
        assert 50 < place < 150
        since = client.all("/fiscalDocuments", createdAtFrom="2026-06-01T00:00:00-03:00")
        assert since == documents[place:]
        changed = client.all("/fiscalDocuments", lastUpdateTo="2026-06-01T00:00:00-03:00")
        assert told["id"] in {item.get("id") for item in changed}


def test_shapes_hold_for_invoices_too() -> None:
    with sandbox(documents=60, shape=("no-ids", "gzip-file")) as client:
        told = invoiced(client, posted(client)["id"])
        (listed,) = client.ok("/fiscalDocuments", orderId=told["orderId"])["content"]
        assert "id" not in listed
        assert client.ok(f"/fiscalDocuments/{told['documentKey']}")["id"] == told["id"]
        assert file_of(client, told["document_item_id"])[:2] == b"\x1f\x8b"


def test_a_move_that_is_refused_issues_nothing() -> None:
    with sandbox(documents=60) as client:
        order = posted(client, status="PENDING", fulfillment=True)
        assert move(client, order["id"], status="CONCLUDED", tracking={"shippedDate": "x"}).status_code == 422
        assert client.ok("/fiscalDocuments", orderId=order["id"])["content"] == []
