"""Icons are painted by an engine of our own, which lives as long as Qt uses it."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QToolButton

from confere.desktop.theme import icons


def test_an_icon_collected_in_a_cycle_stays_painted(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    engines: list[weakref.ref[icons._DrawnIcon]] = []

    class Watched(icons._DrawnIcon):
        def __init__(self, name: str, colour: str, disabled: str) -> None:
            super().__init__(name, colour, disabled)
            engines.append(weakref.ref(self))

    monkeypatch.setattr(icons, "_DrawnIcon", Watched)
    made = icons.icon("sync", "#ff0000")
    gc.collect()  # the engine is the oldest of what is collected next, which decides the order
    cycle: dict[str, object] = {"icon": made}
    cycle["cycle"] = cycle
    button = QToolButton()
    button.setIcon(made)
    assert not any(isinstance(held, Watched) for held in gc.get_referents(made))

    del made, cycle
    gc.collect()
    assert engines[0]() is not None
    assert "#ff0000" in _painted(button)

    button.setIcon(QIcon())
    assert engines[0]() is None


def test_an_icon_that_qt_changes_is_painted_by_a_clone_as_long_as_it_lives(qapp: QApplication) -> None:
    made = icons.icon("sync", "#ff0000")
    button = QToolButton()
    for _ in range(3):
        changed = QIcon(made)
        changed.setIsMask(True)  # before which Qt clones the engine that both icons have
        gc.collect()
        assert len(icons._DrawnIcon._clones) == 1  # what Qt has deleted was let go of
        button.setIcon(changed)
        assert "#ff0000" in _painted(button)
        del changed
        button.setIcon(QIcon())


def _painted(button: QToolButton) -> set[str]:
    image = button.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
