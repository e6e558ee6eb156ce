"""The page Closing: company, month and its state above a row of tabs, each about the same company and month."""

from __future__ import annotations

from typing import Protocol, cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from confere.app.documents import browse
from confere.app.labels.labels import month_word, tax_id_word
from confere.desktop.closing.bridge_tab import BridgeTab
from confere.desktop.closing.changes_tab import ChangesTab
from confere.desktop.closing.checklist_tab import ChecklistTab
from confere.desktop.closing.package_tab import PackageTab
from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.pill import Pill
from confere.errors import ArchiveMissing
from confere.system.messages import t

_CALM_MS = 1500  # between two looks while a job fills the archive


class ClosingTab(Protocol):
    """What the page asks of a tab. It reads in the background and never blocks."""

    def show_scope(self, company: str | None, month: str | None) -> None: ...


class ClosingPage(QWidget):
    """Only the tab in front is asked; the others are asked when they come to the front.

    `remedy_wanted` has a `ChecklistLine` whose button was pressed, with the company; `paper_wanted` a document's key,
    `finding_wanted` the row of a finding.
    """

    remedy_wanted = Signal(object, str)
    paper_wanted = Signal(str)
    finding_wanted = Signal(object)

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._actions = services, actions
        self._reader = TopicReader(self, services.reader, "closing", self._forgive)
        self._stale: set[int] = set()  # numbers of the tabs that show another scope or an older archive
        self._company = Elided()
        self._company.setProperty("rank", "muted")
        self._month = label("", "title")
        self.state, self.closed = Pill(services.look), Pill(services.look)
        self._whose = self._lacks = ""
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setAccessibleName(t("Parts of the closing"))
        self.checklist = ChecklistTab(services)
        self.checklist.state_changed.connect(self.show_state)
        self.checklist.closing_changed.connect(self.show_closing)
        self.checklist.remedy_wanted.connect(self.remedy_wanted)
        self.checklist.paper_wanted.connect(self.paper_wanted)
        self.checklist.company_wanted.connect(self._choose)
        self._add(self.checklist, t("Checklist"))
        self.bridge = BridgeTab(services)
        self._add(self.bridge, t("Bridge"))
        self.package = PackageTab(services)
        self.package.export_wanted.connect(actions[Action.EXPORT].trigger)
        self._add(self.package, t("Package"))
        self.changes = ChangesTab(services)
        self.changes.paper_wanted.connect(self.paper_wanted)
        self.changes.finding_wanted.connect(self.finding_wanted)
        self._add(self.changes, t("Changes"))
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_CALM_MS)
        self._again.timeout.connect(self._calm)
        self._lay_out()
        self.tabs.currentChanged.connect(self._show_current)
        services.scope.changed.connect(self._everything_stale)
        self._everything_stale()

    def arrive(self) -> None:
        """The page came to the front: nobody told it what was written meanwhile."""
        self._stale.update(range(self.tabs.count()))
        self._show_current()

    def archive_changed(self) -> None:
        """The archive was written to: look again, but not all the time."""
        self._stale.update(range(self.tabs.count()))
        if self.isVisible() and not self._again.isActive():
            self._show_current()

    def show_state(self, word: str, kind: str) -> None:
        """The state of the month beside its name; an empty word shows none."""
        self.state.show_word(word, kind)
        self.state.setVisible(bool(word))

    def show_closing(self, word: str, lacks: str) -> None:
        """That the month is closed, and what of it lacks nevertheless; both empty where it is not closed."""
        self.closed.show_word(word, "good")
        self.closed.setVisible(bool(word))
        self._lacks = lacks
        self._name_company(self._whose)

    def _add(self, tab: ClosingTab, title: str) -> None:
        self.tabs.addTab(cast("QWidget", tab), title)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP + 4, WIDE_GAP, WIDE_GAP + 4, GAP)
        head.setSpacing(WIDE_GAP)
        head.addWidget(self._month)
        head.addWidget(self.closed)
        head.addWidget(self.state)
        head.addWidget(self._company, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tabs, 1)
        self.show_state("", "neutral")
        self.show_closing("", "")
        self.tabs.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _choose(self, company: str) -> None:
        scope = self._services.scope
        scope.choose_company(company or None)

    def _everything_stale(self) -> None:
        self._stale.update(range(self.tabs.count()))
        self.show_state("", "neutral")
        self.show_closing("", "")
        if self.isVisible():
            self._show_current()

    def _calm(self) -> None:
        if self.isVisible():
            self._show_current()

    def _show_current(self, _number: int = 0) -> None:
        number = self.tabs.currentIndex()
        if number not in self._stale:
            return
        self._stale.discard(number)
        self._again.start()
        scope = self._services.scope
        self._name()
        cast("ClosingTab", self.tabs.widget(number)).show_scope(scope.company, scope.month)

    def _name(self) -> None:
        """Company and month as they are chosen; the company's name comes when the archive has answered."""
        company, month = self._services.scope.company, self._services.scope.month
        self._name_company(tax_id_word(company) if company else t("All companies"))
        word = month_word(month) if month else t("Every month")
        self._month.setText(word[:1].upper() + word[1:])
        opened = self._services.opened
        if company is not None and opened.exists:
            self._reader.ask("names", lambda: browse.companies(opened), self._have_names)

    def _forgive(self, error: Exception) -> None:
        """An archive that is not there yet is no fault: there is nothing to close."""
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)

    def _have_names(self, companies: tuple[browse.Company, ...]) -> None:
        company = self._services.scope.company
        name = next((entry.name for entry in companies if entry.tax_id == company), None)
        if company is not None and name:
            self._name_company(f"{name} · {tax_id_word(company)}")

    def _name_company(self, whose: str) -> None:
        """Whose month it is; of one that was closed also what lacks of it."""
        self._whose = whose
        self._company.setText(" · ".join(filter(None, (whose, self._lacks))))
