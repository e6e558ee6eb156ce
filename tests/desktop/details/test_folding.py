"""Folding XML: what hangs under a line goes and comes back; what is found and copied is always the whole."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.desktop.details.xml import xml_folds
from confere.desktop.details.xml.xml_folds import Folded, regions_of
from confere.desktop.details.xml.xml_text import STRETCH, XmlText
from tests.desktop.conftest import Made
from tests.desktop.details_made import Shown, one

NOTE = """<?xml version="1.0"?>
<nfe>
  <ide>
    <nNF>7</nNF>
  </ide>
  <det nItem="1">
    <prod>
      <xProd>Caneca
 azul 😀</xProd>
    </prod>
    <!-- of the item -->
  </det>
  <empty/>
</nfe>
"""


def seen(folded: Folded) -> list[str]:
    return folded.text.splitlines()


def line_of(folded: Folded, start: str) -> int:
    return next(number for number, line in enumerate(folded.whole.split("\n")) if line.strip().startswith(start))


@pytest.fixture
def folded() -> Folded:
    return Folded(NOTE, regions_of(NOTE))


def test_every_element_with_something_in_it_folds_and_nothing_else(folded: Folded) -> None:
    lines = NOTE.split("\n")
    heads = [lines[line].strip() for line in range(len(lines)) if folded.regions.is_head(line)]
    assert heads == ["<nfe>", "<ide>", '<det nItem="1">', "<prod>", "<xProd>Caneca"]


def test_what_is_folded_is_gone_up_to_its_closing_tag(folded: Folded) -> None:
    folded.fold(line_of(folded, "<det"))
    assert seen(folded)[-3:] == ['  <det nItem="1">', "  <empty/>", "</nfe>"]
    folded.unfold(line_of(folded, "<det"))
    assert folded.text == NOTE


def test_folding_twice_changes_nothing_and_a_line_without_anything_does_not_fold(folded: Folded) -> None:
    assert folded.fold(line_of(folded, "<ide>"))
    assert not folded.fold(line_of(folded, "<ide>"))
    assert not folded.fold(line_of(folded, "<empty/>"))
    assert not folded.unfold(line_of(folded, "<det"))


def test_folding_all_leaves_the_parts_of_the_outermost(folded: Folded) -> None:
    folded.fold_all()
    assert seen(folded) == ['<?xml version="1.0"?>', "<nfe>", "  <ide>", '  <det nItem="1">', "  <empty/>", "</nfe>"]
    folded.unfold(line_of(folded, "<det"))
    assert "    <prod>" in seen(folded)
    assert "      <xProd>Caneca" not in seen(folded)
    folded.unfold_all()
    assert folded.text == NOTE


def test_showing_a_place_unfolds_whatever_hides_it_and_only_that(folded: Folded) -> None:
    folded.fold_all()
    place = NOTE.index("azul")
    assert folded.show(place, place + 4)
    assert "azul" in folded.text
    assert "<nNF>" not in folded.text
    assert not folded.show(place, place + 4)


def test_places_of_what_is_seen_and_of_the_whole_are_the_same_places(folded: Folded) -> None:
    chance = random.Random(7)
    heads = [line for line in range(len(folded.regions.ends)) if folded.regions.is_head(line)]
    for _ in range(60):
        line = chance.choice(heads)
        _ = folded.fold(line) or folded.unfold(line)
        for place in range(len(folded.text)):
            whole = folded.to_whole(place)
            assert folded.whole[whole] == folded.text[place]
            assert folded.to_seen(whole) == place
        numbers = [folded.regions.line_at(folded.to_whole(place)) for place in range(len(folded.text))]
        assert list(dict.fromkeys(numbers)) == list(folded.lines)[: len(set(numbers))]


def test_a_text_too_long_to_be_looked_through_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_folds, "LONGEST", 20)
    regions = regions_of(NOTE)
    assert not regions.any
    assert Folded(NOTE, regions).text == NOTE


@pytest.mark.parametrize("text", ["", "\n", "no XML at all", "<a/>", "<a>\n", "  <b>\n<c>\n    <d/>", "</x>\n</y>\n"])
def test_whatever_the_text_nothing_of_it_is_lost(text: str) -> None:
    folded = Folded(text, regions_of(text))
    assert folded.text == text
    folded.fold_all()
    folded.unfold_all()
    assert folded.text == text


@pytest.fixture
def widget(qtbot: QtBot, made: Made) -> XmlText:
    found = XmlText(made.services.look)
    qtbot.addWidget(found)
    found.resize(420, 420)
    found.show()
    found.show_text(NOTE)
    return found


def stand_on(widget: XmlText, words: str) -> None:
    assert widget.find_next(words)


def test_the_keys_fold_at_the_cursor_and_outward(widget: XmlText, qtbot: QtBot) -> None:
    stand_on(widget, "<nNF>")
    qtbot.keyClicks(widget, "-")
    assert "<nNF>" not in widget.toPlainText()
    assert widget.textCursor().block().text() == "  <ide>"
    qtbot.keyClicks(widget, "-")
    assert widget.toPlainText().split("\n")[:2] == ['<?xml version="1.0"?>', "<nfe>"]
    assert "<ide>" not in widget.toPlainText()
    qtbot.keyClicks(widget, "+")
    assert "<ide>" in widget.toPlainText()
    assert "<nNF>" not in widget.toPlainText()
    qtbot.keyClicks(widget, "*")
    assert widget.toPlainText() == NOTE
    qtbot.keyClicks(widget, "/")
    assert "<prod>" not in widget.toPlainText()


def test_enter_folds_and_unfolds_the_line_of_the_cursor(widget: XmlText, qtbot: QtBot) -> None:
    stand_on(widget, "<det")
    qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert "<prod>" not in widget.toPlainText()
    qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert widget.toPlainText() == NOTE


def test_the_mouse_folds_in_the_margin_and_unfolds_at_the_mark(widget: XmlText, qtbot: QtBot) -> None:
    heads = dict(widget.heads_seen())
    line = next(line for line in heads if NOTE.split("\n")[line].startswith("  <det"))
    qtbot.mouseClick(widget.margin, Qt.MouseButton.LeftButton, pos=QPointF(9, heads[line]).toPoint())
    assert "<prod>" not in widget.toPlainText()
    widget.grab()
    stand_on(widget, "<det")
    block = widget.textCursor().block()
    mark = widget._marks.room(block, line).center()
    pressed = QMouseEvent(
        QEvent.Type.MouseButtonPress,
        mark,
        widget.viewport().mapToGlobal(mark),
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    widget.mousePressEvent(pressed)
    assert widget.toPlainText() == NOTE


def test_what_is_folded_is_found_and_copied(widget: XmlText) -> None:
    widget.fold_all()
    assert widget.find_next("azul 😀")
    assert widget.textCursor().selectedText() == "azul 😀"
    widget.fold_all()
    widget.selectAll()
    widget.copy()
    assert QGuiApplication.clipboard().text() == NOTE
    cursor = widget.textCursor()
    cursor.setPosition(widget.toPlainText().index("  <det"))
    cursor.setPosition(widget.toPlainText().index("  <empty/>"), cursor.MoveMode.KeepAnchor)
    widget.setTextCursor(cursor)
    widget.copy()
    assert QGuiApplication.clipboard().text() == NOTE[NOTE.index("  <det") : NOTE.index("  <empty/>")]


def test_a_large_text_folds_without_being_laid_out_whole(widget: XmlText) -> None:
    items = "".join(f"  <det n='{number}'>\n    <x>😀 {number}</x>\n  </det>\n" for number in range(20_000))
    text = f"<nfe>\n{items}</nfe>"
    widget.show_text(text)
    widget.fold_all()
    assert len(widget.toPlainText()) < 3 * STRETCH
    assert widget.find_next("😀 15000<")
    assert widget.textCursor().block().text() == "    <x>😀 15000</x>"
    widget.fold_here()
    assert widget.textCursor().block().text() == "  <det n='15000'>"
    heads = [line for line, _ in widget.heads_seen()]
    assert 1 + 3 * 15_000 in heads
    widget.unfold_all()
    assert widget.textCursor().block().text() == "  <det n='15000'>"


def test_the_page_folds_by_its_buttons_and_still_copies_what_was_received(qtbot: QtBot, made: Made) -> None:
    shown = Shown(qtbot, made.services)
    row = one(shown.services, types=("nfe",))
    shown.panel.show_tab("xml")
    shown.show(row.id)
    page = shown.panel.xml
    page.fold.click()
    assert "<xNome>" not in page.text.toPlainText()
    page.copy_button.click()
    assert QGuiApplication.clipboard().text() == browse.content(shown.services.opened, row.sha256).decode()
    page.unfold.click()
    assert "<xNome>" in page.text.toPlainText()
    page.indented.setChecked(False)
    shown.rest()
    assert not page.text.can_fold
    assert not page.fold.isEnabled()
