"""Questions beside the window: answers arrive on its own thread, stale ones never."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QStringListModel
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.reader_topics import TopicReader, When


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


def test_what_can_wait_is_asked_once_nothing_else_is(qtbot: QtBot, reader: BackgroundReader) -> None:
    gate = threading.Event()
    seen: list[str] = []

    def slow() -> str:
        gate.wait(30)
        return "rows"

    reader.ask("list", slow, seen.append)
    reader.ask("menu", lambda: "menu", seen.append, when=When.LATER)
    reader.ask("other", lambda: "other", seen.append)
    qtbot.waitUntil(lambda: seen == ["other"])
    assert reader.busy
    gate.set()
    qtbot.waitUntil(lambda: not reader.busy)
    assert seen == ["other", "rows", "menu"]


@pytest.mark.parametrize("waits", [True, False], ids=["the old one waits", "the old one is being asked"])
@pytest.mark.parametrize("later", [True, False], ids=["the new one can wait", "the new one cannot"])
def test_of_what_can_wait_too_only_the_newest_is_answered(
    qtbot: QtBot, reader: BackgroundReader, waits: bool, later: bool
) -> None:
    """The months of another company would stand in the menu."""
    gate = threading.Event()
    seen: list[str] = []

    def old() -> str:
        gate.wait(30)
        return "old"

    reader.ask("other", partial(gate.wait, 30), lambda _: None)  # what keeps waiting what can wait
    reader.ask("months", old, seen.append, when=When.LATER if waits else When.NOW)
    reader.ask("months", lambda: "new", seen.append, when=When.LATER if later else When.NOW)
    gate.set()
    qtbot.waitUntil(lambda: not reader.busy)
    assert seen == ["new"]


def test_what_waits_can_be_forgotten_and_ends_with_the_reader(qtbot: QtBot, reader: BackgroundReader) -> None:
    seen: list[str] = []
    reader.ask("menu", lambda: "menu", seen.append, when=When.LATER)
    reader.forget("menu")
    assert not reader.busy
    reader.ask("line", lambda: "line", seen.append, when=When.LATER)
    reader.close()
    assert not reader.busy
    qtbot.wait(50)
    assert seen == []


def test_what_waits_for_painting_begins_once_the_rows_are_painted(qtbot: QtBot, reader: BackgroundReader) -> None:
    """Reading in another thread slows down the painting of what was read before."""
    order: list[str] = []

    class Rows(QListView):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            order.append("painted")

    rows, model = Rows(), QStringListModel()
    qtbot.addWidget(rows)
    rows.setModel(model)
    rows.show()
    qtbot.waitUntil(lambda: bool(order))
    order.clear()
    model.setStringList(["a", "b"])
    reader.ask("ids", lambda: order.append("begun"), lambda _: None, when=When.PAINTED)
    qtbot.waitUntil(lambda: not reader.busy)
    assert order == ["painted", "begun"]


def test_errors_of_a_room_are_its_own(qtbot: QtBot, reader: BackgroundReader, errors: list[Exception]) -> None:
    own: list[str] = []
    room = TopicReader(reader, reader, "room", lambda error: own.append(str(error)))

    def fail() -> None:
        raise ValueError("no")

    room.ask("a", fail, lambda _: None)
    room.write(fail, lambda _: None)
    room.write(fail, lambda _: None, lambda error: own.append(f"its own {error}"))
    qtbot.waitUntil(lambda: not reader.busy)
    assert sorted(own) == ["its own no", "no", "no"] and not errors


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


def test_what_is_to_be_written_is_written_in_order_though_the_reader_closes(
    qtbot: QtBot, errors: list[Exception]
) -> None:
    reader = BackgroundReader(errors.append)
    gate = threading.Event()
    written: list[int] = []
    reader.write(gate.wait, lambda _: None)
    for number in range(3):
        reader.write(partial(written.append, number), lambda _: None)
    threading.Timer(0, gate.set).start()
    reader.close()
    assert written == [0, 1, 2]
    reader.write(partial(written.append, 3), lambda _: None)
    assert written == [0, 1, 2] and not errors


def test_closing_waits_for_answers_and_knows_whether_one_failed(
    qtbot: QtBot, reader: BackgroundReader, errors: list[Exception]
) -> None:
    answers: list[str] = []

    def more(answer: str) -> None:
        answers.append(answer)
        if len(answers) == 1:
            reader.write(lambda: "second", more)

    reader.write(lambda: "first", more)
    assert reader.finish_writes(60)
    assert answers == ["first", "second"] and not reader.busy

    def fail() -> str:
        raise ValueError("no")

    reader.write(fail, more)
    reader.write(lambda: "third", more)
    assert not reader.finish_writes(60)
    assert [str(error) for error in errors] == ["no"] and answers[-1] == "third"
    assert reader.finish_writes(60)


def test_closing_does_not_wait_for_ever(qtbot: QtBot, reader: BackgroundReader) -> None:
    gate = threading.Event()
    answers: list[object] = []
    reader.write(gate.wait, answers.append)
    assert reader.finish_writes(0)
    assert not answers
    gate.set()
    assert reader.finish_writes(60)
    assert answers == [True]
