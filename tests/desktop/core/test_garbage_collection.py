"""Garbage is collected on the window's thread, and only there."""

from __future__ import annotations

import gc
import threading
import weakref

from pytestqt.qtbot import QtBot

from confere.desktop.core.garbage_collection import Tidier


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
