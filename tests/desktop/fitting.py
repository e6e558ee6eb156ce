"""A process of its own that opens every window small, in one scale, and tells which texts are cut off."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from confere.desktop.core.application import make_application, speak
from confere.desktop.details.pdf import pdf_maker
from confere.desktop.shell.window import MainWindow
from confere.desktop.widgets.elided_buttons import ElidedButton
from confere.desktop.widgets.elided_labels import Elided, KeyGroups
from confere.desktop.widgets.pill import Pill
from confere.system import messages
from tests.desktop import reaching
from tests.desktop.conftest import Made
from tests.desktop.patient import LONG

SMALLEST = (900, 480)
PICTURES = "CONFERE_TEST_PICTURES"
_PAINTED = (Elided, ElidedButton, KeyGroups, Pill)  # cut or break their text by themselves
_AT_REST_MS = 3000
_SPARE = 1  # a pixel that rounding takes


class Patience:
    """Waits as pytest-qt does."""

    def __init__(self) -> None:
        self._kept: list[QWidget] = []

    def waitUntil(self, callback: Callable[[], bool], *, timeout: int = LONG) -> None:
        until = QDeadlineTimer(timeout)
        while not callback():
            if until.hasExpired():
                raise TimeoutError
            QTest.qWait(5)

    def addWidget(self, widget: QWidget) -> None:
        self._kept.append(widget)


def cut(window: QWidget) -> Iterator[str]:
    """Each text of `window` that cannot be read whole and neither scrolls nor is shortened on purpose."""
    for widget in window.findChildren(QWidget):
        if widget.window() is not window or not widget.isVisibleTo(window):
            continue
        if isinstance(widget, _PAINTED):
            continue
        if isinstance(widget, QLabel) and widget.text():
            need, have = _needed(widget), widget.contentsRect().size()
        elif isinstance(widget, (QPushButton, QToolButton, QCheckBox, QRadioButton)) and widget.text():
            need, have = _hint(widget), widget.size()
        elif isinstance(widget, QComboBox):
            need, have = QSize(widget.fontMetrics().horizontalAdvance(widget.currentText()) + 34, 0), widget.size()
            if widget.sizeAdjustPolicy() == QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon:
                continue
        else:
            continue
        if need.width() > have.width() + _SPARE or need.height() > have.height() + _SPARE:
            yield f"{reaching.where(widget)}: needs {need.width()}x{need.height()}, has {have.width()}x{have.height()}"
        else:
            outside = _outside(widget, window)
            if outside:
                yield f"{reaching.where(widget)}: {outside}"


def _needed(label: QLabel) -> QSize:
    """What the words take: of a text that wraps, its longest word and as many lines as it then has."""
    metrics, room = label.fontMetrics(), label.contentsRect()
    if label.wordWrap():
        flags = Qt.TextFlag.TextWordWrap
        taken = metrics.boundingRect(QRect(0, 0, room.width(), 100_000), flags, label.text())
        widest = max(metrics.horizontalAdvance(word) for word in label.text().split() or [""])
        selectable = label.textInteractionFlags() != Qt.TextInteractionFlag.NoTextInteraction
        return QSize(0 if selectable else widest, taken.height())
    return metrics.size(0, label.text())


def _hint(button: QAbstractButton) -> QSize:
    hint = button.sizeHint()
    return QSize(min(hint.width(), button.minimumSizeHint().width() or hint.width()), hint.height())


def _outside(widget: QWidget, window: QWidget) -> str:
    """Where it lies beyond the edge of what it is in; what can be scrolled to is not beyond."""
    rect, at = widget.rect(), widget
    while at is not window:
        parent = at.parentWidget()
        rect = QRect(at.mapTo(parent, rect.topLeft()), rect.size())
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
            policy = area.horizontalScrollBarPolicy()
            if isinstance(area, QScrollArea) and policy != Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
                return ""
            return "" if rect.left() >= 0 and rect.right() <= parent.width() else "is cut off at the side"
        if not parent.rect().adjusted(-_SPARE, -_SPARE, _SPARE, _SPARE).contains(rect):
            return f"lies beyond {type(parent).__name__} by {rect} in {parent.rect()}"
        at = parent
    return ""


def _off_screen(window: QWidget) -> Iterator[str]:
    """Whether the window is larger than its screen."""
    room, size = window.screen().availableGeometry().size(), window.size()
    if size.width() > room.width() or size.height() > room.height():
        yield f"{reaching.where(window)} is {size.width()}x{size.height()} on {room.width()}x{room.height()}"


def main(folder: Path, languages: list[str]) -> None:
    """Print what is cut off, by language and scene, as JSON; each language in a window of its own."""
    application = make_application()
    pdf_maker._PAUSE_MS = 3_600_000  # type: ignore[misc]  # no process is started for a page that is only passed
    density, found = 0.0, {}
    for language in languages:
        messages.set_language(language)
        speak(application)
        made, bot = Made(application, folder), Patience()
        window = reaching.open_main(bot, made.services)
        density = window.devicePixelRatioF()
        found[language] = _cut_anywhere(bot, window, language)
        window.details.end_work()
        window.hide()
        made.close()
        window.deleteLater()
    sys.stdout.write(json.dumps({"density": density, "cut": found}))


def _cut_anywhere(bot: Patience, window: MainWindow, language: str) -> dict[str, list[str]]:
    """What is cut off in this window and its dialogs, by scene."""
    found = {}
    window.resize(*SMALLEST)
    for name, shown in reaching.every_scene(bot, window, reaching.FILLED):
        window.resize(*SMALLEST)
        with suppress(TimeoutError):  # layouts that wait for one another need more than one turn
            bot.waitUntil(lambda shown=shown: not any(cut(shown)), timeout=_AT_REST_MS)
        problems = [*cut(shown), *_off_screen(shown)]
        if problems:
            found[name] = problems
        pictures = os.environ.get(PICTURES)
        if pictures and problems:
            shown.grab().save(str(Path(pictures) / f"fit-{language}-{shown.devicePixelRatioF():g}-{name}.png"))
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
