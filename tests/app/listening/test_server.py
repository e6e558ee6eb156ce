"""The server that takes notifications, over real connections: what it answers, and what it does not let happen."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from confere.app.listening import server
from confere.app.listening.inbox import Inbox
from confere.app.listening.notification import MOST_BYTES
from confere.app.listening.server import serving
from confere.errors import EnvironmentFault
from tests.app.listening.test_notification import body
from tests.callback_receiver import eventually
from tests.loopback import LOOPBACK

PATH = "/callbacks/0123456789abcdef"


@pytest.fixture
def inbox() -> Inbox:
    return Inbox(rate=0.0, burst=3)


@pytest.fixture
def address(inbox: Inbox) -> Iterator[str]:
    with serving(inbox, "127.0.0.1", 0, PATH) as address:
        yield address


def post(address: str, content: object, path: str = PATH, method: str = "POST") -> int:
    return httpx.request(method, address + path, content=content, **LOOPBACK).status_code  # type: ignore[arg-type]


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=60)


def rest_of(connection: socket.socket) -> bytes:
    """Everything until the other side ends the connection."""
    received = b""
    try:
        while chunk := connection.recv(4_096):
            received += chunk
    except ConnectionError:
        pass
    return received


def test_a_notification_is_taken_and_tells_nothing(inbox: Inbox, address: str) -> None:
    answer = httpx.post(address + PATH, content=body(), **LOOPBACK)
    assert (answer.status_code, answer.content) == (202, b"")
    assert answer.headers["connection"] == "close"
    assert "server" not in answer.headers
    assert post(address, body()) == 202  # once more the same
    assert inbox.take(10) == ["fd-00000001-ab12"]


def test_junk_of_each_kind_is_refused(inbox: Inbox, address: str) -> None:
    assert post(address, b"{") == 400
    assert post(address, body(type="ORDERS")) == 422
    assert post(address, body(), path="/") == 404
    assert post(address, body(), path=PATH + "/") == 404
    assert post(address, body(), path=PATH[:-1]) == 404
    assert post(address, None, method="GET") == 404
    assert post(address, body(), method="PUT") == 404
    assert inbox.refused == {
        "elsewhere": 5,
        "too_large": 0,
        "too_slow": 0,
        "malformed": 1,
        "other_type": 1,
        "too_many": 0,
    }
    assert inbox.take(10) == []


def test_a_large_body_is_refused_with_and_without_its_length(inbox: Inbox, address: str) -> None:
    with closing(connected(address)) as connection:  # only its length is sent: nobody waits for the rest
        connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {MOST_BYTES + 1}\r\n\r\n".encode())
        assert rest_of(connection).startswith(b"HTTP/1.1 413")
    with closing(connected(address)) as connection:
        connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        connection.sendall(b"%x\r\n" % (MOST_BYTES + 1) + b" " * (MOST_BYTES + 1) + b"\r\n")
        assert rest_of(connection).startswith(b"HTTP/1.1 413")
    assert inbox.refused["too_large"] == 2
    assert post(address, body() + b" " * (MOST_BYTES - len(body()))) == 202


def test_more_than_the_pace_is_asked_to_come_back(address: str) -> None:
    assert [post(address, body(content={"id": f"fd-{n}"})) for n in range(4)] == [202, 202, 202, 429]
    answer = httpx.post(address + PATH, content=body(), **LOOPBACK)
    assert answer.headers["retry-after"].isdigit()


def test_a_slow_body_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BODY_SECONDS", 0.05)
    inbox = Inbox()
    with serving(inbox, "127.0.0.1", 0, PATH) as address, closing(connected(address)) as connection:
        connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{{".encode())
        assert rest_of(connection).startswith(b"HTTP/1.1 408")
    assert inbox.refused["too_slow"] == 1


def test_who_says_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "CONNECTION_SECONDS", 0.05)
    with serving(Inbox(), "127.0.0.1", 0, PATH) as address:
        for said in (b"", b"POST / HTT", b"POST / HTTP/1.1\r\nHost: x\r\nX: "):
            with closing(connected(address)) as connection:
                connection.sendall(said)
                assert rest_of(connection) == b""
        assert post(address, body()) == 202


def test_of_more_connections_than_allowed_the_oldest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    inbox = Inbox()
    with serving(inbox, "127.0.0.1", 0, PATH) as address:
        held = [connected(address) for _ in range(2)]
        assert post(address, body()) == 202
        assert rest_of(held[0]) == b""
        assert (inbox.refused["too_many"], inbox.take_overflow()) == (1, True)
        assert post(address, body()) == 202  # the room of the last one is free again: nobody else has to go
        assert inbox.refused["too_many"] == 1
        for connection in held:
            connection.close()


def test_who_holds_all_connections_keeps_nobody_out() -> None:
    with serving(Inbox(), "127.0.0.1", 0, PATH) as address:
        held = [connected(address) for _ in range(2 * server.MOST_CONNECTIONS)]
        assert post(address, body()) == 202
        for connection in held:
            connection.close()


@pytest.mark.parametrize("head", ["X: " + "a" * 200_000, "\r\n".join(f"X{n}: a" for n in range(30_000))])
def test_headers_without_end_are_refused(address: str, head: str) -> None:
    with closing(connected(address)) as connection:
        with suppress(ConnectionError):  # it may be refused before all is sent
            connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\n{head}".encode())
        with suppress(ConnectionError):
            assert rest_of(connection)[:12] in (b"", b"HTTP/1.1 400", b"HTTP/1.1 431")
    assert post(address, body()) == 202


@pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".example", "no such\nhost"])
def test_what_is_no_address_is_said(host: str) -> None:
    with pytest.raises(EnvironmentFault, match="port 0: this is not an address"):
        serving(Inbox(), host, 0, PATH).__enter__()


def test_a_port_that_takes_more_rights_is_not_called_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    for platform, why in (("linux", "administrator"), ("win32", "the port is in use")):
        monkeypatch.setattr(sys, "platform", platform)
        with pytest.raises(EnvironmentFault, match=why):
            serving(Inbox(), "127.0.0.1", 80, PATH).__enter__()


def test_what_is_no_http_is_refused(address: str) -> None:
    with closing(connected(address)) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
        assert rest_of(connection).startswith(b"HTTP/1.1 400")


def test_who_leaves_midway_leaves_nothing_behind(inbox: Inbox, address: str) -> None:
    with closing(connected(address)) as connection:
        connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{{".encode())
    assert eventually(lambda: inbox.refused["too_slow"] == 1)
    assert post(address, body()) == 202


def test_a_taken_port_is_said() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(EnvironmentFault, match=f"{port}: the port is in use"):
            serving(Inbox(), "127.0.0.1", port, PATH).__enter__()


def test_an_address_of_another_machine_is_said() -> None:
    with pytest.raises(EnvironmentFault, match=r"192\.0\.2\.1"):
        serving(Inbox(), "192.0.2.1", 0, PATH).__enter__()


def test_afterwards_nobody_listens() -> None:
    with serving(Inbox(), "127.0.0.1", 0, PATH) as address:
        assert post(address, body()) == 202
    with pytest.raises(httpx.ConnectError):
        post(address, body())
