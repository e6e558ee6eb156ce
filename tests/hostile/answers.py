"""Hubs that answer to harm: bombs, lies, drips and lists without end, over plain sockets on loopback."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import zstandard

from tests.archive.papers import key, note
from tests.hostile.files import XML


@dataclass
class Raw:
    """An answer as it goes over the wire. `pieces` may wait, and may never end."""

    pieces: Iterator[bytes]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    head: Iterator[bytes] | None = None  # in place of the status line and the headers


Handle = Callable[[str, dict[str, str]], Raw | None]
"""The path and the query to an answer; None for an honest one."""
Build = Callable[[int], Handle]
_PATH = "/v2/fiscalDocuments"


def record(number: int, **more: object) -> dict[str, object]:
    moment = f"2026-02-01T10:00:{number % 60:02d}-03:00"
    return {
        "id": f"fd-{number}",
        "documentKey": key(number % 999_999_999),
        "type": "NFE",
        "subtype": "sale",
        "createdAt": moment,
        "lastUpdate": moment,
        "documents": [{"type": "AUTHORIZATION", "path": {"document_item_id": f"n{number}"}}],
        **more,
    }


def page(items: list[dict[str, object]], **told: object) -> bytes:
    return json.dumps({"content": items, "page": {"totalElements": len(items), **told}, "links": []}).encode()


def raw(body: bytes, encoding: str = "", status: int = 200, **headers: str) -> Raw:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if encoding:
        named["Content-Encoding"] = encoding
    return Raw(iter([body]), status, {"Content-Length": str(len(body)), "Content-Type": "application/json", **named})


def honest(path: str, _: dict[str, str]) -> Raw:
    """A hub of three documents."""
    if path == _PATH:
        return raw(page([record(number) for number in range(1, 4)]))
    if path.startswith(f"{_PATH}/download/n"):
        return raw(note(int(path.rpartition("n")[2])), Content_Type="application/xml")
    return raw(b'{"message": "nothing here"}', status=404)


def _lists(make: Callable[[dict[str, str]], Raw]) -> Handle:
    return lambda path, query: make(query) if path == _PATH else None


def _downloads(make: Callable[[], Raw]) -> Handle:
    return lambda path, _: make() if "/download/" in path else None


def _details(make: Callable[[], Raw]) -> Handle:
    """The list shows records without files, so that each is asked for."""
    bare = [{**record(number), "documents": None} for number in range(1, 4)]

    def handle(path: str, _: dict[str, str]) -> Raw | None:
        if path == _PATH:
            return raw(page(bare))
        return None if "/download/" in path else make()

    return handle


def _bodies(body: Callable[[int], bytes], encoding: str = "", status: int = 200) -> Build:
    """A list whose body is this."""

    def build(size: int) -> Handle:
        made = body(size)
        return _lists(lambda _: raw(made, encoding, status))

    return build


def _files(body: Callable[[int], bytes], encoding: str = "") -> Build:
    def build(size: int) -> Handle:
        made = body(size)
        return _downloads(lambda: raw(made, encoding, Content_Type="application/xml"))

    return build


def _drip(piece: bytes = b" ", seconds: float = 10.0) -> Iterator[bytes]:
    while True:
        yield piece
        time.sleep(seconds)


def _endless(piece: bytes) -> Iterator[bytes]:
    while True:
        yield piece


def _fresh_pages(query: dict[str, str], **told: object) -> Raw:
    offset, limit = int(query.get("offset", 0)), int(query.get("limit", 5))
    items = [record(offset + number + 1) for number in range(limit)]
    return raw(json.dumps({"content": items, **told}).encode())


def _filled(size: int) -> bytes:
    return page([record(1, note="x" * size)])


def _packed(times: int, make: Callable[[int], bytes]) -> Callable[[int], bytes]:
    def body(size: int) -> bytes:
        data = make(size)
        for _ in range(times):
            data = gzip.compress(data)
        return data

    return body


def _spaces(size: int) -> bytes:
    return b" " * size + page([record(1)])


def _listing(items: bytes) -> bytes:
    return b'{"content": [' + items + b"]}"


def _values(piece: bytes) -> Callable[[int], bytes]:
    return lambda size: _listing(piece * (size // len(piece)) + piece.rstrip(b","))


def _redirect(where: str) -> Build:
    return lambda _: _lists(lambda query: raw(b"", status=302, Location=where))


ANSWERS: dict[str, Build] = {
    "gzip bomb in the list": _bodies(_packed(1, lambda size: _spaces(16 * size)), "gzip"),
    "gzip in gzip": _bodies(_packed(2, lambda size: _spaces(16 * size)), "gzip, gzip"),
    "gzip in gzip, told once": _bodies(_packed(2, lambda size: _spaces(16 * size)), "gzip"),
    "deflate bomb": _bodies(lambda size: zlib.compress(_spaces(16 * size)), "deflate"),
    "zstd bomb": _bodies(lambda size: zstandard.compress(_spaces(16 * size)), "zstd"),
    "brotli, not asked for": _bodies(lambda _: b"\x0b\x02\x80hello\x03", "br"),
    "thirty encodings": _bodies(_packed(1, lambda _: page([])), ", ".join(["gzip"] * 30)),
    "gzip members without end": _bodies(lambda size: gzip.compress(b"") * (size // 20), "gzip"),
    "gzip that is none": _bodies(lambda _: b"no gzip at all", "gzip"),
    "gzip cut short": _bodies(lambda _: gzip.compress(page([record(1)]))[:-12], "gzip"),
    "gzip bomb in a download": _files(_packed(1, lambda size: XML["elements"](16 * size)), "gzip"),
    "gzip bomb in an error": _bodies(lambda size: gzip.compress(bytes(16 * size)), "gzip", 503),
    "a large body": _bodies(_spaces),
    "a body without end": lambda _: _lists(lambda _: Raw(_endless(b" " * 65_536))),
    "a download without end": lambda _: _downloads(lambda: Raw(_endless(b"<a>" * 20_000))),
    "an error without end": lambda _: _lists(lambda _: Raw(_endless(b"x" * 65_536), 500)),
    "fields of 10 MB": _bodies(lambda size: _filled(min(size, 10_000_000))),
    "a field of the whole size": _bodies(_filled),
    "empty objects": _bodies(_values(b"{},")),
    "empty lists": _bodies(_values(b"[],")),
    "numbers": _bodies(_values(b"1.5,")),
    "texts": _bodies(_values(b'"",')),
    "records without end": _bodies(lambda size: _listing(b",".join([json.dumps(record(1)).encode()] * (size // 280)))),
    "names without end": _bodies(
        lambda size: _listing(b"{" + b",".join(b'"%d":1' % n for n in range(size // 9)) + b"}")
    ),
    "deep lists": _bodies(lambda size: b"[" * size),
    "deep objects": _bodies(lambda size: b'{"a":' * (size // 5)),
    "deep record": _bodies(lambda size: _listing(b'{"a":' * 50_000 + b"1" + b"}" * 50_000)),
    "NaN and Infinity": _bodies(lambda _: _listing(b'{"id": NaN, "total": Infinity}')),
    "a number of many digits": _bodies(lambda size: _listing(b'{"id": ' + b"9" * size + b"}")),
    "a number with an exponent": _bodies(lambda _: _listing(b'{"id": 1e999999999, "createdAt": 1e99}')),
    "UTF-16": _bodies(lambda size: ("[" + " " * (size // 2) + "]").encode("utf-16")),
    "emoji": _bodies(lambda size: page([record(1, note="\U0001f600" * (size // 12))])),
    "a page for people": _bodies(lambda size: b"<html><title>" + b"x" * size),
    "an empty body": _bodies(lambda _: b""),
    "endless fresh pages": lambda _: _lists(lambda query: _fresh_pages(query, page={"totalElements": 300})),
    "the same page again and again": lambda _: _lists(
        lambda _: raw(
            json.dumps({"content": [record(n) for n in range(1, 101)], "page": {"totalElements": 9_000}}).encode()
        )
    ),
    "a next link to itself": lambda _: _lists(
        lambda query: raw(
            json.dumps(
                {
                    "content": [record(n) for n in range(1, 101)],
                    "links": [{"rel": "next", "href": f"http://127.0.0.1{_PATH}?offset={query.get('offset', 0)}"}],
                }
            ).encode()
        )
    ),
    "a total that lies": lambda _: _lists(lambda _: raw(page([record(1)], totalElements=10**15))),
    "a total below nothing": lambda _: _lists(lambda _: raw(page([record(1)], totalElements=-5, totalPages=-1))),
    "a record with a million files": lambda size: _details(
        lambda: raw(json.dumps({**record(1), "documents": [{"type": "A", "path": "x"}] * (size // 30)}).encode())
    ),
    "a detail of 10 MB": lambda size: _details(lambda: raw(json.dumps(record(1, note="x" * size)).encode())),
    "a download of elements": _files(XML["elements"]),
    "a download of attributes": _files(XML["attributes of one element"]),
    "a download, as large as is read": _files(lambda size: XML["elements, as many as are read"](size)),
    "a download of entities": _files(XML["entities"]),
    "redirects in a circle": _redirect(_PATH),
    "a redirect to a file": _redirect("file:///etc/passwd"),
    "a redirect to a device": _redirect("http://10.255.255.1/x"),
    "headers without end": lambda _: _lists(lambda _: Raw(iter(()), head=_endless(b"X-A: " + b"y" * 1000 + b"\r\n"))),
    "a wrong length": lambda _: _lists(lambda _: Raw(iter([b"[]"]), headers={"Content-Length": "99999999999"})),
    "no HTTP at all": lambda _: _lists(lambda _: Raw(iter(()), head=_endless(b"SSH-2.0-hello\r\n"))),
}
"""By name, what a hub does with a budget of so many bytes, without making anybody wait."""

SLOW: dict[str, Build] = {
    "refused for ever": lambda _: lambda _path, _query: raw(b"{}", status=429, Retry_After="99999999999"),
    "a drip in the list": lambda _: _lists(lambda _: Raw(_drip())),
    "a drip in a download": lambda _: _downloads(lambda: Raw(_drip(b"<"))),
    "a drip in the headers": lambda _: _lists(lambda _: Raw(iter(()), head=_drip(b"X"))),
    "a drip of gzip": lambda _: _lists(lambda _: Raw(_drip(b"\x00"), headers={"Content-Encoding": "gzip"})),
    "silence": lambda _: _lists(lambda _: Raw(iter(()), head=_drip(b"", 3600))),
}
"""The same of hubs that make one wait."""


@contextmanager
def serving(handle: Handle) -> Iterator[str]:
    """The address of a hub that answers as `handle` says, else honestly."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=_talk, args=(connection, handle, over), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v2"
    finally:
        over.set()
        listener.close()


def _talk(connection: socket.socket, handle: Handle, over: threading.Event) -> None:
    with suppress(OSError), connection, connection.makefile("rb") as asked:
        line = asked.readline()
        if not line:  # whoever asked was killed before it had
            return
        target = line.split(b" ")[1].decode()
        while asked.readline().strip():
            pass
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query))
        answer = handle(parts.path, query) or honest(parts.path, query)
        if answer.head is None:
            headers = {"Connection": "close", **answer.headers}
            lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
            connection.sendall("\r\n".join(lines).encode())
        else:
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
        for piece in answer.head or answer.pieces:
            if over.is_set():
                return
            connection.sendall(piece)
