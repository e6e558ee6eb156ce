"""Jobs are real child processes: they report, wait for one another, stop within a moment, and lose nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.packages.export import Events, ExportChoice, Form, PackageOptions, Split
from confere.desktop.jobs import job_outcomes, job_results
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_requests import demo_order, export_order, import_order, invoice_order, sync_order
from confere.desktop.jobs.job_results import ImportJobResult, SyncJobResult
from confere.desktop.jobs.jobs import Jobs
from confere.desktop.services import Services
from confere.desktop.shell.status_bar import StatusBar
from confere.desktop.widgets.notices import GOOD, INFO, WARN
from confere.errors import message
from confere.system.progress import Progress
from tests.desktop.conftest import Made
from tests.planted import Planted

LONG = 120_000  # ms; a bound for a machine under load, not an expectation


class Heard:
    """What the jobs said."""

    def __init__(self, jobs: Jobs) -> None:
        self.outcomes: list[JobOutcome] = []
        self.progress: list[tuple[JobRequest, Progress]] = []
        jobs.ended.connect(self.outcomes.append)
        jobs.progressed.connect(lambda order, progress: self.progress.append((order, progress)))


def test_a_demo_fills_an_empty_folder_and_reports(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    heard = Heard(services.jobs)
    services.jobs.start(demo_order(documents=60, seed=3))
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    (outcome,) = heard.outcomes
    assert outcome.done, outcome.error
    assert isinstance(outcome.result, SyncJobResult)
    assert outcome.result.sync.conservation.listed == 60
    assert any(progress.total for _, progress in heard.progress)
    assert not services.jobs.busy
    assert browse.snapshot(services.opened, browse.DocumentQuery())
    kind, text = job_outcomes.told(outcome)
    assert kind == GOOD
    assert "60" in text


def test_writers_wait_for_one_another(qtbot: QtBot, services: Services, tmp_path: Path) -> None:
    (tmp_path / "note.xml").write_text("<a/>")
    heard = Heard(services.jobs)
    services.jobs.start(import_order([tmp_path / "note.xml"]))
    services.jobs.start(import_order([tmp_path / "note.xml"]))
    assert len(services.jobs.running) == 1
    assert len(services.jobs.waiting) == 1
    qtbot.waitUntil(lambda: len(heard.outcomes) == 2, timeout=LONG)
    first, second = heard.outcomes
    assert first.result is not None and second.result is not None
    assert isinstance(first.result, ImportJobResult) and isinstance(second.result, ImportJobResult)
    assert (first.result.duplicates, second.result.duplicates) == (0, 1)


def test_a_job_stops_when_it_is_asked_and_what_waits_never_begins(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    heard = Heard(services.jobs)
    services.jobs.start(demo_order(documents=5_000, seed=5))
    services.jobs.start(sync_order())
    opened, everything = services.opened, browse.DocumentQuery()
    qtbot.waitUntil(lambda: opened.exists and len(browse.snapshot(opened, everything)) > 0, timeout=LONG)
    services.jobs.stop_all()
    qtbot.waitUntil(lambda: not services.jobs.busy, timeout=LONG)
    assert [outcome.stopped for outcome in heard.outcomes] == [True, True]
    assert all(outcome.error is None for outcome in heard.outcomes)
    kind, text = job_outcomes.told(heard.outcomes[1])
    assert kind == INFO
    assert "kept" in text


def test_what_runs_already_is_not_started_a_second_time(qtbot: QtBot, services: Services) -> None:
    """A button pressed twice is one wish; what was asked to stop may be wanted again."""
    jobs = services.jobs
    for _ in range(3):
        jobs.start(sync_order(["nobody"]))
    jobs.start(sync_order(["another"]))
    jobs.start(sync_order(["another"]))
    assert [order.arguments[-1] for order in (*jobs.running, *jobs.waiting)] == ["nobody", "another"]
    jobs.stop(jobs.running[0])
    jobs.start(sync_order(["nobody"]))
    assert [order.arguments[-1] for order in (*jobs.running, *jobs.waiting)] == ["nobody", "another", "nobody"]
    jobs.stop_all()
    qtbot.waitUntil(lambda: not jobs.busy, timeout=LONG)


def test_the_status_bar_goes_on_where_it_was_when_another_job_queues_up(qtbot: QtBot, services: Services) -> None:
    bar = StatusBar(services)
    qtbot.addWidget(bar)
    services.jobs.start(sync_order(["nobody"]))
    (order,) = services.jobs.running
    services.jobs.progressed.emit(order, Progress(message("Reading"), 30, 60, 1.0, None))
    half = (bar.job.text(), bar.bar.value())
    assert half == ("Reading · 30 of 60", 500)
    services.jobs.start(sync_order(["another"]))
    assert (bar.job.text(), bar.bar.value()) == ("Reading · 30 of 60 (+1 waiting)", 500)
    services.jobs.stop_all()
    qtbot.waitUntil(lambda: not services.jobs.busy, timeout=LONG)


def test_an_error_comes_back_in_its_own_words(qtbot: QtBot, services: Services) -> None:
    heard = Heard(services.jobs)
    services.jobs.start(sync_order(["nobody"]))
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    (outcome,) = heard.outcomes
    assert outcome.exit_code == 2
    assert outcome.error is not None
    assert "nobody" in outcome.error.what


def test_a_child_that_dies_is_told(qtbot: QtBot, made_empty: Made) -> None:
    import psutil

    jobs = made_empty.services.jobs
    heard = Heard(jobs)
    jobs.start(demo_order(documents=5_000, seed=5))
    qtbot.waitUntil(lambda: any(progress.done for _, progress in heard.progress), timeout=LONG)
    (child,) = jobs._running
    psutil.Process(child.process_id).kill()
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    (outcome,) = heard.outcomes
    assert outcome.error is not None
    assert "unexpectedly" in outcome.error.what
    assert not outcome.done


def test_a_program_that_cannot_start_is_told(qtbot: QtBot, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    from confere.desktop.jobs import child_process

    monkeypatch.setattr(child_process, "own_command", lambda *arguments: ["/no/such/program", *arguments])
    heard = Heard(services.jobs)
    services.jobs.start(sync_order())
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    error = heard.outcomes[0].error
    assert error is not None
    assert "/no/such/program" in error.what


def test_closing_ends_what_runs(qtbot: QtBot, made_empty: Made) -> None:
    import psutil

    jobs = made_empty.services.jobs
    heard = Heard(jobs)
    jobs.start(demo_order(documents=5_000, seed=5))
    qtbot.waitUntil(lambda: any(progress.done for _, progress in heard.progress), timeout=LONG)
    (child,) = jobs._running
    process = child.process_id
    jobs.close()
    assert not psutil.pid_exists(process)


def test_thousands_of_paths_travel_in_a_file_that_is_gone_afterwards(
    qtbot: QtBot, services: Services, tmp_path: Path
) -> None:
    names = [tmp_path / f"ção {number}.xml" for number in range(3000)]
    order = import_order(names)
    listed = Path(order.arguments[-1])
    assert json.loads(listed.read_text(encoding="utf-8"))[-1].endswith("2999.xml")
    heard = Heard(services.jobs)
    services.jobs.start(order)
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    assert not listed.exists()


def test_the_list_of_an_import_that_never_began_is_taken_away(qtbot: QtBot, services: Services, tmp_path: Path) -> None:
    first, second, third = (import_order([tmp_path / name]) for name in ("a.xml", "b.xml", "c.xml"))
    jobs = services.jobs
    for order in (first, second, third):
        jobs.start(order)
    jobs.stop(second)
    assert not Path(second.arguments[-1]).exists()
    assert Path(third.arguments[-1]).exists()
    jobs.close()
    assert not Path(third.arguments[-1]).exists()


def test_an_export_says_where_its_packages_are(qtbot: QtBot, services: Services, tmp_path: Path) -> None:
    month = browse.months(services.opened, None)[0].month
    heard = Heard(services.jobs)
    services.jobs.start(export_order(ExportChoice(PackageOptions(month), target=tmp_path / "out")))
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    (outcome,) = heard.outcomes
    assert outcome.done
    written = job_outcomes.packages(outcome)
    assert written
    assert all(Path(path).is_file() for path in written)
    assert outcome.order.kind is JobKind.EXPORT


def test_a_list_made_for_a_job_is_gone_when_it_has_ended(qtbot: QtBot, services: Services) -> None:
    """5,000 orders: more than a command line of Windows holds."""
    order = invoice_order("nobody", [f"{number:020d}" for number in range(5_000)], "0" * 64)
    listed = Path(order.arguments[-1])
    assert len(listed.read_text(encoding="utf-8").split()) == 5_000
    assert sum(map(len, order.arguments)) < 2_000
    heard = Heard(services.jobs)
    services.jobs.start(order)
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    error = heard.outcomes[0].error
    assert error is not None
    assert "nobody" in error.what  # it came as far as the archive: the list was read
    assert not listed.exists()


def test_a_line_of_any_length_is_read_whole(qtbot: QtBot, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    from confere.desktop.jobs import child_process

    many = "print(json.dumps({'type': 'result', 'result': {'failures': [{'reason': 'x' * 99}] * 50_000}}))"
    monkeypatch.setattr(
        child_process, "own_command", lambda *_: [sys.executable, "-c", f"import json; print('no line')\n{many}"]
    )
    heard = Heard(services.jobs)
    services.jobs.start(sync_order())
    qtbot.waitUntil(lambda: bool(heard.outcomes), timeout=LONG)
    result = heard.outcomes[0].result
    assert isinstance(result, SyncJobResult)
    assert [failure.reason for failure in result.failures] == ["x" * 99] * 50_000


@pytest.mark.exhaustive
def test_no_job_runs_what_lies_in_the_current_folder(
    qtbot: QtBot, made_empty: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the child nor the sandbox that it starts: a window's folder may be one of downloads."""
    planted = Planted(tmp_path / "downloads")
    monkeypatch.chdir(planted.folder)
    heard = Heard(made_empty.services.jobs)
    made_empty.services.jobs.start(demo_order(documents=12, seed=3))
    made_empty.services.jobs.start(sync_order())
    qtbot.waitUntil(lambda: len(heard.outcomes) == 2, timeout=LONG)
    assert planted.ran == []
    assert [outcome.error for outcome in heard.outcomes] == [None, None]


def test_a_sync_that_did_not_understand_everything_says_so() -> None:
    result = {
        "sync": {
            "new": 3, "updated": 0, "downloaded": 1, "failed": 0, "not_understood": 2, "without_file": 1,
            "conservation": {"listed": 3, "archived": 1, "waiting": 0, "refused": 2, "lost": 0},
        },
        "failures": [],
    }  # fmt: skip
    kind, text = job_outcomes.told(
        JobOutcome(sync_order(), 1, job_results.read(JobKind.SYNC, result), None, stopped=False)
    )
    assert kind == WARN
    assert "not understood: 2" in text and "offers no file: 1" in text
    assert "3 listed in all: 1 archived, 0 waiting, 2 refused" in text


def test_what_was_chosen_for_an_export_reaches_the_command(tmp_path: Path) -> None:
    plain = export_order(ExportChoice(PackageOptions("2026-10"))).arguments
    assert plain == ("export", "--month", "2026-10", "--profile", "with-cancellations")
    options = PackageOptions("2026-10", Split.MODEL, replace=True, with_not_authentic=True)
    chosen = export_order(ExportChoice(options, "11222333000181", tmp_path)).arguments
    assert {"--replace", "--split-models", "--with-not-authentic", "11222333000181", str(tmp_path)} <= set(chosen)
    options = PackageOptions("2026-10", form=Form.FOLDER, events=Events.INSIDE, bag=True)
    choice = ExportChoice(options, name_template="{key}.xml", folder_template="{kind}", with_pdf=True)
    assert export_order(choice).arguments[5:] == (
        *("--as", "folder", "--events", "inside", "--bagit"),
        *("--name-template", "{key}.xml", "--folder-template", "{kind}", "--with-pdf"),
    )
