"""What downloads are wrapped in, the panel's list of all files, and which names of shapes are refused."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Callable

import pytest

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from sandbox_hub.shapes.downloads import wrapped
from sandbox_hub.shapes.names import EXCLUSIVE, Shape, in_order, read_shapes
from tests.sandbox_hub.web.client import sandbox


def unzipped(body: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(body)) as opened:
        (name,) = opened.namelist()
        return opened.read(name)


def from_json(body: bytes) -> bytes:
    told = json.loads(body)
    return told["xml"].encode() if "xml" in told else base64.b64decode(told["content"], validate=True)


@pytest.mark.parametrize(
    ("shape", "media_type", "opened"),
    [
        ("gzip-file", "application/gzip", gzip.decompress),
        ("zip-file", "application/zip", unzipped),
        ("base64-file", "text/plain", lambda body: base64.b64decode(body, validate=True)),
        ("json-file", "application/json", from_json),
        ("html-type", "text/html", bytes),
    ],
)
def test_downloads_are_wrapped(shape: str, media_type: str, opened: Callable[[bytes], bytes]) -> None:
    with sandbox(documents=20, seed=9) as same, sandbox(documents=20, seed=9, shape=(shape,)) as client:
        for file in same.panel("files")["content"][:5]:
            path = f"/fiscalDocuments/download/{file['id']}"
            answer = client.get(path)
            assert answer.headers["content-type"].split(";")[0] == media_type
            assert "content-encoding" not in answer.headers
            assert opened(answer.content) == same.get(path).content
            assert client.get(path).content == answer.content


def test_json_holds_the_text_or_base64_by_the_seed() -> None:
    bodies = [wrapped(frozenset({Shape.JSON_FILE}), seed, "di-1", b"<a/>")[0] for seed in range(20)]
    assert {name for body in bodies for name in json.loads(body)} == {"id", "xml", "content"}
    assert {from_json(body) for body in bodies} == {b"<a/>"}


def test_the_panel_knows_every_file_and_its_digest() -> None:
    with sandbox(documents=60, seed=9, anomalies="all", shape=("gzip-file",)) as client:
        told = client.panel("files", sha256=1)
        assert told["files"] == len(told["content"])
        expected = []
        with sandbox(documents=60, seed=9, anomalies="all") as same:
            for item in same.all("/fiscalDocuments"):
                for file in same.detail(item)["documents"]:
                    item_id = file["path"]["document_item_id"]
                    body = same.get(f"/fiscalDocuments/download/{item_id}").content
                    digest = hashlib.sha256(body).hexdigest()
                    expected.append((item_id, item["id"], item.get("documentKey"), digest))
        names = ("id", "document", "documentKey", "sha256")
        assert [tuple(file[name] for name in names) for file in told["content"]] == expected
        plain = client.panel("files")
        assert plain["files"] == told["files"]
        assert "sha256" not in plain["content"][0]
        assert client.info()["shape"] == ["gzip-file"]
        assert client.info()["strict_bodies"] is False


def test_names_of_shapes_are_read_from_lists() -> None:
    assert read_shapes([]) == frozenset()
    assert read_shapes(["strict, gone", "", "full-list,strict"]) == {Shape.STRICT, Shape.GONE, Shape.FULL_LIST}
    assert in_order(read_shapes(["gone,full-list"])) == ["full-list", "gone"]
    with pytest.raises(SandboxError, match=r"'round'.*full-list.*html-type"):
        read_shapes(["strict,round"])
    for group in EXCLUSIVE:
        first, second = in_order(group)[:2]
        with pytest.raises(SandboxError, match=f"{first} and {second} exclude each other"):
            read_shapes([first, second])
    with pytest.raises(SandboxError, match="exclude"), running(SandboxOptions(shape=("empty-204,empty-404",))):
        pass
