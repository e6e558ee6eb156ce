"""The tab Package of the Closing page, and the verdict that the export begins with."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.labels.labels import state_word
from confere.app.packages import verdict, written
from confere.app.packages.export import ExportChoice, PackageOptions
from confere.app.packages.verdict import DocumentGroup, ExportVerdict
from confere.archive.accounts import audit
from confere.desktop.closing.package_tab import PackageTab
from confere.desktop.dialogs.export import ExportDialog
from confere.desktop.dialogs.package import verdict_card
from confere.desktop.dialogs.package.verdict_card import AMBER, GREEN, GroupTable, VerdictCard
from confere.desktop.services import Services
from confere.desktop.widgets.pill import brief_state
from confere.errors import message
from confere.export.package.contents import PackageContents
from confere.export.package.missing import MissingFiles
from confere.export.package.preview import ExportPreview
from confere.fiscal import periods
from confere.system import formatting
from tests.desktop.conftest import Made


def _exported(services: Services) -> written.PastPackage:
    """The newest package that the demo wrote."""
    return written.written(services.opened, None, None)[0]


def _write_down(services: Services, company: str, month: str, path: Path) -> None:
    """That a package was written there."""
    with services.workspace.writing("test") as archive, archive.writing() as transaction:
        audit.write(transaction, "export", f"{company} {month}", str(path))


def test_a_complete_month_is_green_and_its_table_adds_up(qtbot: QtBot, services: Services) -> None:
    past = _exported(services)
    query = DocumentQuery(company=past.company, from_day=f"{past.month}-01", to_day=f"{past.month}-31")
    totals = browse.totals(services.opened, query)
    tab = PackageTab(services)
    qtbot.addWidget(tab)
    tab.show()
    tab.show_scope(past.company, past.month)
    qtbot.waitUntil(lambda: bool(tab.groups.rows_model.rows) and bool(tab.packages.rows_model.rows))
    found = verdict.verdict(services.opened, ExportChoice(PackageOptions(past.month), past.company))
    assert sum(row.documents for row in tab.groups.rows_model.rows) == totals.count == found.documents
    assert found.worth == totals.worth
    assert sum(row.worth for row in found.groups) == totals.worth + totals.void_worth
    assert tab.card.kind == (GREEN if found.is_complete else AMBER)
    assert verdict_card.contents_of(found) in f"{tab.card.headline.text()} {tab.card.lines.text()}"
    assert formatting.money(totals.worth) in verdict_card.contents_of(found)
    tab.show_scope(past.company, None)
    assert "Choose a month" in tab.card.headline.text()


def test_packages_written_before_are_listed_with_their_hash_or_as_gone(
    qtbot: QtBot, services: Services, tmp_path: Path
) -> None:
    past = _exported(services)
    file = services.workspace.home.exports / past.path.name
    _write_down(services, past.company, past.month, file)
    past = _exported(services)
    assert past.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    gone, folder = tmp_path / "nowhere" / "gone.zip", tmp_path / "folder"
    folder.mkdir()
    _write_down(services, past.company, "2026-01", gone)
    _write_down(services, past.company, "2026-02", folder)
    tab = PackageTab(services)
    qtbot.addWidget(tab)
    tab.show()
    for month, exists, opens in (("2026-01", False, False), ("2026-02", True, True)):
        tab.show_scope(past.company, month)
        qtbot.waitUntil(lambda month=month: [row.month for row in tab.packages.rows_model.rows] == [month])
        tab.packages.choose_first()
        (row,) = tab.packages.rows_model.rows
        assert (row.exists, row.sha256) == (exists, None)
        assert tab.open.isEnabled() is opens
    (when, *_) = tab.packages.rows_model.as_text([0], [0]).splitlines()[1:]
    assert when == formatting.moment(periods.in_brasilia(row.at))  # as every other time of the window
    assert written.written(services.opened, past.company[:-1], None) == ()
    assert written.written(services.opened, None, past.month)[0] == past


def test_a_month_that_was_not_listed_is_amber_and_written_all_the_same(qtbot: QtBot, made: Made) -> None:
    services = made.services
    past = _exported(services)
    with closing(sqlite3.connect(services.workspace.home.archive)) as archive, archive:
        archive.execute("DELETE FROM coverage")
    services.scope.choose(past.company, past.month)
    dialog = ExportDialog(services)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.folder.setText(str(services.workspace.home.root / "elsewhere"))
    dialog.folder.editingFinished.emit()
    qtbot.waitUntil(lambda: dialog.write.isEnabled() and not services.reader.busy)
    assert dialog.card.kind == AMBER
    assert dialog.card.fetch.isVisible()
    assert "were never listed" in dialog.card.lines.text()
    assert dialog.write.text() == "Write all the same"
    assert not dialog.names.isVisible()
    dialog.unfold.click()
    assert dialog.names.isVisible()
    assert ".xml" in dialog.names.toPlainText()


def test_the_card_counts_what_waits_and_names_what_is_not_authentic(qtbot: QtBot, services: Services) -> None:
    key = "35261011222333000181550010000047111000047115"
    missing = (
        MissingFiles("not_downloaded", message("Not here: {count}.", count=120), message("Sync."), 120),
        MissingFiles("not_authentic", message("Not authentic: {count}.", count=5), message("Look."), 5, (key,) * 5),
    )
    contents = PackageContents("11222333000181", "2026-10", (), 108, 14, 122, 0, missing, {"none": 7, "ok": 101})
    found = ExportVerdict("2026-10", (ExportPreview(contents, (), 0, ()),), ())
    card = VerdictCard(services.look)
    qtbot.addWidget(card)
    card.show()
    card.show_verdict(found)
    said = card.lines.text()
    assert (card.kind, card.headline.text()) == (AMBER, "120 XML missing")
    assert card.fetch.isVisible()
    assert said.count("3526 1011 2223") == 3
    assert "and 2 more" in said
    assert "not checked yet: 7" in said
    other = MissingFiles("not_authentic", message("Not authentic: {count}.", count=2), message("Look."), 2, ("9",) * 2)
    both = PackageContents("11222333000181", "2026-10", (), 1, 0, 1, 0, (missing[1], other), {})
    card.show_verdict(ExportVerdict("2026-10", (ExportPreview(both, (), 0, ()),), ()))
    assert card.lines.text().count("Not authentic: 7.") == 1  # of two companies one sentence
    event = MissingFiles("not_authentic", message("Not: {count}.", count=1), message("Look."), 1, (f"{key} 110111/1",))
    one = PackageContents("11222333000181", "2026-10", (), 1, 0, 1, 0, (event,), {})
    card.show_verdict(ExportVerdict("2026-10", (ExportPreview(one, (), 0, ()),), ()))
    assert card.lines.text().splitlines()[-1].endswith("0047 1110 0004 7115 · cancellation")
    whole = PackageContents("11222333000181", "2026-10", (), 108, 14, 122, 0, (), {"ok": 108})
    card.show_verdict(ExportVerdict("2026-10", (ExportPreview(whole, (), 0, ()),), ()))
    assert card.kind == GREEN
    assert card.headline.text() == "October 2026, all documents: 108 documents, 14 events, R$ 0,00"
    assert not card.fetch.isVisible()
    later = replace(whole, earlier_events=1)
    card.show_verdict(ExportVerdict("2026-10", (ExportPreview(later, (), 0, ()),), ()))
    assert "14 events (on documents of earlier months: 1)" in card.headline.text()


def test_states_are_short_only_where_there_is_no_room(qtbot: QtBot, services: Services) -> None:
    table = GroupTable("test/groups", services.look, services.memory)
    qtbot.addWidget(table)
    table.put([DocumentGroup("nfe", "out", state, 1, 100_00) for state in ("unregistered", "authorized")])
    table.show()
    said = {}
    for width in (900, 380):
        table.resize(width, 200)
        QApplication.processEvents()
        said[width] = table.rows_model.index(0, 2).data()
    assert said == {900: state_word("unregistered"), 380: brief_state("unregistered")}
    assert state_word("unregistered") != brief_state("unregistered")
