"""An unexpected error over a damaged archive is shown as the damage, over a whole one as a fault of the program."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from confere.desktop.core.error_reporting import Faults
from confere.errors import ArchiveCorrupt, ConfereError, message

pytestmark = pytest.mark.logs_problems


@pytest.mark.parametrize("damage", [ArchiveCorrupt(message("The archive {path} is damaged.", path="a")), None])
def test_what_is_behind_an_error_is_looked_for_once(qtbot: QtBot, damage: ConfereError | None) -> None:
    looked: list[BaseException] = []

    def explain(error: BaseException) -> ConfereError | None:
        looked.append(error)
        return damage

    faults = Faults(None, explain)
    for _ in range(2):
        with qtbot.waitSignal(faults.told) as told:
            faults.tell(ValueError("odd"))
        assert told.args is not None
        (fault,) = told.args
        assert (fault.of_archive, fault.is_bug) == (damage is not None, damage is None)
    assert len(looked) == 1


def test_what_cannot_be_looked_at_hides_no_error(qtbot: QtBot) -> None:
    def explain(error: BaseException) -> ConfereError | None:
        raise OSError("no disk")

    faults = Faults(None, explain)
    with qtbot.waitSignal(faults.told) as told:
        faults.tell(KeyError("odd"))
    assert told.args is not None and told.args[0].is_bug


def test_what_is_told_while_it_is_looked_behind_has_the_same_answer(qtbot: QtBot) -> None:
    looked: list[BaseException] = []
    answer = threading.Event()

    def explain(error: BaseException) -> ConfereError | None:
        looked.append(error)
        answer.wait()
        return None

    faults = Faults(None, explain)
    told: list[object] = []
    faults.told.connect(told.append)
    for _ in range(50):
        faults.tell(ValueError("odd"))
    assert told == []
    answer.set()
    qtbot.waitUntil(lambda: bool(told))
    for _ in range(50):
        faults.tell(ValueError("odd"))
    assert (len(told), len(looked)) == (51, 1)


def test_an_error_whose_answer_was_forgotten_is_told_all_the_same(qtbot: QtBot) -> None:
    looked: list[str] = []

    def explain(error: BaseException) -> ConfereError | None:
        looked.append(str(error))
        return None

    faults = Faults(None, explain)
    for number in [*range(30), 0]:
        with qtbot.waitSignal(faults.told):
            faults.tell(ValueError(str(number)))
    assert looked == [*map(str, range(30)), "0"]
