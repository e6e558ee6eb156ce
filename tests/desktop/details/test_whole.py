"""Details in full: every page tells all that the paper says, with words for codes, and keeps people hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from confere.app.authenticity import verify
from confere.app.authenticity.verify import PaperVerdict
from confere.app.documents.view import hidden_persons, loaded, sections
from confere.app.documents.view.facts import Section
from confere.desktop.details.history.timeline import _Entry
from confere.desktop.details.items.cte_parts import CtePart
from confere.desktop.theme.palettes import LIGHT
from confere.desktop.widgets.fact_page import html_of
from confere.errors import message
from confere.fiscal.authenticity.judge import JudgedDocument
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind, Verdict
from confere.system.settings import HIDE_PEOPLE
from tests.archive.papers import cancellation, key
from tests.desktop import whole_papers
from tests.desktop.conftest import Made
from tests.desktop.details_made import Shown, bring_in, one
from tests.desktop.troubled import BROKEN
from tests.fiscal import made as fiscal

SHAPES = {Result.OK: "✓", Result.FAILED: "✗", Result.UNCHECKED: "?", Result.NOT_APPLICABLE: "–", Result.TEST: "•"}


@pytest.fixture
def shown(qtbot: QtBot, made: Made, tmp_path: Path) -> Shown:
    found = Shown(qtbot, made.services)
    bring_in(
        made.services,
        tmp_path / "whole",
        whole_papers.note(70),
        whole_papers.correction(70, 1, "Onde se lê azul, leia-se verde em todos os itens desta nota"),
        whole_papers.correction(70, 2, "A placa correta é ABC1D23"),
        whole_papers.freight([key(70), key(71)]),
    )
    return found


def show_note(shown: Shown) -> None:
    shown.show(one(shown.services, access_key=key(70)).id)


def show_freight(shown: Shown) -> None:
    shown.show(one(shown.services, access_key=fiscal.cte_key()).id)


def told(shown: Shown) -> dict[str, dict[str, str]]:
    """The sections of the summary with what each says under its labels."""
    assert shown.panel._loaded is not None
    return {entry.title: _facts(entry) for entry in sections.of(shown.panel._loaded)}


def _facts(section: Section) -> dict[str, str]:
    found: dict[str, str] = {}
    for fact in section.facts:
        said = "; ".join(line.text for line in fact.lines)
        found[fact.label] = f"{found[fact.label]}; {said}" if fact.label in found else said
    return found


def test_a_note_is_told_to_its_last_line(shown: Shown) -> None:
    show_note(shown)
    found = told(shown)
    assert list(found)[:5] == ["Situation", "Worth knowing", "Authenticity", "Document", "Parties"]
    assert "Rua das Flores, 1" in found["Parties"]["Emitter"]
    assert "State registration 111222333444" in found["Parties"]["Emitter"]
    assert found["Document"]["Final consumer"] == "Final consumer"
    assert "R$ 1,80" in found["Totals"].values()
    assert "R$ 111,00" in found["Totals"].values()
    assert found["Transport"]["Freight"] == "Hired by the recipient (FOB)"
    assert found["Transport"]["Carrier"].startswith("Transportes Rápidos")
    assert found["Transport"]["Volumes"] == "2 CAIXA · gross 3.5 kg"
    assert found["Payment"]["Bank slip (boleto) · On term"] == "R$ 110,00"
    assert found["Payment"]["Instalment 001 · due 2026-09-07"] == "R$ 110,00"
    assert found["Words"]["To the taxpayer"] == "Entregar na portaria"
    assert found["Words"]["Vendedor"] == "Maria"
    assert found["Authorization"]["Protocol"] == "135260000000001"
    assert found["All fields"]["City of the taxable event (IBGE)"] == "3550308"
    assert "Ana Prado" in found["All fields"].values()


def test_all_fields_are_folded_until_asked_for(shown: Shown) -> None:
    show_note(shown)
    summary = shown.panel.summary
    assert "3550308" not in summary.toPlainText()
    assert "3550308" not in summary.as_text()
    summary.anchorClicked.emit(QUrl("fold:fields"))
    assert "3550308" in summary.toPlainText()
    assert "3550308" in summary.as_text()


def test_a_freight_is_told_to_its_last_line_and_leads_to_what_it_carries(shown: Shown) -> None:
    show_freight(shown)
    found = told(shown)
    assert found["Service"]["Taker of the freight"] == f"{whole_papers.NAME} (recipient)"
    assert found["Price"]["FRETE PESO"] == "R$ 20,90"
    assert found["Price"]["Total of the service"] == "R$ 25,90"
    assert any(label.startswith("ICMS · CST 00") and said == "R$ 3,11" for label, said in found["Price"].items())
    assert found["Cargo"]["Product"] == "CANETAS"
    assert found["Cargo"]["Measures"].startswith("PESO BRUTO: 3.5")
    assert "Seguradora Boa · policy A-1" in found["Insurance"].values()
    assert "NF-e 1/70" in found["Carries 2 documents"]
    assert "not in the archive" in " ".join(found["Carries 2 documents"].values())
    shown.panel.summary.anchorClicked.emit(QUrl(f"key:{key(70)}"))
    shown.rest()
    assert shown.row is not None
    assert shown.row.access_key == key(70)


def test_the_items_show_every_tax_of_the_chosen_one(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "many", whole_papers.note(72, items=3))
    shown.panel.show_tab("items")
    shown.show(one(shown.services, access_key=key(72)).id)
    items = shown.panel.items
    said = items.chosen.toPlainText()
    assert said.startswith("\n1 · Caneta azul nº 1")
    assert items.table.selected_rows() == []
    items.table.selectRow(2)
    said = items.chosen.toPlainText()
    for words in ("3 · Caneta azul nº 3", "CEST 1900100", "P-77", "00 – ", "R$ 0,11", "R$ 0,97", "Com alça dourada"):
        assert words in said, words
    cells = [column.text((2, items.table.rows_model.rows[2][1])) for column in items.table.rows_model.columns]
    assert "R$ 1,80" in cells
    assert "R$ 1,08" in cells
    assert "000" in cells


def test_columns_of_items_are_hidden_and_remembered(shown: Shown, qtbot: QtBot) -> None:
    shown.panel.show_tab("items")
    show_note(shown)
    items = shown.panel.items
    menu = items._columns.menu()
    menu.aboutToShow.emit()
    titles = {action.text(): action for action in menu.actions()}
    assert not titles["Freight"].isChecked()
    titles["CFOP"].trigger()
    titles["Freight"].trigger()
    names = [column.title for column in items.table.rows_model.columns]
    anew = Shown(qtbot, shown.services)
    again = anew.panel.items.table.horizontalHeader()
    assert again.isSectionHidden(names.index("CFOP"))
    assert not again.isSectionHidden(names.index("Freight"))


def test_the_last_column_stays(shown: Shown) -> None:
    shown.panel.show_tab("items")
    show_note(shown)
    items = shown.panel.items
    menu = items._columns.menu()
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.isChecked():
            action.trigger()
    head = items.table.horizontalHeader()
    assert head.count() - head.hiddenSectionCount() == 1


def test_a_note_of_990_items_is_a_table_and_one_of_them(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "long", whole_papers.note(73, items=990))
    shown.panel.show_tab("items")
    shown.show(one(shown.services, access_key=key(73)).id)
    items = shown.panel.items
    assert len(items.table.rows_model.rows) == 990
    items.table.selectRow(989)
    assert "990 · Caneta azul nº 990" in items.chosen.toPlainText()
    assert len(items.chosen.toPlainText()) < 5_000


def test_a_freight_has_its_parts_in_place_of_goods(shown: Shown) -> None:
    shown.panel.show_tab("items")
    show_freight(shown)
    items = shown.panel.items
    rows: tuple[CtePart, ...] = items.parts.rows_model.rows
    assert [row.kind for row in rows] == ["Price", "Price", "Tax", "Carries", "Carries"]
    assert [row.what for row in rows[:2]] == ["FRETE PESO", "PEDAGIO"]
    assert [row.archived for row in rows[3:]] == [True, False]
    items.parts.selectRow(2)
    assert "ICMS" in items.chosen.toPlainText()
    items.parts.selectRow(4)
    assert "not in the archive" in items.chosen.toPlainText()
    items.parts.entered_row.emit(rows[4])
    shown.rest()
    assert shown.row is not None
    assert shown.row.access_key == fiscal.cte_key()
    items.parts.entered_row.emit(rows[3])
    shown.rest()
    assert shown.row is not None
    assert shown.row.access_key == key(70)


def test_the_history_has_each_event_with_its_words_fields_and_verdict(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "refused", cancellation(70, cstat="573"))
    shown.panel.show_tab("history")
    show_note(shown)
    told = shown.panel.timeline.happenings
    letters = [entry for entry in told if entry.title.startswith("Correction letter")]
    assert [entry.quote for entry in letters] == [
        "Onde se lê azul, leia-se verde em todos os itens desta nota",
        "A placa correta é ABC1D23",
    ]
    assert all(entry.effective and entry.verdict is not None for entry in letters)
    assert any("135 – Evento registrado e vinculado" in line for line in letters[0].lines)
    refused = next(entry for entry in told if entry.title == "Cancellation")
    assert not refused.effective
    folds = [button for button in shown.panel.timeline.findChildren(QPushButton) if "Fields" in button.text()]
    assert len(folds) == 3
    assert "A CCe" not in _labels(shown)
    folds[0].click()
    assert folds[0].text().startswith("▾")
    assert "A CCe" in _labels(shown)
    folds[0].click()
    assert folds[0].text().startswith("▸")


def _labels(shown: Shown) -> str:
    from PySide6.QtWidgets import QLabel

    return "\n".join(label.text() for label in shown.panel.timeline.findChildren(QLabel) if not label.isHidden())


def test_people_are_hidden_on_every_page_and_companies_are_not(shown: Shown) -> None:
    shown.services.workspace.settings.set(HIDE_PEOPLE, True)
    show_note(shown)
    shown.panel.summary.toggle("fields")
    said = shown.panel.summary.toPlainText()
    for secret in (whole_papers.NAME, "529.982.247-25", whole_papers.PERSON, "Ana Prado"):
        assert secret not in said, secret
    assert "J. D. C." in said
    assert "***.982.247-**" in said
    assert "Curitiba/PR" in said
    assert "Papelaria São João Ltda" in said
    assert "Rua das Flores" in said
    show_freight(shown)
    assert whole_papers.NAME not in shown.panel.summary.toPlainText()


def test_fields_of_a_group_without_a_cnpj_are_a_persons() -> None:
    fields = (
        ("moto/xNome", "José da Conceição"),
        ("moto/CPF", whole_papers.PERSON),
        ("dono/CNPJ", fiscal.EMITTER),
        ("dono/xNome", "Papelaria"),
        ("dono/ender/xLgr", "Rua A"),
        ("quem/CNPJ", fiscal.EMITTER),
        ("quem/CPF", whole_papers.PERSON),
        ("quem/email", "a@b.example"),
        ("vNF", "1.00"),
    )
    assert dict(hidden_persons.hide(fields)) == {
        "moto/xNome": "J. D. C.",
        "moto/CPF": "***.982.247-**",
        "dono/CNPJ": fiscal.EMITTER,
        "dono/xNome": "Papelaria",
        "dono/ender/xLgr": "Rua A",
        "quem/CNPJ": fiscal.EMITTER,
        "quem/CPF": "***.982.247-**",
        "quem/email": hidden_persons.HIDDEN,
        "vNF": "1.00",
    }


def verdict(**results: Result) -> Verdict:
    """Every check is ok but those that are named."""
    why = message("There is no signature.")
    return Verdict(
        tuple(
            CheckLine(check, found := results.get(check.value, Result.OK), None if found is Result.OK else why)
            for check in Check
        )
    )


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ({}, "Authentic: every check that applies holds."),
        ({"signature": Result.FAILED}, "Do not rely on it: one check failed."),
        ({"signature": Result.FAILED, "digest": Result.FAILED}, "Do not rely on it: 2 checks failed."),
        ({"environment": Result.TEST}, "A test document, without fiscal value."),
        ({"environment": Result.FAILED}, "Do not rely on it: one check failed."),
        ({"chain": Result.UNCHECKED}, "Nothing speaks against it, but one check could not be made."),
        ({"schema": Result.FAILED}, "Authentic: every check that applies holds."),
    ],
)
def test_the_verdict_is_told_line_by_line_with_shapes(
    shown: Shown, monkeypatch: pytest.MonkeyPatch, results: dict[str, Result], sentence: str
) -> None:
    row = one(shown.services, access_key=key(70))
    found = verdict(**results)
    said = (PaperVerdict(JudgedDocument(SignedKind.DOCUMENT, 0, key(70), None, None, found), row.sha256),)
    monkeypatch.setattr(verify, "judge", lambda _opened, _full: said)
    shown.show(row.id)
    section = next(entry for entry in sections.of(shown.panel._loaded) if entry.title == "Authenticity")  # type: ignore[arg-type]
    assert section.facts[0].lines[0].text == sentence
    assert [fact.mark for fact in section.facts[1:]] == [line.result.value for line in found.lines]
    text = shown.panel.summary.toPlainText()
    assert SHAPES[found.result] in text
    for name in results:
        told = next(fact for fact in section.facts[1:] if fact.mark == results[name].value)
        assert told.lines[1].text == "There is no signature."


@pytest.mark.logs_problems
def test_what_fails_beside_the_document_hides_nothing_of_it(
    shown: Shown, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(verify, "judge", broken)
    monkeypatch.setattr(loaded.relations, "relations", broken)
    show_note(shown)
    for tab in ("summary", "items", "history", "relations", "xml"):
        shown.panel.show_tab(tab)
        shown.rest()
    said = shown.panel.summary.toPlainText()
    assert "A part of what is known of it could not be worked out." in said
    assert "Entregar na portaria" in said
    assert [fault.is_bug for fault in made.faults] == [True, True]


def test_a_file_that_cannot_be_read_is_shown_with_its_reason_and_bytes(
    shown: Shown, made: Made, tmp_path: Path
) -> None:
    bring_in(shown.services, tmp_path / "broken", BROKEN)
    from confere.app.overview import activity

    (file,) = activity.unreadable(shown.services.opened)
    shown.panel.show_key(file.sha256)
    shown.rest()
    for tab in ("items", "history", "relations", "xml", "summary"):
        shown.panel.show_tab(tab)
        shown.rest()
        shown.panel.grab()
    said = shown.panel.summary.toPlainText()
    assert "This file cannot be read" in said
    assert file.sha256 in said
    assert shown.panel.xml.text.toPlainText() == BROKEN.decode()
    assert shown.panel.items.sum.text() == "The file cannot be read."
    assert shown.went == []
    assert made.faults == []


def test_a_paper_whose_words_are_markup_stays_words() -> None:
    from confere.app.documents.view.facts import Fact
    from confere.app.documents.view.facts import FactLine as Said

    section = Section("<b>x</b>", (Fact("<i>", (Said("<img src=x>"), Said("<u>", link='"><script>'))),))
    html = html_of((section,), LIGHT)
    for bad in ("<b>x", "<i>", "<img", "<u>", "<script"):
        assert bad not in html
    assert replace(section, fold="f")


def test_a_long_history_is_made_a_piece_at_a_time(shown: Shown, tmp_path: Path) -> None:
    letters = [whole_papers.correction(55, number, f"Palavras {number}") for number in range(1, 41)]
    bring_in(shown.services, tmp_path / "in", whole_papers.note(55), *letters)
    shown.panel.show_tab("history")
    timeline = shown.panel.timeline
    seen: list[int] = []
    shown.panel.shown.connect(lambda _: seen.append(len(timeline.findChildren(_Entry))))
    shown.panel.show_key(key(55))
    shown.rest()
    shown.qtbot.waitUntil(lambda: timeline.is_whole)
    assert seen[0] < len(timeline.happenings) == len(timeline.findChildren(_Entry)) == 42
    texts = [label.text() for label in timeline.findChildren(QLabel)]
    assert texts.index("“Palavras 1”") < texts.index("“Palavras 12”") < texts.index("“Palavras 40”")


def test_where_there_is_no_relation_that_is_said_once(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "in", whole_papers.note(56))
    shown.panel.show_tab("relations")
    shown.panel.show_key(key(56))
    shown.rest()
    relations = shown.panel.relations
    assert relations.graph.isVisible()
    assert not relations.list.isVisible()
    show_freight(shown)
    shown.panel.show_tab("relations")
    assert relations.list.isVisible()
    relations.list.setFocus()
    shown.panel.show_key(key(56))
    shown.rest()
    assert not relations.list.isVisible()
    assert shown.window.focusWidget() is relations.graph
