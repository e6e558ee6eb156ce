from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.documents.document_record import (
    HubDocument,
    HubHistory,
    HubItem,
    HubRelated,
    access_key,
    document,
    other_names,
)
from confere.hub.json.json_reader import Record
from tests.hub.json.test_json_reader import JSON

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
        place="documents[].path.document_item_id",
    )


def two(*entries: dict[str, Any]) -> dict[str, Any]:
    kinds = ("AUTHORIZATION", "CANCELLATION")
    return {"documents": [{"type": kind, **entry} for kind, entry in zip(kinds, entries, strict=True)]}


def past(*entries: dict[str, Any]) -> dict[str, Any]:
    statuses = ("AUTHORIZED", "CANCELLED")
    return {"history": [{"status": status, **entry} for status, entry in zip(statuses, entries, strict=True)]}


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
    assert (found.place, found.complete) == ("history[].links[].href", True)


# A name of the shape, a record's own fields, the files that are understood, and where they stood.
SHAPES: dict[str, tuple[dict[str, Any], list[str], str | None]] = {
    "array of ids": (two({"path": ["it-1"]}, {"path": ["it-2"]}), ["it-1", "it-2"], "documents[].path[]"),
    "array of objects": (
        two({"path": [{"document_item_id": "it-1"}]}, {"path": [{"id": "it-2"}]}),
        ["it-1", "it-2"],
        "documents[].path[]",
    ),
    "array of segments": (
        two(*({"path": ["v2", "fiscalDocuments", "download", f"it-{n}"]} for n in (1, 2))),
        ["it-1", "it-2"],
        "documents[].path[]",
    ),
    "array of two files": ({"documents": [{"path": ["it-1", "it-2"]}]}, ["it-1", "it-2"], "documents[].path[]"),
    "path with a value": (
        two({"path": {"value": "it-1"}}, {"path": {"value": "/v2/fiscalDocuments/download/it-2"}}),
        ["it-1", "it-2"],
        "documents[].path.value",
    ),
    "path with a link": (
        two({"path": {"href": "/a/download/it-1"}}, {"path": {"href": "/a/download/it-2"}}),
        ["it-1", "it-2"],
        "documents[].path.value",
    ),
    "path with an odd id": (two({"path": {"idArquivo": 1}}, {"path": {"idArquivo": 2}}), ["1", "2"], None),
    "id, type and path": (
        two({"id": 7, "path": "it-1"}, {"id": 8, "path": "it-2"}),
        ["it-1", "it-2"],
        "documents[].path",
    ),
    "the same path and ids": (two({"id": 7, "path": "/xml"}, {"id": 8, "path": "/xml"}), ["7", "8"], "documents[].id"),
    "fileId": (two({"fileId": "it-1"}, {"fileId": "it-2"}), ["it-1", "it-2"], "documents[].document_item_id"),
    "itemId": (two({"itemId": "it-1"}, {"itemId": "it-2"}), ["it-1", "it-2"], "documents[].document_item_id"),
    "uuid": (two({"uuid": "it-1"}, {"uuid": "it-2"}), ["it-1", "it-2"], "documents[].uuid"),
    "an id of its own name": (
        two({"xmlStorageId": "it-1", "paid": "no"}, {"xmlStorageId": "it-2", "paid": "no"}),
        ["it-1", "it-2"],
        "documents[].xmlStorageId",
    ),
    "the record's id beside the file's": (
        two({"documentId": "fd-1", "guid": "it-1"}, {"documentId": "fd-1", "guid": "it-2"}),
        ["it-1", "it-2"],
        "documents[].guid",
    ),
    "one file with the record's id": ({"documents": [{"id": "fd-1"}]}, ["fd-1"], "documents[].id"),
    "bare ids": ({"documents": ["it-1", "it-2"]}, ["it-1", "it-2"], "documents[].path"),
    "by kind": (
        {"documents": {"AUTHORIZATION": {"path": "it-1"}, "CANCELLATION": {"path": "it-2"}}},
        ["it-1", "it-2"],
        "documents[].path",
    ),
    "files": ({"files": [{"path": "it-1"}, {"path": "it-2"}]}, ["it-1", "it-2"], "files[].path"),
    "links of each": (
        two(*({"links": [{"rel": "download", "href": f"/x/download/it-{n}"}]} for n in (1, 2))),
        ["it-1", "it-2"],
        "documents[].links[].href",
    ),
    "a file within": (two({"file": {"id": "it-1"}}, {"file": {"id": "it-2"}}), ["it-1", "it-2"], "documents[].file"),
    "history: path": (past({"path": "it-1"}, {"path": {"value": "it-2"}}), ["it-1", "it-2"], "history[].path"),
    "history: documents": (
        past({"id": 5, "documents": [{"id": "it-1"}]}, {"id": 6, "documents": [{"id": "it-2"}]}),
        ["it-1", "it-2"],
        "history[].documents[].id",
    ),
    "history: files": (past({"files": ["it-1"]}, {"files": ["it-2"]}), ["it-1", "it-2"], "history[].files[].path"),
    "history: ids are of the events": (past({"id": "e-1"}, {"id": "e-2"}), [], None),
    "storage": (
        two(*({"path": f"https://files.example.com/n/{n}.xml?X-Amz-Date=1&X-Amz-Signature=a{n}"} for n in (1, 2))),
        ["https://files.example.com/n/1.xml", "https://files.example.com/n/2.xml"],
        "documents[].path",
    ),
    "storage, told apart by the query": (
        two(*({"url": f"https://files.example.com/get?f={n}&Expires=9&Signature=a"} for n in (1, 2))),
        ["https://files.example.com/get?f=1", "https://files.example.com/get?f=2"],
        "documents[].url",
    ),
    "history: storage": (
        past({"url": "https://files.example.com/1.xml"}, {"url": "https://files.example.com/2.xml"}),
        ["https://files.example.com/1.xml", "https://files.example.com/2.xml"],
        "history[].url",
    ),
    "the record's own link": ({"links": [{"rel": "download", "href": "/download/it-1"}]}, ["it-1"], "links[].href"),
    "nothing": ({}, [], None),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_where_files_may_be(shape: str) -> None:
    fields, wanted, place = SHAPES[shape]
    found = read({"id": "fd-1", "documentKey": KEY, **fields})
    assert [item.item_id for item in found.items] == wanted
    assert found.unread == 0
    if place is not None:
        assert found.place == place
    assert found.complete == bool(wanted)


@pytest.mark.parametrize("wrapper", ["data", "content", "fiscalDocument", "list", "data.document"])
def test_a_record_with_something_around_it(wrapper: str) -> None:
    inner: Any = FULL
    for name in reversed(wrapper.split(".")):
        inner = [inner] if name == "list" else {name: inner}
    found = read(inner)
    assert (found.hub_id, found.access_key, len(found.items)) == ("fd-1", KEY, 2)
    assert found.raw == json.dumps(inner).encode()


def test_an_address_keeps_its_name_while_its_signature_changes() -> None:
    def of(signature: str) -> HubItem:
        address = f"https://user:pw@Files.example.com/nfe/{KEY}-nfe.xml?{signature}#top"
        (item,) = read({"documents": [{"path": address}]}).items
        assert item.address == address
        return item

    names = {of(signature).item_id for signature in ("sig=1&se=2", "whatever=77", "X-Amz-Signature=5")}
    assert names == {f"https://files.example.com/nfe/{KEY}-nfe.xml"}


@pytest.mark.parametrize(
    ("addresses", "name"),
    [
        (
            ("http://Localhost:34037/s/di-1/c.xml?sig=1&se=2", "http://localhost:45001/s/di-1/c.xml"),
            "http://localhost/s/di-1/c.xml",
        ),
        (("https://[::1]:1/s/di-1.xml", "https://[::1]/s/di-1.xml"), "https://[::1]/s/di-1.xml"),
    ],
)
def test_an_address_keeps_its_name_at_another_port(addresses: tuple[str, ...], name: str) -> None:
    """A storage that is started anew answers at another port: nothing is fetched again for that."""
    items = [item for address in addresses for item in read({"documents": [{"path": address}]}).items]
    assert [(item.item_id, item.address) for item in items] == [(name, address) for address in addresses]


def test_an_address_of_the_hubs_own_download_is_its_id() -> None:
    (item,) = read({"documents": [{"path": "https://elsewhere.example.com/v2/fiscalDocuments/download/it-1"}]}).items
    assert item == HubItem("it-1", None)


def test_what_names_files_in_no_known_way_is_counted() -> None:
    found = read({"documents": [{"type": "AUTHORIZATION", "place": {"shelf": [4]}}, {"type": "X", "path": "it-2"}]})
    assert ([item.item_id for item in found.items], found.unread, found.complete) == (["it-2"], 1, False)


def test_fewer_files_than_events_is_not_complete() -> None:
    found = read({"documents": [{"path": "it-2"}], "history": [{"status": "AUTHORIZED"}, {"status": "CANCELLED"}]})
    assert (len(found.items), found.unread, found.complete) == (1, 0, False)


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
    {
        *FULL,
        *("path", "links", "href", "rel", "document_item_id", "date", "status", "order", "related", "events"),
        *("data", "content", "files", "file", "value", "url", "fileId", "uuid", "xmlId"),
    }
)
LIKE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from([KEY, "2026-08-07", "//[", "https://a/b?c"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=30,
)


@given(st.dictionaries(st.sampled_from(NAMES), LIKE, max_size=12) | JSON)
def test_any_json_is_read_without_raising(value: object) -> None:
    found = document(Record(value, b"{}"))
    assert found is not None or not isinstance(value, dict)
    if found is not None:
        assert found.identity
        hash(found)
        for item in found.items:
            assert item.item_id.encode()
            assert item.item_id not in other_names(Record(value, b"{}"), item.item_id)
