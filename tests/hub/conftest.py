"""A hub of the test's own making, and sessions with it that retry without long waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from confere.hub.retry import retry
from confere.hub.session import HubSession
from tests.hub.scripted import Asked, Reply, ScriptedServer

TOKEN = "tok-5ecret+/=:value"

MakeServer = Callable[..., ScriptedServer]
MakeSession = Callable[..., HubSession]


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_FIRST_WAIT", 0.01)


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def token() -> str:
    return TOKEN


@pytest.fixture
def serve() -> Iterator[MakeServer]:
    """`serve(answer)` starts a server; `answer` is a function of `Asked`, or a list of replies to give in turn
    (the last one again and again)."""
    servers: list[ScriptedServer] = []

    def start(answer: Callable[[Asked], Reply] | list[Reply], **options: Any) -> ScriptedServer:
        if isinstance(answer, list):
            replies = list(answer)

            def in_turn(_: Asked) -> Reply:
                return replies.pop(0) if len(replies) > 1 else replies[0]

            answer = in_turn
        servers.append(ScriptedServer(answer, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def connect() -> Iterator[MakeSession]:
    """`connect(server)` opens a session, closed at the end."""
    sessions: list[HubSession] = []

    def open_session(
        server: ScriptedServer | str, token: str = TOKEN, platform: str = "Confere", **options: Any
    ) -> HubSession:
        address = server if isinstance(server, str) else server.address
        sessions.append(HubSession(address, token, platform, **options))
        return sessions[-1]

    yield open_session
    for session in sessions:
        session.close()
