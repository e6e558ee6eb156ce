"""The tab Changes: what changed since the month was closed, and closing and opening it from the window."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox
from pytestqt.qtbot import QtBot

from confere.app.labels import closing_labels
from confere.archive.accounts import accounts
from confere.archive.closing import closings
from confere.desktop.closing import changes_tab
from confere.desktop.closing.changes_tab import ChangesTab
from confere.desktop.closing.close_dialog import CloseDialog, ReopenDialog
from confere.desktop.jobs import job_outcomes, job_results
from confere.desktop.jobs.job import JobOutcome, JobRequest
from confere.desktop.jobs.job_requests import close_order
from confere.desktop.services import Services
from confere.desktop.widgets.notices import GOOD
from tests.app import business
from tests.app.closing import closed_world
from tests.app.closing.closed_world import COMPANY, MONTH
from tests.desktop.conftest import Made


@pytest.fixture
def home(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(closed_world.made(tmp_path_factory) / "later", tmp_path / "home"))


@pytest.fixture
def tab(qtbot: QtBot, services: Services) -> Iterator[ChangesTab]:
    made = ChangesTab(services)
    qtbot.addWidget(made)
    made.show()
    yield made


@pytest.fixture
def orders(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[JobRequest]:
    """What would be started, instead of it."""
    started: list[JobRequest] = []
    monkeypatch.setattr(services.jobs, "start", started.append)
    return started


def agreed(monkeypatch: pytest.MonkeyPatch, *asked: QDialog) -> list[QDialog]:
    """Every dialog is filled in and agreed to; those that there were."""
    dialogs: list[QDialog] = []

    def run(dialog: QDialog) -> int:
        dialogs.append(dialog)
        if isinstance(dialog, ReopenDialog):
            dialog.reason.setPlainText("notas  atrasadas")
        dialog.accept()
        return 1

    monkeypatch.setattr(QDialog, "exec", run)
    return dialogs


def test_changes_are_listed_with_their_effect_and_open_the_document(qtbot: QtBot, tab: ChangesTab, made: Made) -> None:
    tab.show_scope(COMPANY, MONTH)
    qtbot.waitUntil(lambda: len(tab.table.rows_model.rows) >= 5)
    rows = tab.table.rows_model.rows
    assert [row.kind for row in rows] == ["arrived"] * 3 + ["cancelled"] * 2 + ["coverage"] * 4
    assert sum(row.cents for row in rows) == -60923
    assert "Ana" in tab._head.text()
    assert "Bia Souza" in tab._head.text()
    assert "hash of the chain" in tab._head.text()
    assert "R$ 609,23" in tab._sums.text()
    assert "DIFAL" in tab._sums.text()
    with qtbot.waitSignal(tab.paper_wanted) as wanted:
        tab.table.entered_row.emit(rows[3])
    assert wanted.args == [rows[3].key]
    assert (tab.close_button.isVisible(), tab.reopen_button.isVisible()) == (False, True)
    tab.show_scope(None, MONTH)
    qtbot.waitUntil(lambda: len({row.company for row in tab.table.rows_model.rows}) == 2)
    assert made.faults == []


def test_a_finding_is_named_and_opened(qtbot: QtBot, tab: ChangesTab, services: Services, made: Made) -> None:
    with services.workspace.writing("test") as archive:
        with archive.reading() as transaction:
            (owner,) = accounts.every(transaction)
            (act,) = (act for act in closings.closed_months(transaction, COMPANY) if act.month == MONTH)
            filed = closings.frozen_of(transaction, act)
            keys = tuple(document.key for document in filed.documents[:2] if document.key)
        business.run(archive, owner, found=(business.a_finding("R3", "o2", keys=keys, amount=1200),))
    tab.show_scope(COMPANY, MONTH)
    qtbot.waitUntil(lambda: any(row.number for row in tab.table.rows_model.rows))
    (row,) = (row for row in tab.table.rows_model.rows if row.number)
    assert (row.kind, row.kinds, row.detail) == ("rejudged", f"finding {row.number}: Value divergence", "- → open")
    assert row.name.endswith("+2")
    with qtbot.waitSignal(tab.finding_wanted) as wanted:
        tab.table.entered_row.emit(row)
    assert wanted.args is not None
    assert (wanted.args[0].id, wanted.args[0].finding.rule) == (row.number, "R3")
    assert made.faults == []


def test_a_month_that_was_never_closed_is_closed_after_a_look_at_what_is_frozen(
    qtbot: QtBot, tab: ChangesTab, orders: list[JobRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    dialogs = agreed(monkeypatch)
    tab.show_scope(COMPANY, "2026-09")
    qtbot.waitUntil(lambda: "never closed" in tab._nothing.text())
    assert (tab.close_button.isVisible(), tab.reopen_button.isVisible()) == (True, False)
    tab.close_button.click()
    qtbot.waitUntil(lambda: len(orders) == 1)
    (dialog,) = dialogs
    assert isinstance(dialog, CloseDialog)
    assert dialog.incomplete
    assert orders[0].arguments == ("close", "--period", "2026-09", "--company", COMPANY, "--incomplete")
    dialog.preparer.setText("Ana")
    dialog.accept()
    again = CloseDialog(_previews(tab), tab._services.memory)
    qtbot.addWidget(again)
    assert again.preparer.text() == "Ana"


def test_a_closing_job_says_what_it_changed_of_the_findings() -> None:
    said = ["Findings of the month: Gone: Late document."]
    for printed in ({"closed": [{"month": "2026-09", "outcome": "closed"}]}, {"reopened": [{"month": "2026-09"}]}):
        order = close_order("2026-09", COMPANY)
        result = job_results.read(order.kind, {**printed, "judged": {"said": said}})
        kind, text = job_outcomes.told(JobOutcome(order, 0, result, None, False))
        assert kind == GOOD and text.endswith(said[0])


def test_another_company_is_not_closed_than_the_one_that_was_asked_for(
    qtbot: QtBot, tab: ChangesTab, orders: list[JobRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    dialogs = agreed(monkeypatch)
    tab.show_scope(COMPANY, "2026-09")
    qtbot.waitUntil(lambda: "never closed" in tab._nothing.text())
    gate = threading.Event()
    for number in range(2):  # both threads are busy while the preview is to be read
        tab._services.reader.ask(f"busy {number}", gate.wait, lambda _: None)
    tab.close_button.click()
    tab.show_scope(None, "2026-09")
    gate.set()
    qtbot.waitUntil(lambda: not tab._services.reader.busy)
    assert not dialogs and not orders


def test_what_the_dialog_showed_is_closed_whatever_is_chosen_meanwhile(
    qtbot: QtBot, tab: ChangesTab, orders: list[JobRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    tab.show_scope(COMPANY, "2026-09")
    qtbot.waitUntil(lambda: not tab._services.reader.busy)

    def run(_dialog: QDialog) -> int:
        tab.show_scope(None, MONTH)
        return 1

    monkeypatch.setattr(QDialog, "exec", run)
    tab.close_button.click()
    qtbot.waitUntil(lambda: len(orders) == 1)
    assert orders[0].arguments == ("close", "--period", "2026-09", "--company", COMPANY, "--incomplete")


def _previews(tab: ChangesTab) -> tuple[changes_tab.ClosePreview, ...]:
    return changes_tab.close_month.preview(tab._services.opened, "2026-09", COMPANY)


def test_it_is_opened_again_with_a_reason_alone(
    qtbot: QtBot, tab: ChangesTab, orders: list[JobRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    dialogs = agreed(monkeypatch)
    tab.show_scope(COMPANY, MONTH)
    qtbot.waitUntil(tab.reopen_button.isVisible)
    tab.reopen_button.click()
    (order,) = orders
    assert order.arguments[-1] == "--reason=notas atrasadas"
    (dialog,) = dialogs
    assert isinstance(dialog, ReopenDialog)
    accept = dialog.findChild(QDialogButtonBox)
    assert accept is not None
    dialog.reason.setPlainText("  ")
    assert not dialog._does.isEnabled()


def test_what_was_typed_outlives_esc(qtbot: QtBot, tab: ChangesTab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this month alone: the reason, and who prepared and reviewed it."""
    typed = iter(("late notes", "", "", "Ana", "Bia"))
    seen: list[str] = []

    def cancel(dialog: QDialog) -> int:
        if isinstance(dialog, ReopenDialog):
            seen.append(dialog.reason.toPlainText())
            dialog.reason.setPlainText(next(typed))
        elif isinstance(dialog, CloseDialog):
            seen.append(dialog.reviewer.text())
            dialog.reviewer.setText(next(typed))
        dialog.reject()
        return 0

    monkeypatch.setattr(QDialog, "exec", cancel)
    tab.show_scope(COMPANY, MONTH)
    qtbot.waitUntil(tab.reopen_button.isVisible)
    for _ in range(3):
        tab.reopen_button.click()
    assert seen == ["", "late notes", ""]  # taken out by hand it does not come back
    tab.show_scope(COMPANY, "2026-09")
    qtbot.waitUntil(tab.close_button.isVisible)
    seen.clear()
    for number in range(2):
        tab.close_button.click()
        qtbot.waitUntil(lambda number=number: len(seen) == number + 1)
    assert seen == ["", "Ana"]


def test_without_a_month_or_an_archive_it_says_so(qtbot: QtBot, qapp: QApplication, made_empty: Made) -> None:
    tab = ChangesTab(made_empty.services)
    qtbot.addWidget(tab)
    tab.show()
    tab.show_scope(COMPANY, None)
    assert "nothing to close" in tab._nothing.text()  # there is no month to choose either
    tab.show_scope(COMPANY, MONTH)
    qtbot.waitUntil(lambda: "nothing to close" in tab._nothing.text())
    assert not tab.close_button.isEnabled()


def test_many_companies_are_counted_and_not_listed(
    qtbot: QtBot, tab: ChangesTab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes_tab, "_MOST_LINES", 1)
    tab.show_scope(None, MONTH)
    qtbot.waitUntil(lambda: bool(tab.table.rows_model.rows))
    assert "closed for 2 of 2 companies" in tab._head.text()
    cents = sum(row.cents for row in tab.table.rows_model.rows)
    assert tab._sums.text().startswith("All companies")
    assert closing_labels.signed_money(cents) in tab._sums.text()
