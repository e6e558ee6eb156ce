from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.contract import HubDocument, HubHistory, HubItem, HubRelated, access_key, document
from confere.hub.json_text import Record
from tests.hub.test_json_text import JSON

KEY = "35260812345678000195550010000001231000001234"
LETTERS = "35260812ABC34501DE35550010000001231000001237"
FULL = {
    "id": "fd-1",
    "documentKey": KEY,
    "type": "NFE",
    "subtype": "sale",
    "cfop": "5102",
    "createdAt": "2026-08-07T10:15:00-03:00",
    "lastUpdate": "2026-08-09T08:00:00.000Z",
    "marketplace": "MERCADO_AZUL",
    "orderId": 1000123,
    "metadata": {"documentTypeValue": "sale", "emitter": "12345678000195", "count": 2, "test": False, "list": [1]},
    "history": [
        {
            "status": "AUTHORIZED",
            "date": "2026-08-07T10:15:00-03:00",
            "protocol": 135260000000001,
            "description": "Autorizado",
            "links": [
                {"rel": "self", "href": "/x"},
                {"rel": "download", "href": "/v2/fiscalDocuments/download/it%2F1"},
            ],
        },
        {
            "status": "CANCELLED",
            "links": [{"rel": "download", "href": "https://h/v2/fiscalDocuments/download/it-2?x=1"}],
        },
    ],
    "relatedDocuments": [{"documentKey": LETTERS.lower(), "type": "NFE", "relation": "REFERENCES"}, KEY],
    "documents": [
        {"type": "AUTHORIZATION", "path": {"document_item_id": "it/1"}},
        {"type": "CANCELLATION", "path": {"document_item_id": "it-2"}},
    ],
}


def read(value: Any) -> HubDocument:
    found = document(Record(value, json.dumps(value).encode()))
    assert found is not None
    return found


def test_a_full_record() -> None:
    found = read(FULL)
    brasilia = timezone(timedelta(hours=-3))
    assert found == HubDocument(
        hub_id="fd-1",
        access_key=KEY,
        type="NFE",
        subtype="sale",
        cfop="5102",
        document_type_value="sale",
        marketplace="MERCADO_AZUL",
        order_id="1000123",
        created_at=datetime(2026, 8, 7, 10, 15, tzinfo=brasilia),
        updated_at=datetime(2026, 8, 9, 5, 0, tzinfo=brasilia),
        metadata=(("documentTypeValue", "sale"), ("emitter", "12345678000195"), ("count", "2"), ("test", "false")),
        history=(
            HubHistory("AUTHORIZED", "2026-08-07T10:15:00-03:00", "135260000000001", "it/1", "Autorizado"),
            HubHistory("CANCELLED", None, None, "it-2", None),
        ),
        related=(HubRelated(LETTERS, "NFE", "REFERENCES"), HubRelated(KEY, None, None)),
        items=(HubItem("it/1", "AUTHORIZATION"), HubItem("it-2", "CANCELLATION")),
        complete=True,
        raw=json.dumps(FULL).encode(),
    )


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("access_key", ["documentKey", "accessKey", "access_key", "key", "chave", "metadata.documentKey"]),
        ("created_at", ["createdAt", "creationDate", "created", "created_at"]),
        ("updated_at", ["lastUpdate", "updatedAt", "lastUpdateAt", "updateDate"]),
        ("order_id", ["orderId", "order_id", "order.id", "metadata.orderId"]),
        ("marketplace", ["marketplace", "marketPlace", "metadata.marketplace"]),
        ("document_type_value", ["documentTypeValue", "metadata.documentTypeValue"]),
    ],
)
def test_a_field_under_any_of_its_names(field: str, names: list[str]) -> None:
    value = {"access_key": f"NFe{KEY}", "created_at": "2026-08-07", "updated_at": "2026-08-07"}.get(field, "x")
    for name in names:
        outer, _, inner = name.partition(".")
        found = read({outer: {inner: value} if inner else value})
        assert getattr(found, field) is not None, name
        nonsense = read({outer: {inner: []} if inner else []})
        assert getattr(nonsense, field) is None, name


@pytest.mark.parametrize(
    "listed",
    [
        {"path": {"document_item_id": "it 1"}},
        {"path": {"documentItemId": "it 1"}},
        {"path": {"id": "it 1"}},
        {"documentItemId": "it 1"},
        {"path": "/v2/fiscalDocuments/download/it%201"},
        {"path": "https://hub.example.com/v2/fiscalDocuments/download/it%201/?v=1"},
        {"path": "it%201"},
        {"path": "files/it%201"},
    ],
)
def test_a_file_however_its_path_is_written(listed: dict[str, Any]) -> None:
    assert read({"documents": [listed]}).items == (HubItem("it 1", None),)


def test_files_that_only_the_history_knows() -> None:
    found = read({"history": FULL["history"]})
    assert found.items == (HubItem("it/1", "AUTHORIZED"), HubItem("it-2", "CANCELLED"))
    assert not found.complete


def test_what_tells_records_apart() -> None:
    assert read(FULL).identity == "id:fd-1"
    without_id = {name: value for name, value in FULL.items() if name != "id"}
    assert read(without_id).identity == f"key:{KEY}"
    assert read({"documents": FULL["documents"]}).identity == "item:it/1"
    bare = read({"type": "NFE"})
    assert bare.identity == f"raw:{hashlib.sha256(bare.raw).hexdigest()}"


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (KEY, KEY),
        (f" {KEY[:22]} {KEY[22:]} ", KEY),
        (f"NFe{KEY}", KEY),
        (f"CTe{KEY}", KEY),
        (LETTERS.lower(), LETTERS),
        (KEY[:-1], None),
        (f"{KEY}0", None),
        ("", None),
        (int(KEY), KEY),
        ([], None),
    ],
)
def test_keys(value: object, key: str | None) -> None:
    assert access_key(value) == key


NAMES = sorted(
    {*FULL, "path", "links", "href", "rel", "document_item_id", "date", "status", "order", "related", "events"}
)
LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from([KEY, "2026-08-07", "//["]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=30,
)


@given(st.dictionaries(st.sampled_from(NAMES), LIKE, max_size=12) | JSON)
def test_any_json_is_read_without_raising(value: object) -> None:
    found = document(Record(value, b"{}"))
    assert (found is None) is not isinstance(value, dict)
    if found is not None:
        assert found.identity
        hash(found)
        for item in found.items:
            assert item.item_id.encode()
