"""The activity: what runs now, every run with what came of it, what lacks and why, and the audit trail."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from confere.desktop.activity.activity_list import ActivityList
from confere.desktop.activity.problem_lists import AuditTrailList, DisbelievedList, Failures, Unoffered, UnreadableFiles
from confere.desktop.activity.run_list import Runs
from confere.desktop.activity.running_jobs import Working
from confere.desktop.core import activity_sections
from confere.desktop.core.actions import Actions
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.system.messages import t

_CALM_MS = 1500  # between two questions while a sync fills the archive
_VIEW = "activity/view"


class ActivityPage(QWidget):
    """Tabs of lists; which one was looked at last is remembered."""

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._stale = True
        self.working = Working(services)
        self.runs = Runs(services)
        self.failures = Failures(services, actions)
        self.not_offered = Unoffered(services)
        self.unreadable = UnreadableFiles(services)
        self.not_believed = DisbelievedList(services)
        self.trail = AuditTrailList(services)
        self._lists: dict[str, ActivityList[Any]] = {
            activity_sections.RUNS: self.runs,
            activity_sections.FAILED: self.failures,
            activity_sections.NOT_OFFERED: self.not_offered,
            activity_sections.UNREADABLE: self.unreadable,
            activity_sections.NOT_BELIEVED: self.not_believed,
            activity_sections.TRAIL: self.trail,
        }
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(t("Activity"))
        self._pages = QStackedWidget()
        for listing in self._lists.values():
            self.tabs.addTab(listing.table.accessibleName())
            self._pages.addWidget(listing)
            listing.counted.connect(lambda text, listing=listing: self._name_tab(listing, text))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, WIDE_GAP, 0, 0)
        layout.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(WIDE_GAP + 4, 0, WIDE_GAP + 4, 0)
        head.setSpacing(GAP + 2)
        head.addWidget(label(t("Activity"), "title"))
        head.addWidget(self.working)
        layout.addLayout(head)
        bar = QHBoxLayout()
        bar.setContentsMargins(GAP + 2, GAP, GAP, 0)
        bar.addWidget(self.tabs)
        bar.addStretch(1)
        rule = QFrame()
        rule.setFrameShape(QFrame.Shape.HLine)
        rule.setFrameShadow(QFrame.Shadow.Plain)
        rule.setForegroundRole(QPalette.ColorRole.Mid)
        layout.addLayout(bar)
        layout.addWidget(rule)
        layout.addWidget(self._pages, 1)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_CALM_MS)
        self._again.timeout.connect(self._calm)
        self.runs.failures_wanted.connect(self._show_failures)
        services.jobs.changed.connect(self.archive_changed)
        services.scope.changed.connect(self._scope_changed)
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        kept = services.memory.text(_VIEW)
        self.show_view(kept if kept in self._lists else activity_sections.RUNS)
        self.tabs.currentChanged.connect(self._changed_view)

    def arrive(self) -> None:
        """The page is shown now: look at everything again."""
        self._calmly()
        for listing in self._lists.values():
            listing.refresh()

    def archive_changed(self) -> None:
        """Something was written; look again, but not all the time."""
        self._stale = True
        if self.isVisible() and not self._again.isActive():
            self._ask()

    def _scope_changed(self) -> None:
        if self.isVisible():
            self.arrive()

    def show_view(self, view: str) -> None:
        """Show this part, a name of `views`."""
        if view in self._lists:
            self.tabs.setCurrentIndex(list(self._lists).index(view))

    def _show_failures(self) -> None:
        self.show_view(activity_sections.FAILED)

    def _calm(self) -> None:
        if self._stale and self.isVisible():
            self._ask()

    def _ask(self) -> None:
        """Of what cannot be seen nothing is asked: a sync may write every second for an hour."""
        self._calmly()
        self._current().refresh()

    def _calmly(self) -> None:
        self._stale = False
        self._again.start()

    def _current(self) -> ActivityList[Any]:
        return list(self._lists.values())[self.tabs.currentIndex()]

    def _name_tab(self, listing: ActivityList[Any], count: str) -> None:
        title = listing.table.accessibleName()
        self.tabs.setTabText(self._pages.indexOf(listing), f"{title} ({count})" if count else title)

    def _changed_view(self, place: int) -> None:
        self._services.memory.put(_VIEW, list(self._lists)[place])
        if self.isVisible():
            self._current().refresh()
