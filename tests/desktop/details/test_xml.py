"""The XML page: what is saved is what the vault has, finding goes all round a large text, colours follow the look."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents import browse, save_xml
from confere.desktop.core.actions import Action
from confere.desktop.details import document_files
from confere.desktop.details.xml.xml_text import STRETCH, XmlText
from confere.desktop.theme.palettes import DARK
from confere.desktop.widgets.notices import GOOD, Notice
from confere.errors import NotInArchive
from tests.archive.papers import cancellation, key, note
from tests.desktop.conftest import Made
from tests.desktop.details_made import Shown, bring_in, one, with_event


@pytest.fixture
def shown(qtbot: QtBot, made: Made) -> Shown:
    return Shown(qtbot, made.services)


@pytest.fixture
def told(made: Made) -> list[Notice]:
    found: list[Notice] = []
    made.services.notices.added.connect(found.append)
    return found


def save_to(shown: Shown, folder: Path) -> list[Path]:
    """Answer the question for the place with the name that is proposed, in `folder`."""
    asked: list[Path] = []

    def answer(_: QWidget, proposed: Path) -> Path:
        asked.append(proposed)
        return folder / proposed.name

    shown.panel.ask_where = answer
    return asked


def test_the_saved_file_is_what_the_vault_has(shown: Shown, told: list[Notice], tmp_path: Path) -> None:
    row = one(shown.services, types=("nfe",))
    shown.show(row.id)
    asked = save_to(shown, tmp_path)
    shown.do(Action.SAVE_XML)
    assert [path.name for path in asked] == [f"{row.access_key}-procNFe.xml"]
    data = (tmp_path / asked[0].name).read_bytes()
    assert data == browse.content(shown.services.opened, row.sha256)
    assert hashlib.sha256(data).hexdigest() == row.sha256
    assert [(notice.kind, notice.text) for notice in told] == [(GOOD, f"Saved to {tmp_path / asked[0].name}.")]
    # the next time it is proposed in the same folder
    shown.do(Action.SAVE_XML)
    assert asked[1].parent == tmp_path


def test_giving_up_saves_nothing(shown: Shown, told: list[Notice]) -> None:
    shown.show(one(shown.services, types=("nfe",)).id)
    shown.panel.ask_where = lambda _parent, _proposed: None
    shown.do(Action.SAVE_XML)
    assert told == []


def test_a_place_that_cannot_be_written_is_one_sentence(shown: Shown, made: Made, tmp_path: Path) -> None:
    shown.show(one(shown.services, types=("nfe",)).id)
    save_to(shown, tmp_path / "missing")
    shown.do(Action.SAVE_XML)
    assert len(made.faults) == 1
    assert str(tmp_path / "missing") in made.faults[0].what
    assert not made.faults[0].is_bug


def test_an_event_is_saved_under_its_own_name(shown: Shown, tmp_path: Path) -> None:
    row = with_event(shown.services, "110110")
    shown.show(row.id)
    asked = save_to(shown, tmp_path)
    shown.panel.show_tab("xml")
    shown.panel.xml.choice.setCurrentIndex(1)
    shown.rest()
    shown.panel.xml.save_button.click()
    shown.rest()
    assert asked[0].name == f"{row.access_key}-110110-1-procEventoNFe.xml"
    content = shown.panel.xml.content
    assert content is not None
    assert hashlib.sha256((tmp_path / asked[0].name).read_bytes()).hexdigest() == content.sha256
    # on the XML page the command is about the XML that is seen there
    shown.do(Action.SAVE_XML)
    assert asked[1].name == asked[0].name
    shown.panel.show_tab("summary")
    shown.do(Action.SAVE_XML)
    assert asked[2].name == f"{row.access_key}-procNFe.xml"


def test_standard_names_of_every_kind(shown: Shown, tmp_path: Path) -> None:
    services = shown.services
    freight = one(services, types=("cte",))
    assert save_xml.document_name(freight) == f"{freight.access_key}-procCTe.xml"
    voiding = one(services, types=("voiding",))
    full = browse.full(services.opened, voiding.id)
    assert save_xml.document_name(voiding, full.voiding).endswith("-procInutNFe.xml")
    bring_in(services, tmp_path / "in", b"<other/>", note(61, cstat=None), note(62), note(62, padding=" e Filhos"))
    bare = one(services, access_key=key(61))
    assert save_xml.document_name(bare) == f"{bare.access_key}-nfe.xml"
    other = one(services, types=("other",))
    assert save_xml.document_name(other) == f"no-key-{other.sha256[:16]}-other.xml"
    twice = document_files.every(browse.named(services.opened, key(62)))
    assert len({entry.file_name for entry in twice}) == len(twice) == 2


def test_what_the_archive_does_not_hold_is_not_saved(shown: Shown, tmp_path: Path) -> None:
    with pytest.raises(NotInArchive):
        save_xml.save(shown.services.opened, "0" * 64, tmp_path / "a.xml")
    assert list(tmp_path.glob("*.xml")) == []


def test_copied_is_what_was_received_however_it_is_shown(shown: Shown) -> None:
    row = one(shown.services, types=("nfe",))
    shown.panel.show_tab("xml")
    shown.show(row.id)
    received = browse.content(shown.services.opened, row.sha256).decode()
    assert "\n" in shown.panel.xml.text.toPlainText()
    shown.panel.xml.copy_button.click()
    assert QGuiApplication.clipboard().text() == received
    QGuiApplication.clipboard().clear()
    shown.panel.show_tab("summary")
    shown.do(Action.COPY_XML)
    assert QGuiApplication.clipboard().text() == received
    shown.panel.show_tab("xml")
    shown.panel.xml.indented.setChecked(False)
    shown.rest()
    assert shown.panel.xml.text.toPlainText() == received


def test_bytes_that_are_not_as_they_should_be_are_a_sentence(shown: Shown, made: Made) -> None:
    row = one(shown.services, types=("nfe",))
    shown.show(row.id)
    home = shown.services.workspace.home
    shown.services.opened.close()
    home.archive.rename(home.archive.with_suffix(".away"))
    shown.panel.show_tab("xml")
    shown.rest()
    assert shown.panel.xml.text.toPlainText() == ""
    assert not shown.panel.xml.save_button.isEnabled()
    assert [fault.is_bug for fault in made.faults] == [False]


def test_finding_goes_on_with_enter_and_round_the_end(shown: Shown) -> None:
    shown.panel.show_tab("xml")
    shown.show(one(shown.services, types=("nfe",)).id)
    page = shown.panel.xml
    page.finder.setFocus()
    shown.qtbot.keyClicks(page.finder, "CSTAT")
    first = page.text.textCursor().selectionStart()
    assert page.text.textCursor().selectedText() == "cStat"
    shown.qtbot.keyClick(page.finder, Qt.Key.Key_Return)
    assert page.text.textCursor().selectionStart() > first
    shown.qtbot.keyClick(page.finder, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert page.text.textCursor().selectionStart() == first
    shown.qtbot.keyClick(page.finder, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert page.text.textCursor().selectionStart() > first
    shown.qtbot.keyClicks(page.finder, "!nowhere")
    assert page.finder.property("wrong") is True
    assert page.finder.toolTip()
    page.finder.clear()
    page.finder.textEdited.emit("")
    assert page.finder.property("wrong") is False


def test_find_in_the_text_means_the_text(shown: Shown) -> None:
    shown.panel.show_tab("xml")
    shown.show(one(shown.services, types=("nfe",)).id)
    searched: list[bool] = []
    shown.actions[Action.SEARCH].triggered.connect(searched.append)
    shown.window.activateWindow()
    shown.panel.xml.text.setFocus()
    shown.qtbot.waitUntil(shown.panel.xml.text.hasFocus)
    shown.qtbot.keyClick(shown.panel.xml.text, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert shown.panel.xml.finder.hasFocus()
    assert searched == []


@pytest.fixture
def large(qtbot: QtBot, made: Made) -> tuple[XmlText, list[str]]:
    """A text far larger than what is laid out at once, with signs that UTF-16 writes in two."""
    widget = XmlText(made.services.look)
    qtbot.addWidget(widget)
    widget.resize(400, 400)
    widget.show()
    lines = [f"<item n='{number}'>😀 Caneca nº {number}</item>" for number in range(20_000)]
    widget.show_text("\r\n".join(lines))
    return widget, lines


def test_a_large_text_is_laid_out_in_part_and_found_whole(large: tuple[XmlText, list[str]]) -> None:
    widget, lines = large
    assert len(widget.toPlainText()) < 2 * STRETCH
    assert widget.find_next("n='19999'")
    assert widget.textCursor().block().text() == lines[19999]
    assert widget.find_next("N='3'>")
    assert widget.textCursor().selectedText() == "n='3'>"
    assert widget.find_next("n='10000'")
    assert widget.find_next("n='9999'", backward=True)
    assert widget.textCursor().block().text() == lines[9999]
    assert widget.find_next("n='10001'", backward=True)  # round the beginning
    assert not widget.find_next("nowhere", backward=True)
    assert widget.textCursor().block().text() == lines[10001]


def test_scrolling_a_large_text_comes_to_both_ends(large: tuple[XmlText, list[str]]) -> None:
    widget, lines = large
    widget.find_next("n='10000'")
    bar = widget.verticalScrollBar()
    for _ in range(100):
        bar.setValue(bar.maximum())
    assert widget.toPlainText().endswith(lines[-1])
    for _ in range(100):
        bar.setValue(0)
    assert widget.toPlainText() == "\n".join(lines)


def test_all_of_a_large_text_is_copied(large: tuple[XmlText, list[str]]) -> None:
    widget, lines = large
    widget.selectAll()
    widget.copy()
    assert QGuiApplication.clipboard().text() == "\n".join(lines)


def test_tags_attributes_values_and_comments_have_colours_of_the_look(qtbot: QtBot, made: Made) -> None:
    widget = XmlText(made.services.look)
    qtbot.addWidget(widget)
    widget.show_text('<a b="c">text</a>\n<!-- one\ntwo <x> -->\n<d\n  e="f"/>')

    def dyed() -> dict[str, str]:
        found = {}
        block = widget.document().firstBlock()
        while block.isValid():
            for span in block.layout().formats():
                found[block.text()[span.start : span.start + span.length]] = span.format.foreground().color().name()
            block = block.next()
        return found

    colours = made.services.look.colours
    assert dyed() == {
        "<a": colours.accent,
        "b": colours.warn,
        '"c"': colours.good,
        ">": colours.accent,
        "</a>": colours.accent,
        "<!-- one": colours.muted,
        "two <x> -->": colours.muted,
        "<d": colours.accent,
        "e": colours.warn,
        '"f"': colours.good,
        "/>": colours.accent,
    }
    made.services.look.use("dark")
    assert dyed()["<a"] == DARK.accent


def test_a_cancelled_note_lists_its_event_among_the_files(tmp_path: Path, shown: Shown) -> None:
    bring_in(shown.services, tmp_path / "in", note(63), cancellation(63))
    found = document_files.every(browse.named(shown.services.opened, key(63)))
    assert [entry.file_name for entry in found] == [
        f"{key(63)}-procNFe.xml",
        f"{key(63)}-110111-1-procEventoNFe.xml",
    ]
