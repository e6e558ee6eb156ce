"""Garbage is collected on the window's thread, and only there."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from confere.desktop.core.garbage_collection import Tidier

_FREEZE, _UNFREEZE = gc.freeze, gc.unfreeze  # which do nothing while other tests run


@pytest.fixture(autouse=True)
def _freezing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    gc.collect()
    _FREEZE()
    monkeypatch.setattr(gc, "freeze", _FREEZE)
    monkeypatch.setattr(gc, "unfreeze", _UNFREEZE)
    yield
    _FREEZE()


class Knot:
    """Something that only the collector can free; remembers which thread did."""

    def __init__(self, freed: list[int]) -> None:
        self.itself = self
        weakref.finalize(self, lambda: freed.append(threading.get_ident()))


def test_a_knot_is_freed_on_this_thread(qtbot: QtBot) -> None:
    freed: list[int] = []
    tidier = Tidier()
    tidier.start()
    try:
        Knot(freed)

        def allocate() -> None:
            kept = [[number] for number in range(200_000)]
            assert kept

        worker = threading.Thread(target=allocate)
        worker.start()
        worker.join()
        assert freed == []
        _ = [[number] for number in range(5_000)]
        qtbot.waitUntil(lambda: bool(freed))
    finally:
        tidier.stop()
    assert freed == [threading.get_ident()]
    assert not gc.isenabled()  # as it was before


def test_it_leaves_the_collector_as_it_was(qtbot: QtBot) -> None:
    gc.enable()
    tidier = Tidier()
    tidier.start()
    assert not gc.isenabled()
    tidier.stop()
    assert gc.isenabled()
    gc.disable()


@pytest.fixture
def tidier() -> Iterator[Tidier]:
    made = Tidier()
    made.start()
    made._timer.stop()  # each test looks by itself
    yield made
    made.stop()


def test_what_a_page_brings_with_it_is_not_walked(qtbot: QtBot, tidier: Tidier) -> None:
    gc.collect()
    before = gc.get_freeze_count()
    kept = [[number] for number in range(60_000)]
    tidier.look()
    assert gc.get_freeze_count() - before >= len(kept)
    assert [len(gc.get_objects(generation=age)) < 1_000 for age in range(3)] == [True] * 3


def test_what_stays_is_frozen_before_there_is_too_much_to_walk(qtbot: QtBot, tidier: Tidier) -> None:
    kept, most = [], 0
    for _ in range(20):
        kept.append([[number] for number in range(5_000)])
        most = max(most, sum(len(gc.get_objects(generation=age)) for age in range(3)))
        tidier.look()
    assert len(kept) == 20
    assert most < 30_000


def test_old_garbage_is_freed_once_the_window_is_not_in_use(
    qtbot: QtBot, tidier: Tidier, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_use = True
    monkeypatch.setattr(Tidier, "_is_in_use", staticmethod(lambda: in_use))
    freed: list[int] = []
    knot = Knot(freed)
    kept = [[number] for number in range(60_000)]
    tidier.look()  # frozen with these
    del knot
    for _ in range(300):
        tidier.look()
    assert (len(kept), freed) == (60_000, [])
    in_use = False
    tidier.look()
    assert freed == [threading.get_ident()]


def test_old_garbage_is_freed_in_use_where_much_went_at_once(
    qtbot: QtBot, tidier: Tidier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tidier, "_is_in_use", staticmethod(lambda: True))
    freed: list[int] = []
    knot = Knot(freed)
    kept = [[number] for number in range(60_000)]
    tidier.look()  # frozen with these
    del knot
    tidier.look()
    assert (len(kept), freed) == (60_000, [])
    tidier.collect_all_soon()
    tidier.look()
    assert freed == [threading.get_ident()]
