"""The switchers of company and month in the top bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from confere.app.documents import browse
from confere.app.labels.labels import month_word, tax_id_word
from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.reader_topics import When
from confere.desktop.jobs.job import JobKind
from confere.desktop.services import Services
from confere.desktop.widgets.elided_buttons import ElidedButton
from confere.desktop.widgets.menus import empty, menu_of
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.archive_session import OpenArchive
    from confere.app.documents.browse import Company
    from confere.app.overview.months import KnownMonth, KnownMonths

_TOPIC_COMPANIES = "scope: companies"
_TOPIC_MONTHS = "scope: months"
_YEAR = 12
_INLINE = 14  # months that are in the menu itself


class ScopeBar(QWidget):
    """Company and month buttons with their menus; fills itself from the archive."""

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._companies: tuple[Company, ...] = ()
        self._months: tuple[KnownMonth, ...] = ()
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
        # Where nobody chose yet, the newest month is the answer to what the window is about; else the menus can wait.
        when, ask = When.LATER if scope.was_chosen else When.NOW, self._services.reader.ask
        ask(_TOPIC_COMPANIES, lambda: browse.companies(opened), self._have_companies, when=when)
        ask(_TOPIC_MONTHS, partial(_known_months, opened, company), self._have_months, when=when)

    @property
    def company_titles(self) -> list[tuple[str, str]]:
        """The companies that can be chosen: tax id and how it is called."""
        return [(company.tax_id, _company_title(company)) for company in self._companies]

    @property
    def months(self) -> list[str]:
        """The months that can be chosen (`YYYY-MM`), newest first."""
        return [entry.month for entry in self._months]

    def ask_period(self) -> None:
        """Ask for a period that is no month; it is in use once the dialog is accepted."""
        from confere.desktop.dialogs.period import PeriodDialog

        scope = self._services.scope
        dialog = PeriodDialog(scope.first_day, scope.last_day, self.window())
        dialog.accepted.connect(lambda: scope.choose_period(*dialog.days))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _have_companies(self, found: Sequence[Company]) -> None:
        self._companies = tuple(found)
        scope = self._services.scope
        if scope.company is not None and scope.company not in {entry.tax_id for entry in found}:
            scope.choose_company(None)
        self._tell()

    def _have_months(self, known: KnownMonths) -> None:
        """As long as nobody chose, the newest month that is over; while a sync brings months it stays where it is."""
        self._months = known.months
        scope, jobs = self._services.scope, self._services.jobs
        is_filling = scope.month is not None and (jobs.has(JobKind.SYNC) or jobs.has(JobKind.DEMO))
        if known.newest_full is not None and not is_filling:
            scope.suggest(known.newest_full)
        self._tell()

    def _scope_changed(self) -> None:
        self._tell()
        self.refresh()

    def _step(self, way: int) -> None:
        """To the month beside this one in which there is something, or else in the calendar."""
        scope = self._services.scope
        known = sorted(entry.month for entry in self._months)
        here = scope.month or (scope.period[0][:7] if scope.period else None)
        if here is None:
            if known:
                scope.choose(scope.company, known[-1])
            return
        beside = [month for month in known if (month > here if way > 0 else month < here)]
        if beside:
            scope.choose(scope.company, beside[0] if way > 0 else beside[-1])
        else:
            scope.choose(scope.company, _next(here, way))

    def _fill_companies(self) -> None:
        menu = self.company.menu()
        empty(menu)
        group = QActionGroup(menu)
        scope = self._services.scope
        _choice(menu, group, t("All companies"), scope.company is None, lambda: scope.choose_company(None))
        menu.addSeparator()
        for tax_id, title in self.company_titles:
            _choice(menu, group, title, scope.company == tax_id, partial(scope.choose_company, tax_id))

    def _fill_months(self) -> None:
        """Newest first, by year: those of the newest years right here, those of earlier ones in a menu a year."""
        menu = self.month.menu()
        empty(menu)
        group = QActionGroup(menu)
        scope = self._services.scope
        every = scope.month is None and scope.period is None
        _choice(menu, group, t("Every month"), every, partial(scope.choose, scope.company, None))
        other = period_text(*scope.period) if scope.period else t("Other period…")
        _choice(menu, group, other, scope.period is not None, self.ask_period)
        shown = 0
        for year, months in groupby(self._months, key=lambda entry: entry.month[:4]):
            of_year = list(months)
            into: QMenu = menu
            if shown and shown + len(of_year) > _INLINE:
                # A menu of five years would not fit on a screen.
                documents = sum(entry.documents for entry in of_year)
                into = menu.addMenu(f"{year} ({formatting.count(documents)})")
            else:
                menu.addSeparator()
                menu.addAction(year).setEnabled(False)
                shown += len(of_year)
            for entry in of_year:
                choose = partial(scope.choose, scope.company, entry.month)
                _choice(into, group, _month_title(entry), scope.month == entry.month, choose)

    def _tell(self) -> None:
        scope = self._services.scope
        found = next((entry for entry in self._companies if entry.tax_id == scope.company), None)
        name = t("All companies")
        if scope.company is not None:
            name = found.name if found is not None and found.name else tax_id_word(scope.company)
        self.company.setText(name.replace("&", "&&"))
        tip = f"{name} · {tax_id_word(scope.company)}" if scope.company else name
        self.company.setToolTip(as_tip(tip))
        self.company.setAccessibleName(t("Company: {name}", name=name))
        if scope.period is not None:
            month = period_text(*scope.period)
            name = t("Period: {period}", period=month)
        else:
            month = month_word(scope.month) if scope.month else t("Every month")
            name = t("Month: {month}", month=month)
        self.month.setText(month)
        self.month.setAccessibleName(name)

    def _paint(self) -> None:
        for button, name in ((self.company, "company"), (self.month, "calendar")):
            button.setIcon(self._services.look.icon(name, "muted"))


def _known_months(opened: OpenArchive, company: str | None) -> KnownMonths:
    from confere.app.overview.months import known_months  # the list does not wait for the menu of months

    return known_months(opened, company)


def period_text(first_day: str, last_day: str) -> str:
    """A period as it is said: from one day to another."""
    return f"{formatting.date(first_day)} – {formatting.date(last_day)}"


def _month_title(entry: KnownMonth) -> str:
    title = f"{month_word(entry.month)} ({formatting.count(entry.documents)})"
    if not entry.missing:
        return title
    return t("{month} · XML to download: {count}", month=title, count=formatting.count(entry.missing))


def _choice(menu: QMenu, group: QActionGroup, title: str, chosen: bool, choose: Callable[[], object]) -> None:
    action = QAction(title.replace("&", "&&"), menu)
    action.setCheckable(True)
    action.setChecked(chosen)
    action.triggered.connect(lambda: choose())
    group.addAction(action)
    menu.addAction(action)


def _menu_button(button: QToolButton, name: str, object_name: str) -> QToolButton:
    button.setObjectName(object_name)
    button.setProperty("look", "button")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(name)
    button.setMenu(menu_of(button))
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
