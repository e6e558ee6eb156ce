"""The window under work: how long its thread is kept from events while a sync and an import run, how soon they stop.

Every tenth of a second a person's doing is played: scrolling, choosing a row, changing the order, another tab, a letter
of a search. Beside each stall stands the ceiling: how long a process that only sleeps was kept from running meanwhile,
which is the machine's doing, and the processor time that the window's thread took in one go, which is ours, with where
most of it went.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import tests.bench.plain_qt  # noqa: F401 # isort: skip - before Qt
from tests.bench import corpus  # isort: skip

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from confere.app.context import EMBEDDED, Workspace
from confere.app.sandbox import sandbox, sandbox_accounts
from confere.app.sandbox.sandbox import SandboxChoice
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Establishment
from confere.desktop.core.actions import Action
from confere.desktop.core.application import make_application
from confere.desktop.core.stall_monitor import StallWatch
from confere.desktop.jobs.job import JobOutcome, JobRequest
from confere.desktop.jobs.job_requests import demo_order, import_order, sync_order
from confere.desktop.shell.window import MainWindow
from confere.desktop.window_session import Session

BUDGET_STALL = 0.05  # seconds
BUDGET_CANCEL = 1.0
DOING_MS = 100
_TYPED = "maria 6539"
_TABS = ("summary", "items", "history", "relations", "xml")


def run(documents: int = 20_000) -> None:
    """Sync `documents` from the sandbox and import as many files, with the window in use.

    `CONFERE_BENCH_ARCHIVE` names the home of an archive that the window begins with, in a copy; the sync is then one of
    a new account, without the reconciliation and the packages of the demonstration, which would take hours.
    """
    with tempfile.TemporaryDirectory(dir=os.environ.get("CONFERE_BENCH_SCRATCH")) as scratch:
        folder = Path(scratch)
        begun = os.environ.get("CONFERE_BENCH_ARCHIVE")
        if begun:
            shutil.copytree(begun, folder / "home")
        synced = _new_account(folder / "home", documents) if begun else demo_order(documents)
        files = corpus.write(folder / "files", documents, seed=11)
        application = make_application()
        session = Session(application, Workspace.at(folder / "home"))
        session.window.resize(1280, 800)
        session.show()
        _until(lambda: not session.services.reader.busy, 10)
        watch = _Watch()
        watch.start()
        person = _Person(session.window)
        _phase("idle, in use", watch, lambda: _until(lambda: False, 2))
        _phase(f"sync of {documents:,} documents", watch, lambda: _whole(session, synced))
        _phase(f"import of {len(files):,} files", watch, lambda: _whole(session, import_order([folder / "files"])))
        person.stop()
        seconds = _cancelled(session, demo_order(documents, seed=99))
        print(f"  cancel: {seconds:.2f} s until the job was over (budget {BUDGET_CANCEL:g})")
        watch.stop()
        session.window.close()
        session.close()


def _new_account(home: Path, documents: int) -> JobRequest:
    """Add an account on a sandbox of its own to the archive; what syncs it."""
    choice = SandboxChoice(documents=documents, seed=29)
    workspace = Workspace.at(home)
    with sandbox.running(choice) as hub, workspace.writing("benchmark") as archive:
        name = sandbox_accounts.name_of(choice.seed, choice.documents)
        with archive.writing() as transaction:
            accounts.add(
                transaction,
                name=name,
                environment=EMBEDDED,
                address=hub.address,
                platform="bench",
                establishments=[Establishment(company.tax_id, company.name) for company in hub.companies],
            )
    return sync_order([name])


class _Watch(StallWatch):
    """With it, a process that only sleeps, and the processor time between two ticks with what it was spent on."""

    def __init__(self) -> None:
        super().__init__()
        self._machine = multiprocessing.get_context("spawn").Value("d", 0.0)
        self._sleeper = multiprocessing.get_context("spawn").Process(target=_sleep, args=(self._machine,), daemon=True)
        self._sleeper.start()
        self.busiest = 0.0
        self.busy_with = Counter[str]()  # milliseconds of the busiest go, by where it stood
        self._samples = Counter[str]()  # of the go that is on
        self._window = threading.get_ident()
        threading.Thread(target=self._sample, name="samples", daemon=True).start()
        self._began = time.thread_time()
        self._busy = QTimer(self)
        self._busy.setInterval(10)
        self._busy.timeout.connect(self._look_at_processor)
        self._busy.start()

    @property
    def of_machine(self) -> float:
        """The longest that the sleeping process was kept from running, in seconds."""
        return float(self._machine.value)

    def forget(self) -> None:
        super().forget()
        self._machine.value = self.busiest = 0.0
        self.busy_with.clear()

    def stop(self) -> None:
        super().stop()
        self._busy.stop()
        self._sleeper.terminate()
        self._sleeper.join()

    def _look_at_processor(self) -> None:
        now = time.thread_time()
        samples, self._samples = self._samples, Counter[str]()
        if now - self._began > self.busiest:
            self.busiest, self.busy_with = now - self._began, samples
        self._began = now

    def _sample(self) -> None:
        """By the thread's own clock, where the system has one of each thread."""
        if not hasattr(time, "pthread_getcpuclockid"):
            return
        clock = time.pthread_getcpuclockid(self._window)
        before = time.clock_gettime(clock)
        while not self._over.wait(0.002):
            now = time.clock_gettime(clock)
            if now - before >= 0.001:
                self._samples[_place(sys._current_frames().get(self._window))] += round((now - before) * 1000)
                before = now


def _place(frame: FrameType | None) -> str:
    """The innermost lines of the program, the last one first."""
    found: list[str] = []
    while frame is not None and len(found) < 4:
        code = frame.f_code
        if "confere" in code.co_filename:
            found.append(f"{Path(code.co_filename).stem}.{code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(found) or "Qt"


def _sleep(longest: Any) -> None:
    before = time.monotonic()
    while True:
        time.sleep(0.01)
        now = time.monotonic()
        longest.value, before = max(longest.value, now - before - 0.01), now


class _Person:
    """Does something with the window ten times a second."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._count = 0
        window.go_to(Action.DOCUMENTS)
        window.top.search.setFocus()  # whoever types has gone there before
        self._timer = QTimer(window)
        self._timer.setInterval(DOING_MS)
        self._timer.timeout.connect(self._act)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _act(self) -> None:
        self._count += 1
        view = self._window.documents.table
        rows = view.model().rowCount()
        bar = view.verticalScrollBar()
        if self._count % 2:
            self._type()
        match self._count % 8:
            case 0 if rows:
                view.selectRow((self._count * 37) % rows)
            case 1 | 2 | 3:
                bar.setValue((bar.value() + bar.pageStep()) % (bar.maximum() + 1))
            case 4:
                bar.setValue(bar.maximum())
            case 5:
                self._window.details.show_tab(_TABS[self._count // 8 % len(_TABS)])
            case 6 if self._count % 40 == 6:
                view.sortByColumn(self._count // 40 % 4, view.horizontalHeader().sortIndicatorOrder())
            case 7 if self._count % 80 == 7:
                self._window.go_to(Action.OVERVIEW if self._window.place is Action.DOCUMENTS else Action.DOCUMENTS)

    def _type(self) -> None:
        """A letter of what is searched for, and after the last one nothing."""
        box = self._window.top.search
        box.setText(_TYPED[: len(box.text()) + 1] if len(box.text()) < len(_TYPED) else "")
        box.textEdited.emit(box.text())


def _phase(name: str, watch: _Watch, work: Callable[[], object]) -> None:
    watch.forget()
    began = time.monotonic()
    work()
    for place, milliseconds in watch.busy_with.most_common(4):
        print(f"    {milliseconds:4d} ms in {place}")
    worst = max(watch.stalls, key=lambda stall: stall.seconds, default=None)
    print(
        f"  {name}: {time.monotonic() - began:.1f} s, longest stall {watch.longest * 1000:.0f} ms"
        f" (budget {BUDGET_STALL * 1000:.0f}), {len(watch.stalls)} over it;"
        f" ceiling {watch.of_machine * 1000:.0f} ms, processor in one go {watch.busiest * 1000:.0f} ms"
    )
    if worst is not None and worst.doing:
        print("    worst was in:\n" + "\n".join(f"      {line}" for line in worst.doing.strip().splitlines()[-6:]))


def _whole(session: Session, order: JobRequest) -> JobOutcome:
    """Run a job to its end."""
    ended: list[JobOutcome] = []
    session.services.jobs.ended.connect(ended.append)
    session.services.jobs.start(order)
    _until(lambda: bool(ended), 3600)
    session.services.jobs.ended.disconnect(ended.append)
    assert ended[0].error is None, ended[0].error
    _until(lambda: not session.services.reader.busy, 30)
    return ended[0]


def _cancelled(session: Session, order: JobRequest) -> float:
    """Start a job, stop it in its middle, and say how long that took."""
    jobs = session.services.jobs
    seen: list[int] = []
    jobs.progressed.connect(lambda _, progress: seen.append(progress.done))
    jobs.start(order)
    _until(lambda: any(done > 300 for done in seen), 120)
    began = time.monotonic()
    session.window.actions_by_act[Action.STOP].trigger()
    _until(lambda: not jobs.busy, 30)
    return time.monotonic() - began


def _until(condition: Callable[[], bool], seconds: float) -> None:
    """Let the event loop run as it does for a person: it sleeps between events."""
    loop_ends = time.monotonic() + seconds
    application = QApplication.instance()
    assert application is not None
    check = QTimer()
    check.setInterval(20)

    def look() -> None:
        if condition() or time.monotonic() > loop_ends:
            check.stop()
            application.exit(0)

    check.timeout.connect(look)
    check.start()
    application.exec()
