"""The overview: is the archive complete and fresh, the month in figures and by day, and what to do next."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from confere.app.archive_session import OpenArchive
from confere.app.labels.labels import month_word
from confere.app.overview.clients import Clients, clients
from confere.app.overview.overview import NextStep, Overview, StepKind, overview
from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.activity_sections import NOT_OFFERED, RUNS, UNREADABLE
from confere.desktop.jobs.job_requests import backup_order, reconcile_order, reindex_order, sync_order
from confere.desktop.overview.chart import BarMeasure, DayChart
from confere.desktop.overview.chart_data import Bar, bars_of, sentence
from confere.desktop.overview.clients_view import ClientsView
from confere.desktop.overview.empty_state import EmptyView
from confere.desktop.overview.findings_card import FindingsCard
from confere.desktop.overview.freshness_card import FreshnessCard
from confere.desktop.overview.month_card import AmountsCard
from confere.desktop.overview.page_requests import NOT_AUTHENTIC, DocumentsRequest
from confere.desktop.overview.suggestions_card import StepsCard
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import Card, button, label
from confere.system import formatting
from confere.system.messages import t

_TOPIC = "overview"
_CALM_MS = 1500  # between two questions while a sync fills the archive
_TWO_COLUMNS = 900  # pixels, from which the cards stand in two columns
_SIDES = 5, 3  # how the columns share the width
_MEASURE = "overview/measure"
_TOGETHER = "overview/together"  # of several companies one overview instead of the table of clients
_BLANK, _CARDS, _BEGINNING, _CLIENTS = range(4)


class OverviewPage(QWidget):
    """With several companies and none chosen a table of all, else how one stands; `shown` is the latter, None before.

    What it asks for it tells by signals; whoever owns the pages goes there.

    `documents_wanted` has a `DocumentsRequest`, `place_wanted` an `Action` of the sidebar; `activity_wanted`
    comes before the latter and names the part of the activity page to show. `findings_wanted`: the open ones of
    high severity of an account, empty for the one in use; `rule_wanted`: those of an account and a rule, empty for
    every rule.
    """

    documents_wanted = Signal(object)
    demo_wanted = Signal()
    account_wanted = Signal()
    place_wanted = Signal(object)
    backups_wanted = Signal()
    findings_wanted = Signal(str)
    rule_wanted = Signal(str, str)
    activity_wanted = Signal(str)

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._actions = actions
        self._stale = True
        self.shown: Overview | None = None
        self.empty = EmptyView(services.look, actions)
        self.clients = ClientsView(services)
        self.steps = StepsCard(services.look)
        self.findings = FindingsCard(services.look, services.jobs)
        self.freshness = FreshnessCard(services.look)
        self.amounts = AmountsCard()
        self.chart = DayChart(services.look)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_CALM_MS)
        self._again.timeout.connect(self._calm)
        self._build()
        self._connect()

    def arrive(self) -> None:
        """The page is shown now: look again."""
        self._ask()

    def archive_changed(self) -> None:
        """Something was written; look again, but not all the time."""
        self._stale = True
        if self.isVisible() and not self._again.isActive():
            self._ask()

    def show_together(self, *, together: bool = True) -> None:
        """Of several companies show one overview of all, or the table of them."""
        self._services.memory.put(_TOGETHER, "yes" if together else "")
        self._ask()

    def _build(self) -> None:
        self._title = label("", "title")
        self._readout = label("", "muted")
        self._count = _chip(t("Documents"))
        self._worth = _chip(t("Worth"))
        self._chart_card = Card(t("Day by day"))
        self._chart_card.head.insertWidget(1, self._readout)
        self._chart_card.head.insertSpacing(1, GAP)
        for chip in (self._count, self._worth):
            self._chart_card.head.addWidget(chip)
        self._chart_card.body.addWidget(self.chart, 1)
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        self._sides = QHBoxLayout()
        self._sides.setSpacing(WIDE_GAP)
        for side, share in zip((self._left, self._right), _SIDES, strict=True):
            side.setSpacing(WIDE_GAP)
            self._sides.addLayout(side, share)
        self._columns = 0
        content = QWidget()
        content.setProperty("plain", True)
        column = QVBoxLayout(content)
        column.setContentsMargins(WIDE_GAP + 4, WIDE_GAP, WIDE_GAP + 4, WIDE_GAP)
        column.setSpacing(WIDE_GAP - 2)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        self.one_by_one = button(t("Client by client"), lambda: self.show_together(together=False), "link")
        head.addWidget(self.one_by_one)
        column.addLayout(head)
        column.addLayout(self._sides, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(content)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        beginning = QScrollArea()
        beginning.setWidgetResizable(True)
        self.empty.setProperty("plain", True)
        beginning.setWidget(self.empty)
        beginning.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        beginning.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        blank = QWidget()
        self._layers = QStackedLayout(self)
        for layer in (blank, scroll, beginning, self.clients):
            self._layers.addWidget(layer)
        self._arrange(2)
        measure = BarMeasure.WORTH if self._services.memory.text(_MEASURE) == BarMeasure.WORTH else BarMeasure.COUNT
        self._measure(measure)

    def _connect(self) -> None:
        self.clients.company_wanted.connect(self._go_into)
        self.clients.together_wanted.connect(self.show_together)
        self.empty.account_wanted.connect(self.account_wanted)
        self.empty.demo_wanted.connect(self.demo_wanted)
        self.steps.taken.connect(self._take)
        self.findings.rule_wanted.connect(self.rule_wanted)
        self.findings.run_wanted.connect(self._reconcile)
        self.freshness.look_wanted.connect(self._look_at)
        self.freshness.sync_wanted.connect(self._sync)
        self.amounts.wanted.connect(self.documents_wanted)
        self.chart.pointed.connect(self._read_out)
        self.chart.chosen.connect(self._open)
        self._count.clicked.connect(self._by_count)
        self._worth.clicked.connect(self._by_worth)
        self._services.scope.changed.connect(self._scope_changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(2 if self.width() >= _TWO_COLUMNS else 1)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        below = (self.steps, self.findings, self.amounts, self._chart_card, self.freshness)
        for side in (self._left, self._right):
            # An item out of `takeAt` lives on and keeps its widget, and the next one would hear of no new size.
            for card in below:
                side.removeWidget(card)
            side.takeAt(0)  # the stretch below them
        if columns == 2:
            self._left.addWidget(self.amounts)
            self._left.addWidget(self._chart_card)
            self._left.addStretch(1)
            self._right.addWidget(self.steps)
            self._right.addWidget(self.findings)
            self._right.addWidget(self.freshness)
            self._right.addStretch(1)
        else:
            for card in below:
                self._left.addWidget(card)
            self._left.addStretch(1)
        self._sides.setSpacing(WIDE_GAP if columns == 2 else 0)
        self._sides.setStretch(1, _SIDES[1] if columns == 2 else 0)

    def _scope_changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._ask()

    def _calm(self) -> None:
        if self._stale and self.isVisible():
            self._ask()

    def _ask(self) -> None:
        self._stale = False
        self._again.start()
        opened, scope = self._services.opened, self._services.scope
        company, month, days = scope.company, scope.month, scope.period
        together = bool(self._services.memory.text(_TOGETHER))
        self._services.reader.ask(_TOPIC, lambda: _look(opened, company, month, days, together=together), self._have)

    def _have(self, found: tuple[Overview | None, Clients | None]) -> None:
        one, every = found
        self.one_by_one.setVisible(every is not None)
        if one is not None:
            self._show(one)
        elif every is not None:
            self.clients.put(every)
            self._layers.setCurrentIndex(_CLIENTS)

    def _go_into(self, company: str) -> None:
        self._services.scope.choose_company(company)

    def _show(self, found: Overview) -> None:
        self.shown = found
        if found.empty:
            self._layers.setCurrentIndex(_BEGINNING)
            return
        days = self._services.scope.period
        title = month_word(found.month) if found.month else t("Every month")
        if days is not None and found.month is None:
            title = f"{formatting.date(days[0])} – {formatting.date(days[1])}"
        self._title.setText(title[:1].upper() + title[1:])  # months are small in Portuguese, titles are not
        self.steps.put(found.steps, found.accounts)
        self.findings.put(found.findings, found.month)
        self.freshness.put(found)
        self.amounts.put(found)
        unlisted = {day for account in found.accounts for day in account.unlisted_days}
        self._chart_card.heading.setText(t("Day by day") if found.month else t("Month by month"))
        self.chart.put(bars_of(found.slices, found.month, unlisted))
        self._layers.setCurrentIndex(_CARDS)

    def _read_out(self, bar: Bar | None) -> None:
        self._readout.setText(sentence(bar) if bar is not None else "")

    def _open(self, bar: Bar) -> None:
        scope = self._services.scope
        if scope.month is None:
            scope.choose(scope.company, bar.when)
            self.documents_wanted.emit(DocumentsRequest())
        else:
            self.documents_wanted.emit(DocumentsRequest(day=bar.when))

    def _by_count(self) -> None:
        self._measure(BarMeasure.COUNT)

    def _by_worth(self) -> None:
        self._measure(BarMeasure.WORTH)

    def _measure(self, measure: BarMeasure) -> None:
        for chip, of in ((self._count, BarMeasure.COUNT), (self._worth, BarMeasure.WORTH)):
            chip.setChecked(of is measure)
            chip.setProperty("chosen", of is measure)
            chip.style().unpolish(chip)
            chip.style().polish(chip)
        self._services.memory.put(_MEASURE, measure)
        self.chart.measure(measure)

    def _take(self, step: NextStep) -> None:
        match step.kind:
            case StepKind.CONNECT:
                self.account_wanted.emit()
            case StepKind.TOKEN:
                self.place_wanted.emit(Action.SETTINGS)
            case StepKind.TRY:
                self.demo_wanted.emit()
            case StepKind.IMPORT:
                self._actions[Action.IMPORT_FILES].trigger()
            case StepKind.LOOK_AT_SYNC:
                self._look_at(RUNS)
            case StepKind.LOOK:
                self._look_at(UNREADABLE)
            case StepKind.ASK:
                self._look_at(NOT_OFFERED)
            case StepKind.RETRY:
                self._services.jobs.start(sync_order([step.account] if step.account else [], only_failed=True))
            case StepKind.EXPORT:
                # The dialog speaks of the month in use, so that month is chosen first, for all to see.
                scope = self._services.scope
                scope.choose(step.company or scope.company, step.month)
                self._actions[Action.EXPORT].trigger()
            case StepKind.BACKUP:
                self._services.jobs.start(backup_order())
            case StepKind.BACKUP_ALARM:
                self.backups_wanted.emit()
            case StepKind.REREAD:
                self._services.jobs.start(reindex_order())
            case StepKind.FINDINGS:
                # Counted over all accounts: one that has none would say that there is nothing.
                found = () if self.shown is None else self.shown.findings
                gravest = max(found, key=lambda entry: entry.grave, default=None)
                self.findings_wanted.emit("" if gravest is None else gravest.account)
            case StepKind.NOT_AUTHENTIC:
                self.documents_wanted.emit(NOT_AUTHENTIC._replace(everywhere=step.is_elsewhere))
            case _:
                self._sync(step.account or "")

    def _look_at(self, view: str) -> None:
        self.activity_wanted.emit(view)
        self.place_wanted.emit(Action.ACTIVITY)

    def _sync(self, account: str) -> None:
        self._services.jobs.start(sync_order([account] if account else []))

    def _reconcile(self, account: str) -> None:
        self._services.jobs.start(reconcile_order([account], self._services.scope.month))


def _look(
    opened: OpenArchive, company: str | None, month: str | None, days: tuple[str, str] | None, *, together: bool
) -> tuple[Overview | None, Clients | None]:
    """One overview or, of several companies of which none is chosen, how each stands; both where `together` is said."""
    every = clients(opened, month) if company is None else None
    if every is not None and len(every.rows) < 2:
        every = None
    return (overview(opened, company, month, days=days) if every is None or together else None), every


def _chip(title: str) -> QToolButton:
    chip = QToolButton()
    chip.setProperty("look", "chip")
    chip.setText(title)
    chip.setCheckable(True)
    chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    chip.setAccessibleName(t("Height of the bars: {measure}", measure=title))
    return chip
