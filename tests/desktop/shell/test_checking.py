"""Checks of authenticity: ordered by a person or after something came in, giving way, told only where it matters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.desktop.core.actions import Action
from confere.desktop.jobs import job_results
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest, JobResult
from confere.desktop.jobs.job_requests import import_order, reindex_order, sync_order, verify_order
from confere.desktop.services import Services
from confere.desktop.shell.verify_scheduler import Checking
from confere.desktop.widgets.notices import GOOD, WARN, Notice
from confere.system.messages import RenderedError
from tests.archive.papers import key, note
from tests.desktop.rooms import LONG, Open, ended


def read(order: JobRequest, printed: dict[str, Any] | None) -> JobResult | None:
    return None if printed is None else job_results.read(order.kind, printed)


class Asked:
    """A checking with jobs that are only written down, and what it told."""

    def __init__(self, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
        self.services = services
        self.started: list[JobRequest] = []
        self.told: list[Notice] = []
        self.shown: list[bool] = []
        self.runs = False
        monkeypatch.setattr(services.jobs, "start", self.started.append)
        monkeypatch.setattr(services.jobs, "has", lambda kind: self.runs and kind is JobKind.VERIFY)
        services.notices.added.connect(self.told.append)
        self._owner = QWidget()
        self.checking = Checking(services, lambda: self.shown.append(True), self._owner)

    def end(self, order: JobRequest, result: dict[str, Any] | None, *, error: bool = False) -> None:
        said = RenderedError("title", "what went wrong", None, "") if error else None
        self.services.jobs.ended.emit(JobOutcome(order, 0, read(order, result), said, stopped=False))


@pytest.fixture
def asked(services: Services, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> Asked:
    found = Asked(services, monkeypatch)
    qtbot.addWidget(found._owner)
    return found


def counts(ok: int = 0, unchecked: int = 0, failed: int = 0) -> dict[str, Any]:
    told = {"ok": ok, "unchecked": unchecked, "failed": failed}
    return {"counts": {**told, "judged": sum(told.values()), **{f"judged_{name}": told[name] for name in told}}}


@pytest.mark.parametrize(
    ("order", "result", "follows"),
    [
        (sync_order(), {"sync": {"downloaded": 2}}, True),
        (sync_order(), {"sync": {"downloaded": 0, "new": 3}}, False),
        (reindex_order(), {"contents": 5}, True),
        (reindex_order(), {"contents": 0}, False),
        (JobRequest(JobKind.IMPORT, "Import", ()), {"documents": 1, "events": 0}, True),
        (JobRequest(JobKind.IMPORT, "Import", ()), {"documents": 0, "events": 1}, True),
        (JobRequest(JobKind.IMPORT, "Import", ()), {"documents": 0, "events": 0, "duplicates": 9}, False),
        (JobRequest(JobKind.EXPORT, "Export", ()), {"packages": []}, False),
        (JobRequest(JobKind.DEMO, "Demo", ()), {"sync": {"downloaded": 60}}, False),  # checks by itself
    ],
)
def test_what_came_in_is_checked_by_itself(
    asked: Asked, order: JobRequest, result: dict[str, Any], follows: bool
) -> None:
    asked.end(order, result)
    assert [entry.kind for entry in asked.started] == [JobKind.VERIFY] * follows
    assert all(entry.quiet for entry in asked.started)


def test_a_check_by_itself_tells_of_failures_alone(asked: Asked) -> None:
    quiet = verify_order(quiet=True)
    asked.end(quiet, counts(ok=1280, unchecked=3))
    asked.end(quiet, None, error=True)
    assert asked.told == []
    asked.end(quiet, counts(ok=1280, unchecked=3, failed=1))
    (notice,) = asked.told
    assert notice.kind == WARN
    assert notice.text == "1,284 checked: 1,280 authentic, 3 could not be checked, 1 failed."
    assert notice.action is not None
    notice.action[1]()
    assert asked.shown == [True]


def test_a_person_is_told_whatever_comes_of_it(asked: Asked) -> None:
    asked.checking.order()
    (order,) = asked.started
    assert not order.quiet
    asked.end(order, counts(ok=7))
    asked.end(order, {"counts": {"judged": 0, "ok": 9, "unchecked": 0, "failed": 0}})
    asked.end(order, None, error=True)
    assert [entry.text for entry in asked.told] == [
        "7 checked: 7 authentic, 0 could not be checked, 0 failed.",
        "9 checked: 9 authentic, 0 could not be checked, 0 failed.",
        "what went wrong",
    ]
    assert asked.told[0].kind == GOOD
    assert asked.told[0].action is None


def test_who_asks_while_one_runs_is_told_of_that_one_once(asked: Asked) -> None:
    asked.runs = True
    asked.checking.order()
    assert asked.started == []
    asked.end(verify_order(quiet=True), counts(ok=7))
    asked.end(verify_order(quiet=True), counts(ok=8))
    assert len(asked.told) == 1


def test_a_failed_event_is_told(asked: Asked) -> None:
    found = counts(ok=2)
    found["counts"]["events_failed"] = 1
    asked.end(verify_order(), found)
    assert asked.told[0].kind == WARN
    assert asked.told[0].text.endswith("Events that failed: 1.")


@pytest.mark.exhaustive
def test_what_nobody_asked_for_gives_way_and_goes_on_afterwards(
    qtbot: QtBot, services: Services, tmp_path: Path
) -> None:
    (tmp_path / "note.xml").write_bytes(note(91))
    heard: list[JobOutcome] = []
    gave_way: list[JobOutcome] = []
    services.jobs.ended.connect(heard.append)
    services.jobs.gave_way.connect(gave_way.append)
    services.jobs.start(JobRequest(JobKind.VERIFY, "Check", ("verify", "--again"), {"quiet": True}))
    services.jobs.start(import_order([tmp_path / "note.xml"]))
    assert services.jobs.is_stopping(services.jobs.running[0])
    qtbot.waitUntil(lambda: not services.jobs.busy, timeout=LONG)
    assert [outcome.order.kind for outcome in heard] == [JobKind.IMPORT, JobKind.VERIFY]
    assert all(outcome.error is None and not outcome.stopped for outcome in heard)
    assert [(outcome.order.kind, outcome.stopped) for outcome in gave_way] == [(JobKind.VERIFY, True)]


def test_what_a_person_asked_for_gives_way_to_nobody(qtbot: QtBot, services: Services, tmp_path: Path) -> None:
    (tmp_path / "note.xml").write_bytes(note(92))
    heard: list[JobOutcome] = []
    services.jobs.ended.connect(heard.append)
    services.jobs.start(verify_order())
    services.jobs.start(import_order([tmp_path / "note.xml"]))
    assert not services.jobs.is_stopping(services.jobs.running[0])
    qtbot.waitUntil(lambda: not services.jobs.busy, timeout=LONG)
    assert [outcome.order.kind for outcome in heard] == [JobKind.VERIFY, JobKind.IMPORT]


def test_stopped_by_hand_it_stays_stopped(qtbot: QtBot, services: Services, tmp_path: Path) -> None:
    (tmp_path / "note.xml").write_bytes(note(93))
    heard: list[JobOutcome] = []
    services.jobs.ended.connect(heard.append)
    services.jobs.start(JobRequest(JobKind.VERIFY, "Check", ("verify", "--again"), {"quiet": True}))
    services.jobs.start(import_order([tmp_path / "note.xml"]))
    services.jobs.stop_all()
    qtbot.waitUntil(lambda: not services.jobs.busy, timeout=LONG)
    assert {outcome.order.kind for outcome in heard} == {JobKind.IMPORT, JobKind.VERIFY}
    assert all(outcome.stopped for outcome in heard)


def test_in_the_window_an_import_is_checked_and_what_failed_is_listed(
    qtbot: QtBot, home: Path, open_window: Open, tmp_path: Path
) -> None:
    (tmp_path / "note.xml").write_bytes(note(94))  # without any signature
    room = open_window(home)
    room.jobs.start(import_order([tmp_path / "note.xml"]))
    ended(qtbot, room)
    assert [outcome.order.kind for outcome in room.outcomes] == [JobKind.IMPORT, JobKind.VERIFY]
    notice = next(line.notice for line in room.window.notices._lines if "failed" in line.notice.text)
    notice.action[1]()
    documents = room.window.documents
    qtbot.waitUntil(lambda: room.window.place is Action.DOCUMENTS and documents.model.is_settled, timeout=LONG)
    qtbot.waitUntil(lambda: not room.session.services.reader.busy, timeout=LONG)
    services = room.session.services
    failed = browse.first(services.opened, DocumentQuery(verdict=("failed",)), 100)
    assert key(94) in {row.access_key for row in failed}
    assert list(documents.model.ids) == [row.id for row in failed]


def test_who_stops_a_sync_gets_no_other_work_for_it(asked: Asked) -> None:
    found = {"sync": {"downloaded": 2}}
    asked.services.jobs.ended.emit(JobOutcome(sync_order(), 0, read(sync_order(), found), None, stopped=True))
    assert asked.started == []


def test_what_was_found_before_giving_way_is_told(asked: Asked) -> None:
    quiet = verify_order(quiet=True)
    asked.services.jobs.gave_way.emit(JobOutcome(quiet, 0, read(quiet, counts(ok=9)), None, stopped=True))
    assert asked.told == []
    asked.services.jobs.gave_way.emit(JobOutcome(quiet, 0, read(quiet, counts(ok=3, failed=2)), None, stopped=True))
    (notice,) = asked.told
    assert (notice.kind, notice.text) == (WARN, "5 checked: 3 authentic, 0 could not be checked, 2 failed.")
    assert notice.action is not None


def test_an_event_that_fails_is_told_though_nobody_asked(asked: Asked) -> None:
    found = counts(ok=2)
    found["counts"]["events_failed"] = 1
    asked.end(verify_order(quiet=True), found)
    assert [entry.kind for entry in asked.told] == [WARN]


def test_nothing_begins_while_the_window_closes(services: Services, tmp_path: Path) -> None:
    (tmp_path / "note.xml").write_bytes(note(95))
    services.jobs.ended.connect(lambda _: services.jobs.start(verify_order(quiet=True)))
    services.jobs.start(JobRequest(JobKind.VERIFY, "Check", ("verify", "--again"), {"quiet": True}))
    services.jobs.start(import_order([tmp_path / "note.xml"]))  # for which the check gives way
    services.jobs.close()
    assert services.jobs.running == ()
    assert not services.jobs.busy
