"""The head of the page: which account and run, what came of that run beside the one before it, and what to start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from confere.app.labels.labels import month_word, outcome_word
from confere.app.reconciliation.queries import RunLine
from confere.desktop.core.actions import Action, Actions
from confere.desktop.reconcile.page_state import EVERY_ACCOUNT, PageState
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import label
from confere.desktop.widgets.elided_buttons import ElidedButton
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.menus import empty, menu_of
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import render, t


class RunHeader(QWidget):
    """`run_chosen` has the number of a run, or None for how things stand now; `account_chosen` a name."""

    run_chosen = Signal(object)
    account_chosen = Signal(str)
    report_wanted = Signal()
    import_wanted = Signal()

    def __init__(self, look: Look, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._standing = PageState()
        self._run: int | None = None
        self.account = _menu_button(t("Account"))
        self.account.menu().aboutToShow.connect(self._fill_accounts)
        self.run = _menu_button(t("Run"))
        self.run.menu().aboutToShow.connect(self._fill_runs)
        self.summary = Elided()
        self.summary.setProperty("rank", "muted")
        self.bring = QPushButton(t("Import orders…"))
        self.bring.clicked.connect(self.import_wanted)
        self.report = QPushButton(t("Report (XLSX)…"))
        self.report.setToolTip(t("Reconcile and write everything found into a spreadsheet"))
        self.report.clicked.connect(self.report_wanted)
        self.start = QToolButton()
        self.start.setDefaultAction(actions[Action.RECONCILE_NOW])
        self.start.setProperty("look", "primary")
        self.start.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.start.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        first = QHBoxLayout()
        first.setSpacing(GAP)
        first.addWidget(label(t("Reconciliation"), "title"))
        first.addSpacing(GAP)
        first.addWidget(self.account)
        first.addWidget(self.run)
        first.addStretch(1)
        for button in (self.bring, self.report, self.start):
            first.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP + 4, WIDE_GAP - 4, WIDE_GAP, GAP)
        layout.setSpacing(4)
        layout.addLayout(first)
        layout.addWidget(self.summary)
        look.changed.connect(self._paint)
        self._paint()
        self.put(self._standing, None)

    def put(self, standing: PageState, run: int | None) -> None:
        """Show this; `run` is the one that was chosen."""
        self._standing, self._run = standing, run
        self.account.setVisible(len(standing.scopes) > 1)
        name = t("All accounts") if standing.account == EVERY_ACCOUNT else standing.account or ""
        self.account.setText(name.replace("&", "&&"))
        self.account.setToolTip(as_tip(name))
        self.account.setAccessibleName(t("Account: {name}", name=name))
        chosen = next((line for line in standing.runs if line.entry.id == run), None)
        words = t("As it stands now") if chosen is None else run_title(chosen)
        self.run.setText(words.replace("&", "&&"))
        self.run.setToolTip(as_tip(words))
        self.run.setAccessibleName(t("Run: {name}", name=words))
        self.run.setVisible(bool(standing.runs))
        self.report.setVisible(standing.has_run)
        newest = standing.runs[0] if standing.runs else None
        told = chosen or newest
        is_newest = chosen is None
        summary = "" if told is None else run_summary(told, is_newest=is_newest, is_shared=standing.is_shared)
        self.summary.setText(summary)
        self.summary.setVisible(told is not None)

    def _fill_accounts(self) -> None:
        choices: list[tuple[str, object]] = [(t("All accounts"), EVERY_ACCOUNT)]
        choices += [(scope.account, scope.account) for scope in self._standing.scopes]
        _fill(self.account.menu(), choices, self._standing.account, self.account_chosen.emit)

    def _fill_runs(self) -> None:
        choices: list[tuple[str, object]] = [(t("As it stands now"), None)]
        choices += [(f"{run_title(line)} · {run_counts(line)}", line.entry.id) for line in self._standing.runs]
        _fill(self.run.menu(), choices, self._run, self.run_chosen.emit)
        if self._standing.is_shared:
            heading = QAction(t("Runs are of the whole account"), self.run.menu())
            heading.setEnabled(False)
            self.run.menu().insertAction(self.run.menu().actions()[0], heading)

    def _paint(self) -> None:
        self.account.setIcon(self._look.icon("company", "muted"))
        self.run.setIcon(self._look.icon("clock", "muted"))


def run_title(run: RunLine) -> str:
    """When it ran and over what."""
    period = month_word(run.period) if run.period else t("every month")
    return t("{when}, {period}", when=formatting.moment(run.entry.started_at), period=period)


def run_counts(run: RunLine) -> str:
    """What stood when it ended."""
    told = t(
        "{open} open, {unchecked} not checked",
        open=formatting.count(run.open_findings),
        unchecked=formatting.count(run.not_checked),
    )
    return told if run.entry.outcome == "done" else outcome_word(run.entry.outcome)


def run_summary(run: RunLine, *, is_newest: bool, is_shared: bool = False) -> str:
    """A run in a line: of when, how long, what it found, and what is different from the one before.

    `is_shared`: it is of more companies than the one in use.
    """
    parts = []
    if is_newest:
        parts.append(t("Last run: {run}", run=run_title(run)))
    if is_shared:
        parts.append(t("of the whole account"))
    if run.as_of is not None:
        parts.append(t("as of {moment}", moment=formatting.moment(run.as_of)))
    if run.entry.seconds is not None:
        parts.append(t("took {time}", time=formatting.duration(run.entry.seconds)))
    problem = run.entry.problem
    parts.append(run_counts(run) if problem is None else render(problem))
    if run.compared is not None:
        parts.append(
            t(
                "against the run before: {new} new, {resolved} resolved, {reopened} back again",
                new=formatting.count(run.compared.new),
                resolved=formatting.count(run.compared.resolved),
                reopened=formatting.count(run.compared.reopened),
            )
        )
    return " · ".join(parts)


def _menu_button(name: str) -> ElidedButton:
    made = ElidedButton()
    made.setProperty("look", "button")
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    made.setAccessibleName(name)
    made.setObjectName("calendar")  # the style sheet draws the arrow of a menu by this name
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    made.setMenu(menu_of(made))
    return made


def _fill(menu: QMenu, choices: Sequence[tuple[str, object]], chosen: object, choose: Callable[[Any], None]) -> None:
    empty(menu)
    group = QActionGroup(menu)
    for title, value in choices:
        action = QAction(title.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(value == chosen)
        action.triggered.connect(lambda _=False, value=value: choose(value))
        group.addAction(action)
        menu.addAction(action)
