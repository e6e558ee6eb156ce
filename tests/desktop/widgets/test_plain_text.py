"""Names that are HTML, in every place where the window shows a text: no file is opened, and nothing is rich."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import escape
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import Qt as Guessing
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QTextBrowser, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from confere.archive.store import Archive
from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.plain_text import Label, RichTextPage, as_tip, unbroken
from confere.system.plain_text import cell, plain, plain_json
from tests.archive.papers import note, store
from tests.conftest import ROOT
from tests.desktop import reaching
from tests.desktop.conftest import Made
from tests.desktop.opened_files import Opened, watched

# Every text column of what comes from documents, hubs and files.
COLUMNS = {
    "taxpayer": ("name", "city"),
    "item": ("description", "code"),
    "document": ("nature", "order_hint", "external_id"),
    "event": ("description", "reason", "words"),
    "order_item": ("description", "code"),
    "sales_order": ("buyer_name", "marketplace", "status"),
    "hub_document": ("marketplace", "subtype"),
    "establishment": ("name",),
    "run": ("problem",),
    "download": ("reason",),
    "finding_act": ("note",),
}
MOST_ROWS = 12  # of a list: all rows are made alike


@pytest.fixture
def bait(tmp_path: Path) -> Path:
    folder = tmp_path / "bait"
    folder.mkdir()
    (folder / "bait.png").write_bytes(b"not a picture")
    return folder / "bait.png"


@pytest.fixture
def hostile(bait: Path) -> str:
    return f'<img src="{bait.as_uri()}"><b>x</b> <a href="{bait.as_uri()}">&amp;</a>\u202e'


@pytest.fixture
def poisoned(home: Path, hostile: str) -> Path:
    """The demo's archive with this name everywhere, and a cancelled note that has it in its XML too."""
    name = escape(hostile.replace("\u202e", ""))
    with Archive.to_write(home / "archive.sqlite3", "test") as archive:
        paper = note(900, day="2026-12-30", item=name).replace(b"Cliente Av\xc3\xb3", name.encode())
        store(archive, paper)
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        for table, columns in COLUMNS.items():
            there = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
            for column in columns:
                assert column in there, (table, column)
                database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL", (hostile,))
        database.execute("UPDATE document SET state = 'cancelled' WHERE number = 900")
    return home


def texts(model: QAbstractItemModel) -> Iterator[tuple[int, str]]:
    """Every text of a model with its role, of as many rows as a list shows."""
    for row in range(min(model.rowCount(), MOST_ROWS)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
            for role in (*range(15), *range(Qt.ItemDataRole.UserRole.value, Qt.ItemDataRole.UserRole.value + 6)):
                value: Any = model.data(model.index(row, column, QModelIndex()), role)
                if isinstance(value, str):
                    yield role, value


def check(window: QWidget, opened: Opened) -> int:
    """Look at every label, tooltip, page and model of a window; how often the name was there."""
    seen = 0
    for label in window.findChildren(QLabel):
        if label.text() and Guessing.mightBeRichText(label.text()):
            # Rich on purpose: our own words, and the label in which Qt itself shows a tooltip.
            rich = label.textFormat() == Qt.TextFormat.RichText or label.objectName() == "qtooltip_label"
            ours = rich and "<img" not in label.text()
            assert ours or label.textFormat() == Qt.TextFormat.PlainText, label.text()
            seen += "<img" in label.text()
    for widget in window.findChildren(QWidget):
        tip = widget.toolTip()
        assert not (Guessing.mightBeRichText(tip) and "<img" in tip), tip
        seen += "&lt;img" in tip
    for page in window.findChildren(QTextBrowser):
        assert isinstance(page, RichTextPage)
        assert "<img" not in page.toHtml()
        seen += page.toPlainText().count("<img")
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        for role, text in texts(model) if model is not None else ():
            seen += "<img" in text or "&lt;img" in text
            if role == Qt.ItemDataRole.ToolTipRole.value and "img" in text:
                assert "<img" not in text, text
                QToolTip.showText(QPoint(10, 10), text, window)
                QTest.qWait(1)
    QToolTip.hideText()
    window.grab()
    assert opened.names() == []
    return seen


@pytest.mark.usefixtures("no_pdfs")
def test_no_name_opens_a_file_or_becomes_rich_text(
    qtbot: QtBot, qapp: QApplication, poisoned: Path, bait: Path
) -> None:
    made = Made(qapp, poisoned)
    seen = {}
    try:
        with watched(bait.parent) as opened:
            window = reaching.open_main(qtbot, made.services)
            for name, shown in reaching.every_scene(qtbot, window, reaching.FILLED):
                seen[name] = check(shown, opened)
            window.close()
    finally:
        made.close()
    # It stood where names stand, so that the look was worth something.
    for name in ("documents", "details summary", "details items", "reconcile all", "activity failed"):
        assert seen.get(name, 1), seen
    assert sum(map(bool, seen.values())) >= 8, seen


def test_qt_itself_would_open_it(qtbot: QtBot, bait: Path, hostile: str) -> None:
    """What the test above holds against: the same watch sees a label that guesses."""
    with watched(bait.parent) as opened:
        QToolTip.showText(QPoint(10, 10), as_tip(hostile))
        QTest.qWait(1)
        assert opened.names() == []
        QToolTip.hideText()
        for made, opens in ((Label(hostile), False), (QLabel(hostile), True)):
            qtbot.addWidget(made)
            made.show()
            made.grab()
            assert bool(opened.names()) is opens


def test_a_tooltip_tells_what_is_written() -> None:
    assert as_tip("plain & simple") == "plain & simple"
    assert as_tip("") == ""
    assert "&lt;b&gt;x&lt;/b&gt; &amp;amp;" in as_tip("<b>x</b> &amp;")
    assert len(as_tip("x" * 100_000)) < 2_100
    assert "\u202e" not in as_tip("a\u202eb")


# Where these are made the text is not asked whether it is rich.
GUESSING = re.compile(r"(?<![\w.])(?:QLabel|QTextBrowser|QTextEdit)\(|class \w+\((?:QTextBrowser|QTextEdit)\)")
TIP = re.compile(
    r"""\.set(?:ToolTip|StatusTip|WhatsThis)\((?!as_tip\(|t\("[^"{]*"\)\)|""\))|showText\([^,]+, (?!tip)"""
)
BASES = {"plain_text.py"}


def test_every_label_tooltip_and_page_is_made_in_one_place() -> None:
    found = []
    for file in sorted((ROOT / "src" / "confere" / "desktop").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if file.name in BASES:
            continue
        found += [f"{file.name}: {match[0]}" for pattern in (GUESSING, TIP) for match in pattern.finditer(text)]
        if "QMessageBox(" in text:
            assert "setTextFormat(Qt.TextFormat.PlainText)" in text, file
    assert found == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('"=1+1"', '\'"=1+1"'),
        ("'=1+1", "''=1+1"),
        ("=1+1", "'=1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\t=1", "'=1"),
        ("-12,50", "-12,50"),
        ("-12,50-x", "'-12,50-x"),
        ("@x", "'@x"),
        ("Caneca", "Caneca"),
        ("a\tb\nc", "a b c"),
    ],
)
def test_no_cell_is_a_formula(text: str, shown: str) -> None:
    assert cell(text) == shown
    assert clipboard_rows.line([text, "x"]) == f"{shown}\tx"


def test_what_acts_on_a_terminal_becomes_visible() -> None:
    assert plain("a\x9b31mb\x1b[0m\u202ec\r\nd\te") == "a\ufffd31mb\ufffd[0m\ufffdc  d e"
    assert plain("a\nb\tc\x9b", lines=True) == "a\nb\tc\ufffd"
    assert plain_json('{"a": "\x9b\u202e"}') == '{"a": "\\u009b\\u202e"}'


def test_an_amount_stays_beside_its_sign(qtbot: QtBot) -> None:
    text = "Difference R$ 36,09"
    label = Label(text)
    label.setWordWrap(True)
    qtbot.addWidget(label)
    metrics = label.fontMetrics()
    whole_line = metrics.horizontalAdvance("Difference R$") + 2  # Qt would break the line after the sign
    high = label.heightForWidth(whole_line)
    label.setText("Difference: R$")
    assert high == 2 * metrics.height()
    lines = metrics.boundingRect(0, 0, whole_line, 100, int(Qt.TextFlag.TextWordWrap), unbroken(text))
    assert lines.width() < whole_line - 2, "the sign stands on the second line"
    label.setText(text)
    assert label.text() == text


def test_an_amount_is_not_broken_at_the_end_of_a_line(qtbot: QtBot) -> None:
    page = RichTextPage()
    qtbot.addWidget(page)
    page.setHtml("<p>desconto R$ 36,09 contra R$ 0,00</p>")
    assert "R$ " not in page.document().toRawText()
    assert page.toPlainText() == "desconto R$ 36,09 contra R$ 0,00"  # and is copied as it is written elsewhere
