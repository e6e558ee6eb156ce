"""Questions beside the window: answers arrive on its own thread, stale ones never."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from confere.desktop.core.background_reader import BackgroundReader


@pytest.fixture
def errors() -> list[Exception]:
    return []


@pytest.fixture
def reader(qapp: object, errors: list[Exception]) -> Iterator[BackgroundReader]:
    made = BackgroundReader(errors.append)
    yield made
    made.close()


def test_an_answer_comes_back_on_the_thread_of_the_window(qtbot: QtBot, reader: BackgroundReader) -> None:
    seen: list[tuple[int, int]] = []
    reader.ask("a", threading.get_ident, lambda worker: seen.append((worker, threading.get_ident())))
    qtbot.waitUntil(lambda: len(seen) == 1)
    worker, here = seen[0]
    assert here == threading.get_ident()
    assert worker != here


def test_only_the_newest_question_of_a_topic_is_answered(qtbot: QtBot, reader: BackgroundReader) -> None:
    gate = threading.Event()
    seen: list[str] = []

    def slow() -> str:
        gate.wait(30)
        return "old"

    reader.ask("list", slow, seen.append)
    reader.ask("list", lambda: "new", seen.append)
    reader.ask("other", lambda: "other", seen.append)
    qtbot.waitUntil(lambda: "new" in seen and "other" in seen)
    gate.set()
    qtbot.waitUntil(lambda: not reader.busy)
    assert sorted(seen) == ["new", "other"]


def test_an_error_goes_to_who_asked_else_to_the_window(
    qtbot: QtBot, reader: BackgroundReader, errors: list[Exception]
) -> None:
    own: list[Exception] = []

    def fail() -> None:
        raise ValueError("no")

    reader.ask("a", fail, lambda _: None)
    reader.ask("b", fail, lambda _: None, own.append)
    qtbot.waitUntil(lambda: len(errors) == 1 and len(own) == 1)
    assert not reader.busy


def test_a_closed_reader_says_nothing_more(qtbot: QtBot, errors: list[Exception]) -> None:
    reader = BackgroundReader(errors.append)
    seen: list[int] = []
    gate = threading.Event()
    reader.ask("a", lambda: gate.wait(30), lambda _: seen.append(1))
    gate.set()
    reader.close()
    reader.ask("b", lambda: 2, seen.append)
    qtbot.wait(20)
    assert seen == []
