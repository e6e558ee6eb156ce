"""`python -m tests.pictures.texts [--language L] [--write]`: the texts of every screen, held against those kept.

The scenes are those of the pictures, light and in one size. What a person reads or hears is written down: labels,
buttons, tabs, heads and first rows of tables, tooltips, placeholders and accessible names, in the order of the widgets.
What depends on the day, the machine or the folder is left out.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QTabWidget,
    QTextBrowser,
    QWidget,
)

from confere.desktop.services import Services
from tests.conftest import ROOT
from tests.pictures.camera import Camera

KEPT: Final = ROOT / "tests" / "pictures" / "texts"
_NOWHERE: Final = QModelIndex()
_ROWS: Final = 8  # of a table: the others are made alike
_PASSING: Final = (
    (re.compile(r"(?<!\w)(/[\w.\-]+){2,}"), "PATH"),
    (re.compile(r"\bTODAYT[\d:]+Z"), "TODAY TIME"),
    (re.compile(r"\b\d{1,2}[:h]\d{2}(:\d{2})?\b"), "TIME"),
    (re.compile(r"\b\d+([.,]\d+)? (ms|s|min|h|KB|MB|GB|kB)\b"), "AMOUNT"),
    (re.compile(r"\b(agora mesmo|ahora mismo)\b"), "há AMOUNT"),
    (re.compile(r"\b(PySide6|Qt|Python|SQLite|lxml|httpx)\b[^\n]*"), r"\1 VERSION"),
    (re.compile(r"\bpython \d[^\n]*"), "python VERSION"),
    (re.compile(r"\b(Linux|Windows|macOS)-[^\n]*"), "SYSTEM"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "DIGEST"),
    (re.compile(r"DIGEST/.+"), "DIGEST PATH"),  # an example of a file's name, of whichever document came last
    (re.compile(r"\b\d+ ?% (dos|of the|de los)\b"), r"PERCENT \1"),
)
_NOTES: Final = re.compile(r"NF-e \d+/\d+(?:, NF-e \d+/\d+)+")  # in the order in which they were downloaded
_SPACES: Final = re.compile(r"[ \t\u00a0\u202f]+")


class TextRecorder(Camera):
    """Writes down what a picture would show; `scenes` are the texts by the name of the picture."""

    def __init__(self, today: tuple[str, ...]) -> None:
        super().__init__(Path(), "", "")
        self.scenes: dict[str, list[str]] = {}
        self._today = re.compile("|".join(map(re.escape, today)))

    def wants(self, name: str) -> bool:
        return "-pdf-" not in name

    def keep(
        self, widget: QWidget, name: str, services: Services, menu: QMenu | None = None, place: QPoint | None = None
    ) -> None:
        del place
        if self.wants(name):
            self.settle(services, name)
            self.scenes[name] = [self._steady(text) for text in texts_of(menu or widget)]

    def _steady(self, text: str) -> str:
        steady = self._today.sub("TODAY", text)
        for pattern, stand_in in _PASSING:
            steady = pattern.sub(stand_in, steady)
        steady = _NOTES.sub(lambda found: ", ".join(sorted(found[0].split(", "))), steady)
        return _SPACES.sub(" ", steady).strip()


def texts_of(widget: QWidget) -> Iterator[str]:
    """Each text of a widget and of those in it that are to be seen, in the order of the widgets."""
    if not widget.isVisible():
        return
    for kind, text in _own(widget):
        for line in text.splitlines():
            if line.strip():
                yield f"{kind}: {line.strip()}"
    for child in widget.children():
        if isinstance(child, QWidget) and not child.isWindow():
            yield from texts_of(child)


def _own(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "name", widget.accessibleName()
    yield "tip", _plain(widget.toolTip())
    if widget.isWindow():
        yield "title", widget.windowTitle()
    match widget:
        case QLabel():
            yield "text", _plain(widget.text())
        case QAbstractButton():
            yield "button", widget.text()
        case QGroupBox():
            yield "group", widget.title()
        case QLineEdit():
            yield "hint", widget.placeholderText()
            yield "field", widget.text()
        case QComboBox():
            yield from (("choice", widget.itemText(number)) for number in range(widget.count()))
        case QTabWidget():
            yield from (("tab", widget.tabText(number)) for number in range(widget.count()))
        case QProgressBar():
            yield "progress", widget.text()
        case QTextBrowser() | QPlainTextEdit():
            yield "page", widget.toPlainText()
        case QAbstractItemView():
            yield from _table(widget)
        case QMenu():
            for action in widget.actions():
                yield "entry", f"{action.text()} {action.shortcut().toString()}"


def _table(view: QAbstractItemView) -> Iterator[tuple[str, str]]:
    model = view.model()
    if model is None:
        return
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(_NOWHERE))
    role, across = Qt.ItemDataRole.DisplayRole, Qt.Orientation.Horizontal
    yield "head", " | ".join(str(model.headerData(column, across, role) or "") for column in columns)
    for row in range(min(model.rowCount(_NOWHERE), _ROWS)):
        yield "row", " | ".join(str(model.index(row, column).data(role) or "") for column in columns)


def _plain(text: str) -> str:
    return re.sub(r"<[^>]+>", " ", text)


def record(language: str, documents: int) -> str:
    """All scenes as one text."""
    os.environ["CONFERE_LANGUAGE"] = language
    import shutil
    from datetime import datetime, timedelta

    from tests.pictures.__main__ import _demo
    from tests.pictures.studio import Studio

    now = datetime.now()
    days = [now + timedelta(days=offset) for offset in (-1, 0, 1)]
    today = tuple(day.strftime(form) for day in days for form in ("%d/%m/%Y", "%Y-%m-%d", "%d/%m/%y"))
    with tempfile.TemporaryDirectory() as scratch:
        full = _demo(Path(scratch) / "full", documents)
        shutil.copytree(full, Path(scratch) / "troubled")
        recorder = TextRecorder(today)
        studio = Studio(recorder, language, ("light",))
        studio.take(Path(scratch) / "empty", full, Path(scratch) / "troubled", ((1280, 800),))
    parts = []
    for name, lines in recorder.scenes.items():
        parts += [f"== {name}", *lines, ""]
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures.texts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--language", default="pt_BR")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--write", action="store_true", help="keep what the screens say now")
    given = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    text = record(given.language, given.documents)
    kept = KEPT / f"{given.language}.txt"
    if given.write:
        KEPT.mkdir(exist_ok=True)
        kept.write_text(text, encoding="utf-8")
        return 0
    before = kept.read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(before, text.splitlines(), "kept", "now", lineterm="", n=2))
    print("\n".join(changes) if changes else f"{text.count('== ')} screens say what they said.")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
