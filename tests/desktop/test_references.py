"""Guards against a release of PySide6 that loses references to None: the process would abort much later."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def test_calls_that_return_none_lose_no_reference(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    before = sys.getrefcount(None)
    for _ in range(300):
        widget.repaint()
    # From Python 3.12 on None counts no references; there the fault cannot harm.
    assert sys.getrefcount(None) > before - 50
