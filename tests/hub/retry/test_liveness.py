"""A hub that says nothing is told once, and again only after it spoke and a while passed."""

from __future__ import annotations

import threading

import pytest

from confere.errors import HubBroken
from confere.hub.retry import liveness
from confere.hub.retry.liveness import Silence
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Asked, Reply, data, page

GONE, BACK = "The hub does not answer; still trying…", "The hub answers again."


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watched(said: list[str], clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Silence:
    monkeypatch.setattr(Silence, "_watch", Silence.look)  # no thread: the test looks itself
    return Silence(lambda what: said.append(str(what)), clock=clock)


def test_silence_is_told_once_and_its_end_too(watched: Silence, clock: Clock, said: list[str]) -> None:
    watched.asked(1)
    clock.now += 1.4
    watched.look()
    assert said == []
    clock.now += 0.2
    watched.look()
    watched.look()
    assert said == [GONE]
    watched.heard(1)
    watched.heard(1)
    assert said == [GONE, BACK]
    watched.asked(2)
    clock.now += 10
    watched.look()
    assert said == [GONE, BACK]  # told a moment ago
    clock.now += 30
    watched.look()
    assert said == [GONE, BACK, GONE]


def test_one_slow_answer_among_others_is_no_silence(watched: Silence, clock: Clock, said: list[str]) -> None:
    watched.asked(1)
    for number in range(2, 12):
        watched.asked(number)
        clock.now += 1
        watched.heard(number)
        watched.look()
    assert said == []


def test_nobody_waits_so_nothing_is_told(watched: Silence, clock: Clock, said: list[str]) -> None:
    watched.asked(1)
    watched.gone(1)
    clock.now += 100
    watched.look()
    watched.asked(2)
    watched.look()
    assert said == []


def test_a_session_tells_while_it_waits(
    serve: MakeServer, connect: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "_SECONDS", 0.05)
    monkeypatch.setattr(liveness, "_LOOK_SECONDS", 0.01)
    told, back = threading.Event(), threading.Event()

    def note(what: object) -> None:
        (told if str(what) == GONE else back).set()

    def slow(_: Asked) -> Reply:
        assert told.wait(20)
        return page([])

    session = connect(serve(slow), note=note)
    session.get("/x", read=lambda answer: answer.status)
    assert back.wait(20)


def test_what_stands_before_a_dead_hub_is_no_answer(
    serve: MakeServer, connect: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "_SECONDS", 0.05)
    monkeypatch.setattr(liveness, "_LOOK_SECONDS", 0.01)
    told = threading.Event()

    def broken(asked: Asked) -> Reply:
        if len(server.asked) > 2:
            assert told.wait(20)
        return data({}, 502)

    server = serve(broken)
    with pytest.raises(HubBroken):
        connect(server, attempts=4, note=lambda what: told.set()).get("/x", read=lambda answer: answer.status)
    assert told.is_set()
