"""The panel: every kind of document is shown, one is walked to another and back, and nothing stale is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.documents.view import detail_text
from confere.app.labels import labels
from confere.desktop.core.actions import Action
from confere.desktop.services import Services
from confere.desktop.widgets.elided_labels import Elided, KeyGroups
from confere.system import formatting
from confere.system.settings import HIDE_PEOPLE
from tests.archive.papers import EMITTER, cancellation, key, note
from tests.desktop.conftest import Made
from tests.desktop.details_made import EVERYTHING, Shown, bring_in, freight, one, with_event
from tests.fiscal import heads_made

TABS = ("summary", "items", "history", "relations", "xml", "pdf")


@pytest.fixture
def shown(qtbot: QtBot, made: Made, no_pdfs: None) -> Shown:
    return Shown(qtbot, made.services)


def see_every_tab(shown: Shown) -> None:
    for tab in TABS:
        shown.panel.show_tab(tab)
        shown.rest()
        shown.panel.grab()


def test_nothing_chosen_says_so_and_offers_nothing(shown: Shown) -> None:
    assert "Choose a document" in shown.panel.sentence.text()
    assert shown.panel.current is None
    for act in (Action.BACK, Action.FORWARD, Action.SAVE_XML, Action.COPY_XML):
        assert not shown.actions[act].isEnabled()


@pytest.mark.parametrize(
    "wanted",
    [
        {"types": ("nfe",), "states": ("authorized",)},
        {"types": ("nfe",), "states": ("cancelled",)},
        {"types": ("cte",)},
        {"types": ("voiding",)},
    ],
)
def test_every_kind_is_shown(shown: Shown, made: Made, wanted: dict[str, object]) -> None:
    row = one(shown.services, **wanted)
    shown.show(row.id)
    see_every_tab(shown)
    assert shown.row == row
    assert detail_text.title(shown.panel.current) in {label.text() for label in shown.panel.findChildren(Elided)}  # type: ignore[arg-type]
    said = shown.panel.summary.toPlainText()
    assert row.protocol and row.protocol in said
    assert formatting.money(row.total) in said
    assert labels.state_word(row.state) in said.lower() or row.type == "voiding"
    assert shown.panel.xml.text.toPlainText().startswith("<")
    assert made.faults == []


def test_other_models_are_shown_with_the_service_of_a_service_note(shown: Shown, made: Made, tmp_path: Path) -> None:
    event = heads_made.nfse_event().encode()
    papers = (heads_made.nfse(), heads_made.cfe(), heads_made.dce(), heads_made.gtve(), heads_made.mdfe(key(1)))
    bring_in(shown.services, tmp_path / "in", *(text.encode() for text in papers), event)
    for kind in ("cfe", "dce", "gtve", "mdfe", "nfse"):
        row = one(shown.services, types=(kind,))
        shown.show(row.id)
        see_every_tab(shown)
        assert shown.row == row
    shown.panel.show_tab("summary")
    said = shown.panel.summary.toPlainText()
    for text in ("Feira Marketplace SA", "Comissão sobre vendas de julho", "withheld by the taker", "R$ 187,00"):
        assert text in said
    assert made.faults == []


def test_other_xml_and_events_without_their_document_are_shown(shown: Shown, made: Made, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", b"<other><word>xyzzy</word></other>", cancellation(77))
    row = one(shown.services, types=("other",))
    shown.show(row.id)
    see_every_tab(shown)
    assert "<word>xyzzy</word>" in shown.panel.xml.text.toPlainText()
    shown.panel.show_key(key(77))
    shown.rest()
    see_every_tab(shown)
    assert shown.row is None
    assert shown.panel.current is not None
    assert "only events of it are" in shown.panel.summary.toPlainText()
    assert [entry.title for entry in shown.panel.timeline.happenings] == ["Cancellation"]
    assert shown.went == []
    assert made.faults == []


def test_the_key_is_read_in_groups_and_copied_whole(shown: Shown) -> None:
    row = one(shown.services, types=("nfe",))
    shown.show(row.id)
    shown.qtbot.waitExposed(shown.window)
    label = shown.panel.findChild(KeyGroups)
    assert label.text().split() == labels.key_groups(row.access_key or "").split()
    shown.panel.header.copy_key()
    assert QGuiApplication.clipboard().text() == row.access_key


def test_a_freight_leads_to_its_note_and_back_and_forward(shown: Shown) -> None:
    row, target = freight(shown.services)
    shown.show(row.id)
    shown.panel.show_tab("relations")
    relations = shown.panel.relations.list
    place = next(i for i, entry in enumerate(relations.rows_model.rows) if entry.access_key == target)
    relations.setCurrentIndex(relations.rows_model.index(place))
    shown.qtbot.keyClick(relations, Qt.Key.Key_Return)
    shown.rest()
    assert shown.row is not None
    assert shown.row.access_key == target
    note_id = shown.row.id
    assert shown.went == [note_id]
    # the list now chooses that row, which must not be a step of its own
    shown.show(note_id)
    assert not shown.actions[Action.FORWARD].isEnabled()
    shown.do(Action.BACK)
    assert shown.row is not None
    assert shown.row.id == row.id
    assert not shown.actions[Action.BACK].isEnabled()
    shown.do(Action.FORWARD)
    assert shown.row is not None
    assert shown.row.id == note_id
    assert shown.went == [note_id, row.id, note_id]


def test_a_referenced_document_that_is_not_here_is_said(shown: Shown, tmp_path: Path) -> None:
    absent = key(900)
    bring_in(shown.services, tmp_path / "in", note(901, refers=absent))
    shown.show(one(shown.services, access_key=key(901)).id)
    shown.panel.show_tab("relations")
    entry = next(entry for entry in shown.panel.relations.list.rows_model.rows if entry.access_key == absent)
    assert not entry.archived
    assert entry.title == "NF-e 1/900"
    spoken = shown.panel.relations.list.rows_model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "not in the archive" in spoken
    shown.qtbot.keyClick(shown.panel.relations.list, Qt.Key.Key_Return)
    shown.rest()
    assert shown.row is not None
    assert shown.row.access_key == key(901)


def test_a_key_that_nobody_knows_is_a_sentence_and_not_a_fault(shown: Shown, made: Made) -> None:
    row = one(shown.services, types=("nfe",))
    shown.show(row.id)
    shown.panel.show_key(key(4711))
    shown.rest()
    assert key(4711) in shown.panel.sentence.text()
    assert shown.panel.sentence.isVisibleTo(shown.panel)
    assert shown.panel.current is None
    assert not shown.actions[Action.SAVE_XML].isEnabled()
    assert made.faults == []
    shown.do(Action.BACK)
    assert shown.row == row


def test_without_an_archive_it_says_so(qtbot: QtBot, made_empty: Made) -> None:
    shown = Shown(qtbot, made_empty.services)
    shown.show(1)
    assert "There is no archive" in shown.panel.sentence.text()
    assert [fault.is_bug for fault in made_empty.faults] == [False]


def test_running_through_a_list_ends_at_the_last_one_and_never_shows_another(shown: Shown) -> None:
    ids = [row.id for row in browse.first(shown.services.opened, EVERYTHING, 60)]
    shown.panel.show_tab("xml")
    for number in ids:
        shown.panel.show_document(number)
    shown.rest()
    assert shown.row is not None
    assert shown.row.id == ids[-1]
    received = browse.content(shown.services.opened, shown.row.sha256)
    shown.panel.xml.indented.setChecked(False)
    shown.rest()
    assert shown.panel.xml.text.toPlainText() == received.decode()
    # what was only passed by is no step of the way back
    assert not shown.actions[Action.BACK].isEnabled()


def test_what_is_shown_stays_until_the_next_is_there(shown: Shown) -> None:
    first, second = browse.first(shown.services.opened, EVERYTHING, 2)
    shown.show(first.id)
    shown.panel.show_document(second.id)
    assert shown.row is not None
    assert shown.row.id == first.id
    shown.rest()
    assert shown.row.id == second.id


def test_cleared_while_it_reads_it_stays_clear(shown: Shown) -> None:
    shown.panel.show_document(one(shown.services).id)
    shown.panel.clear()
    shown.rest()
    assert shown.panel.current is None
    assert shown.panel.sentence.isVisibleTo(shown.panel)


def test_a_change_of_the_archive_is_shown_on_refresh(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(55))
    row = one(shown.services, access_key=key(55))
    shown.show(row.id)
    bring_in(shown.services, tmp_path / "more", cancellation(55), note(55, padding=" e Filhos"))
    shown.panel.refresh()
    shown.rest()
    assert shown.row is not None
    assert (shown.row.state, shown.row.state_ground) == ("authorized", "contradicted")  # nobody signed the cancellation
    shown.panel.show_tab("summary")
    said = shown.panel.summary.toPlainText()
    assert "Other contents came under the same key: 1. See below." in said
    assert said.count("Other contents came under the same key") == 2
    shown.panel.show_tab("xml")
    shown.rest()
    assert shown.panel.xml.choice.count() == 3
    assert shown.went == []


def test_the_correction_letter_is_read_in_the_history_and_its_xml_shown(shown: Shown) -> None:
    row = with_event(shown.services, "110110")
    shown.show(row.id)
    shown.panel.show_tab("history")
    told = shown.panel.timeline.happenings
    assert [entry.title for entry in told[:2]] == ["Issue", "Authorization"]
    letter = [entry for entry in told if entry.content is not None][-1]
    assert letter.title.startswith("Correction letter")
    assert letter.quote
    assert letter.effective
    assert letter.content is not None
    buttons = [b for b in shown.panel.timeline.findChildren(QAbstractButton) if b.text() == "Show XML"]
    buttons[-1].click()
    shown.rest()
    assert shown.panel.tabs.currentWidget() is shown.panel.xml
    assert shown.panel.xml.content == letter.content
    assert "<tpEvento>110110</tpEvento>" in shown.panel.xml.text.toPlainText()


def test_an_event_that_was_refused_is_told_apart(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(56), cancellation(56, cstat="573"))
    shown.show(one(shown.services, access_key=key(56)).id)
    shown.panel.show_tab("history")
    refused = shown.panel.timeline.happenings[-1]
    assert not refused.effective
    assert any("Not registered" in line for line in refused.lines)


def test_natural_persons_are_hidden_where_the_settings_say_so(shown: Shown) -> None:
    row = next(r for r in browse.first(shown.services.opened, EVERYTHING, 500) if len(r.recipient_tax_id or "") == 11)
    shown.services.workspace.settings.set(HIDE_PEOPLE, True)
    shown.show(row.id)
    shown.panel.show_tab("summary")
    said = shown.panel.summary.toPlainText()
    assert row.recipient_name and row.recipient_name not in said
    assert labels.tax_id_word(row.recipient_tax_id) not in said
    assert labels.tax_id_word(row.recipient_tax_id, hidden=True) in said
    assert row.emitter_name and row.emitter_name in said


def test_the_page_in_use_comes_back(qtbot: QtBot, services: Services) -> None:
    before = Shown(qtbot, services)
    before.panel.show_tab("history")
    again = Shown(qtbot, services)
    assert again.panel.tabs.currentWidget() is again.panel.timeline


def test_the_summary_copies_as_text(shown: Shown) -> None:
    row = one(shown.services, types=("nfe",))
    shown.panel.show_tab("xml")
    shown.show(row.id)
    shown.panel.header.summary_wanted.emit()
    assert f"Protocol: {row.protocol}" in QGuiApplication.clipboard().text()


def test_words_from_outside_are_never_markup(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(57, padding=" &lt;b onclick=&quot;x&quot;&gt;&lt;img src=x&gt;"))
    shown.show(one(shown.services, access_key=key(57)).id)
    shown.panel.show_tab("summary")
    assert 'Loja São João <b onclick="x"><img src=x>' in shown.panel.summary.toPlainText()


def test_items_copy_as_a_spreadsheet_takes_them(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(58, total="1234.50"))
    shown.show(one(shown.services, access_key=key(58)).id)
    shown.panel.show_tab("items")
    shown.panel.items.table.selectAll()
    shown.qtbot.keyClick(shown.panel.items.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, line = QGuiApplication.clipboard().text().split("\n")
    assert dict(zip(head.split("\t"), line.split("\t"), strict=True)) == {
        "#": "1",
        "Description": "Caneca azul",
        "Qty": "1",
        "Per unit": "1234,5",
        "Total": "1234,50",
        "Unit": "UN",
        "Discount": "",
        "CFOP": "5102",
        "CST": "",
        "ICMS": "",
        "IPI": "",
        "PIS": "",
        "COFINS": "",
        "IBS + CBS": "",
        "NCM": "69111010",
        "CEST": "",
        "Code": "A1",
        "GTIN": "",
    }
    assert shown.panel.items.sum.text() == "1 item · R$ 1.234,50"
    model = shown.panel.items.table.rows_model
    prices = {model.columns[place].key: model.index(0, place).data() for place in range(model.columnCount())}
    assert (prices["unit_price"], prices["total"]) == ("R$ 1.234,50", "R$ 1.234,50")  # in English as in Portuguese


def test_the_longest_state_is_whole_in_the_narrowest_panel(shown: Shown) -> None:
    shown.show(with_event(shown.services, "110110").id)
    header = shown.panel.header
    header.setFixedWidth(shown.panel.minimumWidth())
    header._pill.show_word("authorized, cancellation not registered", "warn")
    header._total.setText("R$ 1.234.567,89")
    QApplication.processEvents()
    assert header._pill.width() >= header._pill.sizeHint().width()
    assert header.rect().contains(header._pill.geometry())


def test_everything_has_a_name_and_is_reached_by_keyboard(shown: Shown) -> None:
    shown.show(with_event(shown.services, "110110").id)
    for tab in TABS:
        shown.panel.show_tab(tab)
        shown.rest()
        reached = _by_tab(shown)
        for button in shown.panel.findChildren(QAbstractButton):
            if button.isVisibleTo(shown.panel) and not _is_of_qt(button):
                assert button.text() or button.accessibleName(), button
                assert not button.isEnabled() or button in reached, (tab, button.text(), button.accessibleName())
        for field in (*shown.panel.findChildren(QLineEdit), *shown.panel.findChildren(QComboBox)):
            if field.isVisibleTo(shown.panel) and field.isEnabled():
                assert field.accessibleName()
                assert field in reached
        assert shown.panel.tabs.currentWidget().isVisibleTo(shown.panel)


def _by_tab(shown: Shown) -> set[QWidget]:
    """Every widget that the Tab key comes by, all round."""
    found: set[QWidget] = set()
    entry = shown.panel.nextInFocusChain()
    while entry not in found:
        found.add(entry)
        entry = entry.nextInFocusChain()
    tabbed = Qt.FocusPolicy.TabFocus
    return {widget for widget in found if widget.focusPolicy() & tabbed == tabbed and widget.isEnabled()}


def _is_of_qt(button: QAbstractButton) -> bool:
    """Buttons that Qt puts into its own widgets: scroll buttons of tabs, a field's clear button, a table's corner."""
    return (
        button.objectName().startswith(("qt_", "ScrollLeft", "ScrollRight"))
        or type(button) is QAbstractButton
        or (isinstance(button.parent(), QLineEdit))
    )


def test_the_other_side_is_named_from_our_side(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(59))
    row = one(shown.services, access_key=key(59))
    assert detail_text.parties_line(row, {EMITTER}, False) == "to Cliente Avó"
    assert detail_text.parties_line(row, {row.recipient_tax_id or ""}, False) == "from Loja São João"
    assert detail_text.parties_line(row, (), False) == "Loja São João → Cliente Avó"


def test_another_document_begins_at_its_beginning_and_the_same_stays_where_it_was(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(70))
    shown.panel.resize(360, 400)
    shown.panel.show_tab("summary")
    shown.show(one(shown.services, access_key=key(70)).id)
    bar = shown.panel.summary.verticalScrollBar()
    shown.qtbot.waitUntil(lambda: bar.maximum() > 40)
    bar.setValue(40)
    bring_in(shown.services, tmp_path / "more", cancellation(70))
    shown.panel.refresh()
    shown.rest()
    assert bar.value() == 40
    shown.show(one(shown.services, types=("nfe",), states=("authorized",)).id)
    assert bar.value() == 0


def test_lines_that_were_selected_are_not_those_of_the_next_document(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", note(71), note(72))
    shown.panel.show_tab("items")
    shown.show(one(shown.services, access_key=key(71)).id)
    shown.panel.items.table.selectRow(0)
    shown.show(one(shown.services, access_key=key(72)).id)
    assert shown.panel.items.table.selected_rows() == []


def test_the_focus_given_to_the_panel_is_on_its_pages(shown: Shown) -> None:
    shown.show(one(shown.services).id)
    shown.window.activateWindow()
    shown.panel.take_keyboard()
    shown.qtbot.waitUntil(shown.panel.tabs.tabBar().hasFocus)
    shown.qtbot.keyClick(shown.window.focusWidget(), Qt.Key.Key_Right)
    assert shown.panel.tabs.currentWidget() is shown.panel.items
