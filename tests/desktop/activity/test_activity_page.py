"""The activity on a real archive: runs, failures, what is not readable or not offered, the trail, and jobs that run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.overview import activity
from confere.archive.accounts import audit
from confere.desktop.activity.activity_list import PAGE
from confere.desktop.activity.page import ActivityPage
from confere.desktop.core import actions as commands
from confere.desktop.core import activity_sections
from confere.desktop.jobs.job import JobKind, JobRequest
from confere.system import formatting
from tests.desktop import troubled
from tests.desktop.conftest import Made

LONG = 120_000  # ms; a bound for a machine under load, not an expectation


def page_of(qtbot: QtBot, made: Made, view: str = activity_sections.RUNS) -> ActivityPage:
    page = ActivityPage(made.services, commands.make(made.owner, made.services.look))
    qtbot.addWidget(page)
    page.resize(1116, 690)
    page.show_view(view)
    page.show()
    page.arrive()
    qtbot.waitUntil(lambda: not made.services.reader.busy)
    return page


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> ActivityPage:
    return page_of(qtbot, made)


@pytest.fixture
def made_troubled(qapp: QApplication, home: Path) -> Iterator[Made]:
    troubled.trouble(home)
    found = Made(qapp, home)
    yield found
    found.close()


def texts(widget: QWidget) -> list[str]:
    return [found.text() for found in widget.findChildren(QLabel) if found.isVisible() and found.text()]


def test_the_runs_are_those_of_the_archive(qtbot: QtBot, page: ActivityPage, made: Made) -> None:
    assert page.runs.rows == activity.runs(made.services.opened)
    newest = page.runs.rows[0]
    assert page.runs.table.current == newest
    said = texts(page.runs.details)
    assert "export of a month" in said
    assert "done" in said
    assert formatting.count(newest.counts[0][1]) in said
    page.runs.table.selectRow(len(page.runs.rows) - 1)
    qtbot.waitUntil(lambda: any(text.startswith("synchronisation · demo-") for text in texts(page.runs.details)))


def test_a_run_is_copied_whole(page: ActivityPage) -> None:
    (button,) = [found for found in page.runs.details.findChildren(QPushButton) if found.text() == "Copy all"]
    button.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "export of a month · done"
    assert any(line.startswith("XML files: ") for line in lines)


def test_an_interrupted_run_says_so_and_one_that_failed_tells_what(qtbot: QtBot, made_troubled: Made) -> None:
    page = page_of(qtbot, made_troubled)
    assert [row.outcome for row in page.runs.rows[:2]] == ["interrupted", "partial"]
    assert any(text.startswith("It ended without a word") for text in texts(page.runs.details))
    page.runs.table.selectRow(1)
    qtbot.waitUntil(lambda: "The file at /v2/nfe/xml came empty." in texts(page.runs.details))
    (link,) = [
        found for found in page.runs.details.findChildren(QPushButton) if found.text() == "Show everything that failed"
    ]
    link.click()
    assert page.failures.isVisible()


def test_failed_downloads_are_told_and_tried_again(qtbot: QtBot, made_troubled: Made) -> None:
    page = page_of(qtbot, made_troubled, activity_sections.FAILED)
    failed = troubled.FAILED + troubled.UNREADABLE  # the hub is still asked for what cannot be read
    assert len(page.failures.rows) == failed
    assert page.tabs.tabText(1) == f"Failed downloads ({failed})"
    pressed: list[bool] = []
    retry = page.failures._act
    retry.triggered.connect(lambda: pressed.append(True))
    page.failures.retry.click()
    assert pressed == [True]
    retry.setEnabled(False)
    assert not page.failures.retry.isEnabled()
    page.failures.table.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    key, reason, *_ = lines[1].split("\t")
    assert (len(key), reason) == (44, "The file at /v2/nfe/xml came empty.")


def test_what_is_not_offered_is_named(qtbot: QtBot, made_troubled: Made) -> None:
    page = page_of(qtbot, made_troubled, activity_sections.NOT_OFFERED)
    (row,) = page.not_offered.rows
    assert row.account == troubled.ACCOUNT
    index = page.not_offered.table.rows_model.index(0, 0)
    assert index.data().replace(" ", "") == row.access_key


def test_the_hash_of_unreadable_bytes_leaves_the_room_to_the_reason(qtbot: QtBot, made_troubled: Made) -> None:
    page = page_of(qtbot, made_troubled, activity_sections.UNREADABLE)
    table, (row,) = page.unreadable.table, page.unreadable.rows
    (place,) = (number for number, column in enumerate(table.rows_model.columns) if column.key == "sha256")
    assert table.rows_model.index(0, place).data() == row.sha256[:16]
    table.copy()
    assert QGuiApplication.clipboard().text().splitlines()[1].split("\t")[place] == row.sha256


def test_unreadable_bytes_are_saved_as_they_came(qtbot: QtBot, made_troubled: Made, tmp_path: Path) -> None:
    page = page_of(qtbot, made_troubled, activity_sections.UNREADABLE)
    view = page.unreadable
    (row,) = view.rows
    assert row.size == len(troubled.BROKEN)
    target = tmp_path / "saved.xml"
    proposed: list[Path] = []

    def ask(_: QWidget, path: Path) -> Path:
        proposed.append(path)
        return target

    view.ask_where = ask
    assert view.save_button.isEnabled()
    view.save_button.click()
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(lambda: not made_troubled.services.reader.busy)
    assert target.read_bytes() == troubled.BROKEN
    assert proposed[0].name == f"{row.sha256[:16]}.xml"
    assert made_troubled.faults == []


def test_the_trail_grows_as_it_is_read(qtbot: QtBot, qapp: QApplication, home: Path) -> None:
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        for number in range(2 * PAGE):
            audit.write(transaction, "account change", f"shop {number}", "a detail")
    made = Made(qapp, home)
    page = page_of(qtbot, made, activity_sections.TRAIL)
    trail = page.trail
    assert len(trail.rows) == PAGE
    assert trail.rows[0].subject == f"shop {2 * PAGE - 1}"
    whole = len(activity.trail(made.services.opened, 10_000))
    assert whole > 2 * PAGE
    trail.table.setFocus()

    def at_the_end() -> bool:
        trail.table.verticalScrollBar().setValue(trail.table.verticalScrollBar().maximum())
        return len(trail.rows) == whole

    qtbot.waitUntil(at_the_end)
    assert trail.rows == activity.trail(made.services.opened, 10_000)
    # What was loaded stays when the newest are asked for again.
    trail.table.selectRow(300)
    current = trail.table.current
    trail.refresh()
    qtbot.waitUntil(lambda: not made.services.reader.busy)
    assert len(trail.rows) == whole
    assert trail.table.current == current
    made.close()


def test_new_lines_come_above_while_the_page_is_seen(qtbot: QtBot, page: ActivityPage, home: Path) -> None:
    page.show_view(activity_sections.TRAIL)
    before = len(page.trail.rows)
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        audit.write(transaction, "account change", "shop", None)
    page.archive_changed()
    qtbot.waitUntil(lambda: len(page.trail.rows) == before + 1)
    assert page.trail.rows[0].subject == "shop"


def test_a_page_that_is_not_seen_asks_nothing(page: ActivityPage, made: Made) -> None:
    page.hide()
    page.archive_changed()
    assert not made.services.reader.busy


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (activity_sections.RUNS, "Nothing has run here yet."),
        (activity_sections.FAILED, "No download has failed."),
        (activity_sections.NOT_OFFERED, "The hub has offered an XML for everything that it listed."),
        (activity_sections.UNREADABLE, "Everything that came in can be read."),
        (activity_sections.TRAIL, "Nothing was done here yet."),
    ],
)
def test_where_nothing_is_each_list_says_so(qtbot: QtBot, made_empty: Made, view: str, words: str) -> None:
    page = page_of(qtbot, made_empty, view)
    assert words in texts(page)
    assert made_empty.faults == []


def test_jobs_that_run_and_wait_are_at_the_top(qtbot: QtBot, page: ActivityPage, made: Made, tmp_path: Path) -> None:
    jobs = made.services.jobs
    assert not page.working.isVisible()
    for title in ("First", "Second"):
        (tmp_path / f"{title}.xml").write_text("<a/>")
        jobs.start(JobRequest(JobKind.IMPORT, title, ("import", str(tmp_path / f"{title}.xml"))))
    qtbot.waitUntil(lambda: {"First", "Second"} <= set(texts(page.working)))
    assert page.working.isVisible()
    assert page.working.texts[1] == "Waits until the one before it is done"
    (stop,) = [found for found in page.working.findChildren(QPushButton) if found.accessibleName() == "Stop: Second"]
    stop.click()
    assert len(page.working.texts) == 1
    runs = len(page.runs.rows)
    qtbot.waitUntil(lambda: not jobs.busy, timeout=LONG)
    assert not page.working.isVisible()
    qtbot.waitUntil(lambda: len(page.runs.rows) == runs + 1)
    assert page.runs.rows[0].kind == "import"


def test_the_view_comes_back(qtbot: QtBot, made: Made) -> None:
    page = page_of(qtbot, made, activity_sections.TRAIL)
    assert page.trail.isVisible()
    again = ActivityPage(made.services, commands.make(made.owner, made.services.look))
    qtbot.addWidget(again)
    again.show()
    assert again.trail.isVisible()
    again.show_view("what is no view")
    assert again.trail.isVisible()


def test_every_control_has_a_name_and_is_reached_by_tab(qtbot: QtBot, made_troubled: Made) -> None:
    for view in (
        activity_sections.RUNS,
        activity_sections.FAILED,
        activity_sections.NOT_OFFERED,
        activity_sections.UNREADABLE,
        activity_sections.TRAIL,
    ):
        page = page_of(qtbot, made_troubled, view)
        for button in page.findChildren(QAbstractButton):
            if button.isVisible() and button.objectName() != "qt_tableview_cornerbutton":
                assert button.accessibleName() or button.text()
                if button.isEnabled() and not button.inherits("QTableCornerButton"):
                    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert page.tabs.focusPolicy() & Qt.FocusPolicy.TabFocus
        for listing in page._lists.values():
            assert listing.table.accessibleName()
