"""The switchers of company and month in the top bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from confere.app.documents import browse
from confere.app.documents.browse import Company, MonthCount
from confere.app.labels.labels import month_word, tax_id_word
from confere.desktop.core.actions import Action, Actions
from confere.desktop.services import Services
from confere.desktop.widgets.elided_buttons import ElidedButton
from confere.desktop.widgets.menus import empty
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import t

_TOPIC_COMPANIES = "scope: companies"
_TOPIC_MONTHS = "scope: months"
_LONGEST_NAME = 34  # characters of a company's name in the button
_YEAR = 12


class ScopeBar(QWidget):
    """Company and month buttons with their menus; fills itself from the archive."""

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._companies: tuple[Company, ...] = ()
        self._months: tuple[MonthCount, ...] = ()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.company = _menu_button(ElidedButton(), t("Company"), "company")
        self.month = _menu_button(QToolButton(), t("Month"), "calendar")
        self._earlier = _arrow(actions[Action.EARLIER_MONTH])
        self._later = _arrow(actions[Action.LATER_MONTH])
        for button in (self.company, self._earlier, self.month, self._later):
            layout.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.company.menu().aboutToShow.connect(self._fill_companies)
        self.month.menu().aboutToShow.connect(self._fill_months)
        actions[Action.EARLIER_MONTH].triggered.connect(lambda: self._step(-1))
        actions[Action.LATER_MONTH].triggered.connect(lambda: self._step(1))
        services.scope.changed.connect(self._scope_changed)
        services.look.changed.connect(self._paint)
        self._paint()
        self._tell()

    def refresh(self) -> None:
        """Ask the archive whose documents and which months there are."""
        opened, scope = self._services.opened, self._services.scope
        if not opened.exists:
            self._companies, self._months = (), ()
            self._tell()
            return
        company = scope.company
        ask = self._services.reader.ask
        ask(_TOPIC_COMPANIES, lambda: browse.companies(opened), self._have_companies)
        ask(_TOPIC_MONTHS, lambda: browse.months(opened, company), self._have_months)

    def _have_companies(self, found: Sequence[Company]) -> None:
        self._companies = tuple(found)
        scope = self._services.scope
        if scope.company is not None and scope.company not in {entry.tax_id for entry in found}:
            scope.choose(None, scope.month)
        self._tell()

    def _have_months(self, found: Sequence[MonthCount]) -> None:
        self._months = tuple(found)
        scope = self._services.scope
        if not scope.was_chosen and found:
            scope.choose(scope.company, found[0].month)
        self._tell()

    def _scope_changed(self) -> None:
        self._tell()
        self.refresh()

    def _step(self, way: int) -> None:
        """To the month beside this one in which there is something, or else in the calendar."""
        scope = self._services.scope
        known = sorted(entry.month for entry in self._months)
        if scope.month is None:
            if known:
                scope.choose(scope.company, known[-1])
            return
        beside = [month for month in known if (month > scope.month if way > 0 else month < scope.month)]
        if beside:
            scope.choose(scope.company, beside[0] if way > 0 else beside[-1])
        else:
            scope.choose(scope.company, _next(scope.month, way))

    def _fill_companies(self) -> None:
        menu = self.company.menu()
        empty(menu)
        group = QActionGroup(menu)
        scope = self._services.scope
        self._choice(menu, group, t("All companies"), scope.company is None, None, scope.month)
        menu.addSeparator()
        for entry in self._companies:
            title = _company_title(entry)
            self._choice(menu, group, title, scope.company == entry.tax_id, entry.tax_id, scope.month)

    def _fill_months(self) -> None:
        menu = self.month.menu()
        empty(menu)
        group = QActionGroup(menu)
        scope = self._services.scope
        self._choice(menu, group, t("Every month"), scope.month is None, scope.company, None)
        menu.addSeparator()
        into: QMenu = menu
        year = ""
        for place, entry in enumerate(self._months):
            if place >= _YEAR and entry.month[:4] != year:
                # A menu of five years would not fit on a screen.
                into = menu.addMenu(entry.month[:4])
            year = entry.month[:4]
            title = f"{month_word(entry.month)} ({formatting.count(entry.documents)})"
            self._choice(into, group, title, scope.month == entry.month, scope.company, entry.month)

    def _choice(
        self, menu: QMenu, group: QActionGroup, title: str, chosen: bool, company: str | None, month: str | None
    ) -> None:
        action = QAction(title.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(chosen)
        action.triggered.connect(lambda: self._services.scope.choose(company, month))
        group.addAction(action)
        menu.addAction(action)

    def _tell(self) -> None:
        scope = self._services.scope
        found = next((entry for entry in self._companies if entry.tax_id == scope.company), None)
        name = t("All companies")
        if scope.company is not None:
            name = found.name if found is not None and found.name else tax_id_word(scope.company)
        short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        self.company.setText(short.replace("&", "&&"))
        tip = f"{name} · {tax_id_word(scope.company)}" if scope.company else name
        self.company.setToolTip(as_tip(tip))
        self.company.setAccessibleName(t("Company: {name}", name=name))
        month = month_word(scope.month) if scope.month else t("Every month")
        self.month.setText(month)
        self.month.setAccessibleName(t("Month: {month}", month=month))

    def _paint(self) -> None:
        for button, name in ((self.company, "company"), (self.month, "calendar")):
            button.setIcon(self._services.look.icon(name, "muted"))


def _menu_button(button: QToolButton, name: str, object_name: str) -> QToolButton:
    button.setObjectName(object_name)
    button.setProperty("look", "button")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(name)
    button.setMenu(QMenu(button))
    return button


def _arrow(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setProperty("look", "quiet")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(action.text())
    return button


def _company_title(entry: Company) -> str:
    masked = tax_id_word(entry.tax_id)
    return f"{entry.name} — {masked}" if entry.name else masked


def _next(month: str, way: int) -> str:
    place = int(month[:4]) * _YEAR + int(month[5:]) - 1 + way
    return f"{place // _YEAR:04d}-{place % _YEAR + 1:02d}"
