"""Where records say what their files are, by shape: every file can still be found by who looks in the right place."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from sandbox_hub.shapes.files import FileShapes
from sandbox_hub.shapes.names import Shape
from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import Client, name_of, sandbox

WORLD: dict[str, Any] = {"documents": 90, "seed": 9, "anomalies": "R7a=0.9", "clean_months": ()}


@pytest.fixture(scope="module")
def plain() -> dict[str, dict[str, Any]]:
    """The plain hub's details, by what tells a document from others."""
    with sandbox(**WORLD) as client:
        details = [client.detail(item) for item in client.all("/fiscalDocuments")]
    assert any(len(detail["documents"]) > len(detail["history"]) for detail in details)  # second copies
    return {name_of(detail): detail for detail in details}


def files_of(record: dict[str, Any]) -> list[tuple[str, object]]:
    """Type and path of every file, wherever it stands."""
    inside = [file for event in record["history"] for file in event.get("documents", ())]
    return [(file["type"], file["path"]) for file in [*record.get("documents", ()), *inside]]


def ids_of(detail: dict[str, Any]) -> list[tuple[str, str]]:
    return [(file["type"], file["path"]["document_item_id"]) for file in detail["documents"]]


def details_of(client: Client) -> list[dict[str, Any]]:
    return [client.detail(item) for item in client.all("/fiscalDocuments")]


def test_the_whole_detail_in_the_list(plain: dict[str, dict[str, Any]]) -> None:
    with sandbox(**WORLD, shape=("full-list",)) as client:
        for item in client.all("/fiscalDocuments"):
            lacks = {"orderId"} if item["subtype"] == "symbolic_inbound" else set()
            assert item == {k: v for k, v in plain[name_of(item)].items() if k not in lacks}


@pytest.mark.parametrize("shape", ["path-array", "path-value", "item-id", "path-array,item-id"])
def test_paths_of_other_forms(plain: dict[str, dict[str, Any]], shape: str) -> None:
    names = set()
    with sandbox(**WORLD, shape=(shape,)) as client:
        for detail in details_of(client):
            expected = ids_of(plain[name_of(detail)])
            assert all("links" not in event for event in detail["history"])
            for (kind, path), (wanted_kind, item_id) in zip(files_of(detail), expected, strict=True):
                assert kind == wanted_kind
                if "path-array" in shape:
                    assert isinstance(path, list)
                    (path,) = path
                if isinstance(path, dict):
                    names |= set(path)
                    assert list(path.values()) == [item_id]
                else:
                    assert path == item_id
    assert names == {"value"} if shape == "path-value" else names != {"value"}
    assert ("document_item_id" in names) <= (shape == "path-array")


def test_another_name_differs_by_seed_and_an_array_holds_either() -> None:
    names, kinds = set(), set()
    record = {"history": [{}], "documents": [{"type": "AUTHORIZATION", "path": {"document_item_id": "di-1"}}]}
    for seed in range(20):
        for shape in (Shape.ITEM_ID, Shape.PATH_ARRAY):
            path = FileShapes(seed, frozenset({shape}), str).detail(record)["documents"][0]["path"]
            if shape is Shape.ITEM_ID:
                names |= set(path)
            else:
                kinds.add(type(path[0]))
    assert len(names) > 1
    assert "document_item_id" not in names
    assert kinds == {str, dict}


@pytest.mark.parametrize("listed", ["", ",full-list"])
def test_files_inside_the_history_alone(plain: dict[str, dict[str, Any]], listed: str) -> None:
    with sandbox(**WORLD, shape=("history-files" + listed,)) as client:
        details = client.all("/fiscalDocuments") if listed else details_of(client)
        for detail in details:
            assert "documents" not in detail
            whole = plain[name_of(detail)]
            expected = [(file["type"], file["path"]) for file in whole["documents"]]
            assert sorted(files_of(detail), key=repr) == sorted(expected, key=repr)
            for event, file in zip(detail["history"], whole["documents"], strict=False):
                assert event["documents"][0]["path"] == file["path"]


def test_full_addresses_on_the_other_host() -> None:
    with sandbox(**WORLD) as same, sandbox(**WORLD, shape=("storage-address", "path-value")) as client:
        items = client.all("/fiscalDocuments")[:12]
        for item, twin in zip(items, same.all("/fiscalDocuments"), strict=False):
            for (_, path), (_, item_id) in zip(files_of(client.detail(item)), ids_of(same.detail(twin)), strict=True):
                assert isinstance(path, dict)
                address = httpx.URL(path["value"])
                assert (address.scheme, address.host) == ("http", "localhost")
                assert address.path.endswith("/content.xml")  # the last part alone says nothing
                body = httpx.get(address, **LOOPBACK)
                assert body.content == same.get(f"/fiscalDocuments/download/{item_id}").content
        assert client.info()["credentials_leaked"] is False


def test_a_wrapped_detail(plain: dict[str, dict[str, Any]]) -> None:
    with sandbox(**WORLD, shape=("wrapped-detail",)) as client:
        for item in client.all("/fiscalDocuments")[:20]:
            assert client.detail(item) == {"data": plain[name_of(item)]}


def test_a_list_without_ids_whose_details_answer_to_the_key(plain: dict[str, dict[str, Any]]) -> None:
    with sandbox(**WORLD, shape=("no-ids",), faults="no-id=1") as client:
        for item in client.all("/fiscalDocuments"):
            assert not {"id", "documents"} & set(item)
            assert all(set(event) == {"status", "date", "protocol"} for event in item["history"])
            if "documentKey" in item:
                assert client.ok(f"/fiscalDocuments/{item['documentKey']}") == plain[name_of(item)]
        assert client.get(f"/fiscalDocuments/{'3' * 44}").status_code == 404
    with sandbox(**WORLD) as client:
        key = next(detail["documentKey"] for detail in plain.values() if "documentKey" in detail)
        assert client.get(f"/fiscalDocuments/{key}").status_code == 404


@pytest.mark.parametrize("shape", ["last-file", "fewer-files", "last-file,history-files"])
def test_a_list_that_shows_fewer_files_than_there_are(plain: dict[str, dict[str, Any]], shape: str) -> None:
    several = 0
    with sandbox(**WORLD, shape=(shape,)) as client:
        for item in client.all("/fiscalDocuments"):
            whole = [(file["type"], file["path"]) for file in plain[name_of(item)]["documents"]]
            several += len(whole) > 1
            shown = whole[-1:] if "last-file" in shape else whole[:-1] or whole
            assert files_of(item) == shown
            assert len(item["history"]) == len(plain[name_of(item)]["history"])
            assert "id" in item
        assert files_of(client.detail(item)) == whole
    assert several > 10
