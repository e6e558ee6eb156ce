"""The page Settings: its sections by name on the left, the one chosen on the right; every change holds at once."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from confere.desktop.core.actions import SECTIONS, Actions
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.services import Services
from confere.desktop.settings.accounts_section import AccountsSection
from confere.desktop.settings.appearance_section import LookSection
from confere.desktop.settings.archive_section import ArchiveSection
from confere.desktop.settings.file_names_section import NamesSection
from confere.desktop.settings.schedule_section import ScheduleSection
from confere.desktop.settings.terms_section import TermsSection
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.form import SettingsSection
from confere.system.processes.cancellation import Stop

_BESIDE_TITLE = 60  # icon and margins of a place in the list
_REMEMBERED = "settings/section"


class SettingsPage(QWidget):
    """`language_changed`: every text has to be made anew. `hiding_changed`: lists show persons otherwise."""

    language_changed = Signal()
    hiding_changed = Signal()

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._actions = actions
        self.accounts = AccountsSection(services)
        self.archive = ArchiveSection(services)
        self.schedule = ScheduleSection(services)
        self.terms = TermsSection(services)
        self.names = NamesSection(services)
        self.look = LookSection(services)
        self._sections: dict[str, SettingsSection] = {name: getattr(self, name) for name in SECTIONS}
        self._stack = QStackedWidget()
        self.places: dict[str, QToolButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_list())
        layout.addWidget(self._stack, 1)
        self._paint()
        services.look.changed.connect(self._paint)
        self.look.language_changed.connect(self.language_changed)
        self.look.hiding_changed.connect(self.hiding_changed)
        topics = (
            self.accounts.topic,
            self.accounts.test_topic,
            self.archive.topic,
            self.archive.backups.topic,
            self.archive.keeping.topic,
            self.schedule.topic,
            self.terms.topic,
            self.terms.complete.topic,
        )
        self.destroyed.connect(partial(_forget, services.reader, topics, self.accounts.leaving))
        self.show_section(services.memory.text(_REMEMBERED, "accounts"))

    @property
    def section(self) -> str:
        """The one that is shown: accounts, archive, schedule, terms, names or look."""
        return next(name for name, section in self._sections.items() if section is self._stack.currentWidget())

    def arrive(self) -> None:
        """The page was come to: what is shown is looked at again."""
        self._current().arrive()

    def archive_changed(self) -> None:
        """Something was written to the archive."""
        if self.isVisible():
            self._current().archive_changed()

    def show_section(self, name: str) -> None:
        """Show one of accounts, archive, schedule, terms, names, look."""
        section = self._sections.get(name, self._sections["accounts"])
        self._stack.setCurrentWidget(section)
        self.places[self.section].setChecked(True)
        self._services.memory.put(_REMEMBERED, self.section)
        if self.isVisible():
            section.arrive()

    def stop(self) -> None:
        """End what is being asked of a hub, which may be long in answering: the window closes."""
        self.accounts.leaving.set()

    def finish(self) -> None:
        """Have all written that was chosen or typed, before the window closes."""
        focused = self.window().focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            focused.clearFocus()  # a field gives what was typed when it is left
        self.schedule.finish()

    def connect_account(self) -> None:
        """Show the accounts with the dialog for a new one open."""
        self.show_section("accounts")
        self.accounts.add_account()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.arrive()

    def _current(self) -> SettingsSection:
        return self._sections[self.section]

    def _make_list(self) -> QFrame:
        frame = QFrame()
        frame.setObjectName("sidebar")
        column = QVBoxLayout(frame)
        column.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        column.setSpacing(2)
        group = QButtonGroup(self)
        for name, section in self._sections.items():
            self._stack.addWidget(section)
            button = QToolButton()
            button.setProperty("look", "place")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setText(section.title)
            button.setCheckable(True)
            bold = QFont(button.font())
            bold.setWeight(QFont.Weight.DemiBold)  # as the style sheet writes the chosen one
            button.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(section.title) + _BESIDE_TITLE)
            button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
            button.clicked.connect(partial(self.show_section, name))
            group.addButton(button)
            column.addWidget(button)
            self.places[name] = button
        column.addStretch(1)
        return frame

    def _paint(self) -> None:
        for name, face in SECTIONS.items():
            self.places[name].setIcon(self._services.look.icon(face.icon))


def _forget(reader: BackgroundReader, topics: tuple[str, ...], leaving: Stop, _gone: object = None) -> None:
    """Answers that come now would find nobody."""
    leaving.set()
    for topic in topics:
        reader.forget(topic)
