"""The list of runs, syncs, imports, exports, checks and reconciliations, and beside it all that is known of one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.labels import key_groups, outcome_word, run_kind_word
from confere.app.overview import activity
from confere.app.overview.activity import AccountFailure, RunEntry
from confere.desktop.activity.activity_list import PAGE, ActivityList, copy_button, of_the_whole
from confere.desktop.core import activity_sections
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, clear, focus_kept, label
from confere.desktop.widgets.pill import Pill
from confere.desktop.widgets.table import TableColumn
from confere.errors import N_, Message
from confere.system import formatting
from confere.system.messages import render, t

_PILLS = {
    "done": "good",
    "partial": "warn",
    "failed": "bad",
    "stopped": "neutral",
    "interrupted": "warn",
    "running": "info",
}
# Where the column is narrow: what tells one run from another would be cut off.
_BRIEF_KINDS: Final = {
    "orders": N_("orders sync"),
    "catalog": N_("catalog sync"),
    "export": N_("export"),
    "verify": N_("authenticity"),
}
_BRIEF_OUTCOMES: Final = {"partial": N_("some left over")}
_MOST_FAILURES = 8
_SPLIT = (840, 290)
_NARROWEST = 280
_selectable = partial(label, wraps=True, selectable=True)


class Runs(ActivityList[RunEntry]):
    """`failures_wanted` asks for the list of what failed."""

    failures_wanted = Signal()

    def __init__(self, services: Services) -> None:
        opened = services.opened
        super().__init__(
            services,
            activity_sections.RUNS,
            t("Runs"),
            t("Every sync, import, export, check and reconciliation, the newest first."),
            t("Nothing has run here yet."),
            (
                TableColumn("started", t("When"), lambda row: formatting.moment(row.started_at), 132),
                TableColumn("kind", t("What"), lambda row: run_kind_word(row.kind), 112, brief=_brief_kind),
                TableColumn("about", t("About"), _about, 104),
                TableColumn("outcome", t("How it ended"), _outcome, 126, pill=_pill, brief=_brief_outcome),
                TableColumn(
                    "seconds", t("How long"), lambda row: formatting.duration(row.seconds), 80, right=True, rank=1
                ),
                TableColumn("counts", t("What came of it"), in_words, 90, stretches=True, rank=2),
            ),
            lambda row: row.id,
            lambda company, last: CompanyLines(activity.runs(opened, PAGE, None if last is None else last.id, company)),
            of_others=of_the_whole(),
            grows=True,
        )
        self.details = RunDetails(services)
        self.details.failures_wanted.connect(self.failures_wanted)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.addWidget(self.table)
        self._splitter.addWidget(self.details)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 1)
        if not services.memory.restore_splitter("activity/runs", self._splitter):
            self._splitter.setSizes(list(_SPLIT))
        self._splitter.splitterMoved.connect(self._keep)
        self.put_beside(self._splitter)
        copy_button(self)
        self.table.chosen.connect(self.details.put)

    def _keep(self) -> None:
        self._services.memory.keep_splitter("activity/runs", self._splitter)


class RunDetails(QScrollArea):
    """A run in full: when, how it ended, what was asked, what came of it, why it failed and what failed in it."""

    failures_wanted = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._run: RunEntry | None = None
        self.setMinimumWidth(_NARROWEST)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(t("The chosen run"))
        inside = QWidget()
        inside.setProperty("plain", True)
        column = QVBoxLayout(inside)
        column.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, WIDE_GAP)
        column.setSpacing(WIDE_GAP)
        self._content = QVBoxLayout()
        self._content.setSpacing(GAP)
        self._failures = QVBoxLayout()
        self._failures.setSpacing(4)
        column.addLayout(self._content)
        column.addLayout(self._failures)
        column.addStretch(1)
        self.setWidget(inside)

    def put(self, run: RunEntry | None) -> None:
        """Show this run; None shows nothing."""
        before, self._run = self._run, run
        if run == before:
            return
        with focus_kept(self):  # a run that runs is told anew every second
            clear(self._content)
            if before is None or run is None or before.id != run.id:
                clear(self._failures)
            if run is not None:
                self._tell(run)
        if run is None:
            return
        if run.kind == "sync" and run.account is not None:
            opened = self._services.opened
            self._services.reader.ask(
                "activity/failures of a run", lambda: (run, activity.failures(opened)), self._tell_failures
            )

    def copy(self) -> None:
        """Put what is shown into the clipboard, as lines."""
        if self._run is not None:
            QGuiApplication.clipboard().setText(as_text(self._run))

    def _tell(self, run: RunEntry) -> None:
        head = QHBoxLayout()
        name = " · ".join(part for part in (run_kind_word(run.kind), run.account) if part)
        head.addWidget(_selectable(name, "heading"), 1)
        head.addWidget(_copy(self))
        self._content.addLayout(head)
        pill = QHBoxLayout()
        pill.addWidget(Pill(self._services.look, _outcome(run), _pill(run)))
        pill.addStretch(1)
        self._content.addLayout(pill)
        if run.problem is not None:
            self._content.addWidget(_selectable(render(run.problem), "bad"))
        if run.outcome == activity.INTERRUPTED:
            self._content.addWidget(
                _selectable(
                    t("It ended without a word, as when the computer goes off. The next one goes on from there."),
                    "muted",
                )
            )
        for entry in run.parameters:
            self._content.addWidget(_selectable(render(entry), "muted"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(WIDE_GAP)
        grid.setVerticalSpacing(3)
        for row, (title, value, right) in enumerate(_facts(run)):
            grid.addWidget(label(title, "muted"), row, 0)
            grid.addWidget(label(value, right=right), row, 1)
        grid.setColumnStretch(2, 1)
        self._content.addLayout(grid)

    def _tell_failures(self, found: tuple[RunEntry, Sequence[AccountFailure]]) -> None:
        run, every = found
        clear(self._failures)
        if run is not self._run:
            return
        mine = [failure.download for failure in every if _is_of(failure, run)]
        if not mine:
            return
        self._failures.addWidget(label(t("What failed in it and is still open"), "heading", wraps=True))
        for download in mine[:_MOST_FAILURES]:
            name = key_groups(download.access_key) if download.access_key else download.hub_id or download.item_id
            self._failures.addWidget(_selectable(name, ""))
            self._failures.addWidget(_selectable(render(download.reason), "muted"))
        link = button(t("Show everything that failed"), self.failures_wanted.emit, "link")
        self._failures.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)


def in_words(run: RunEntry) -> str:
    """The figures of a run in one line."""
    if run.problem is not None and not run.counts:
        return render(run.problem)
    return " · ".join(f"{render(name)}: {formatting.count(number)}" for name, number in run.counts)


def as_text(run: RunEntry) -> str:
    """Everything about a run, a line each."""
    lines = [" · ".join(part for part in (run_kind_word(run.kind), run.account, _outcome(run)) if part)]
    lines += [f"{title}: {value}" for title, value, _ in _facts(run)]
    lines += [render(entry) for entry in run.parameters]
    if run.problem is not None:
        lines.append(render(run.problem))
    return "\n".join(lines)


def _facts(run: RunEntry) -> list[tuple[str, str, bool]]:
    """Titles and values; numbers stand at the right."""
    found: list[tuple[str, str, bool]] = [(t("Started"), formatting.moment(run.started_at), True)]
    if run.finished_at is not None:
        found.append((t("Ended"), formatting.moment(run.finished_at), True))
    if run.seconds is not None:
        found.append((t("How long"), formatting.duration(run.seconds), True))
    found += [(render(name), formatting.count(number), True) for name, number in run.counts]
    if run.bytes is not None:
        found.append((t("Written"), formatting.size(run.bytes), True))
    return found


def _about(run: RunEntry) -> str:
    """The account, else the first thing that was asked for: a company and its month, a folder."""
    return run.account or (render(run.parameters[0]) if run.parameters else "")


def _outcome(run: RunEntry) -> str:
    return outcome_word(run.outcome)


def _brief_kind(run: RunEntry) -> str:
    brief = _BRIEF_KINDS.get(run.kind)
    return run_kind_word(run.kind) if brief is None else render(Message(brief))


def _brief_outcome(run: RunEntry) -> str:
    brief = _BRIEF_OUTCOMES.get(run.outcome)
    return _outcome(run) if brief is None else render(Message(brief))


def _pill(run: RunEntry) -> str:
    return _PILLS.get(run.outcome, "neutral")


def _is_of(failure: AccountFailure, run: RunEntry) -> bool:
    """Whether the last try was in this run; what was tried again later belongs to the later one."""
    if failure.account != run.account or failure.tried_at is None or failure.tried_at < run.started_at:
        return False
    return run.finished_at is None or failure.tried_at <= run.finished_at


def _copy(details: RunDetails) -> QPushButton:
    return button(t("Copy all"), details.copy, "link", t("Copy everything about this run"))
