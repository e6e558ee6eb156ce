"""Company, month and period: what a person chose comes back, and what nobody chose is the newest month that is over."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from confere.app.overview.months import KnownMonth, KnownMonths
from confere.desktop.core import actions
from confere.desktop.core.scope import WindowScope
from confere.desktop.core.window_memory import Memory
from confere.desktop.dialogs.period import PeriodDialog
from confere.desktop.shell.scope_bar import ScopeBar
from confere.system.paths import Home
from tests.desktop.conftest import Made

pytestmark = pytest.mark.usefixtures("qapp")  # the memory has a timer

PERIOD = ("2026-01-15", "2026-03-31")


@pytest.fixture
def bar(qtbot: QtBot, made_empty: Made) -> ScopeBar:
    made = ScopeBar(made_empty.services, actions.make(made_empty.owner, made_empty.services.look))
    qtbot.addWidget(made)
    return made


def test_a_period_comes_back_and_stays_when_the_company_changes(tmp_path: Path) -> None:
    memory = Memory(Home(tmp_path))
    scope = WindowScope(memory)
    heard: list[object] = []
    scope.changed.connect(lambda: heard.append(scope.period))
    scope.choose_period(*PERIOD)
    scope.choose_company("11222333000181")
    assert (scope.month, scope.period, scope.first_day, scope.last_day) == (None, PERIOD, *PERIOD)
    assert heard == [PERIOD, PERIOD]
    memory.save()
    again = WindowScope(Memory(Home(tmp_path)))
    assert (again.company, again.month, again.period) == ("11222333000181", None, PERIOD)
    again.choose("11222333000181", None)
    assert again.first_day is None


@pytest.mark.parametrize(
    ("first", "last", "month"),
    [("2026-02-01", "2026-02-28", "2026-02"), ("2026-02-01", "2026-02-27", None), ("2026-02-01", "2026-03-31", None)],
)
def test_a_whole_month_is_that_month(tmp_path: Path, first: str, last: str, month: str | None) -> None:
    scope = WindowScope(Memory(Home(tmp_path)))
    scope.choose_period(first, last)
    assert scope.month == month
    assert (scope.period is None) == (month is not None)


@pytest.mark.parametrize("kept", ["2026-03-01/2026-02-01", "x/y", "2026-01-01", "/"])
def test_a_period_of_nobody_is_passed_over(tmp_path: Path, kept: str) -> None:
    memory = Memory(Home(tmp_path))
    memory.put("scope/period", kept)
    assert WindowScope(memory).period is None


def test_a_suggestion_is_not_a_choice(tmp_path: Path) -> None:
    scope = WindowScope(Memory(Home(tmp_path)))
    scope.suggest("2026-09")
    scope.suggest("2026-10")
    assert (scope.month, scope.was_chosen) == ("2026-10", False)
    scope.choose(None, "2026-10")
    scope.suggest("2026-09")
    assert (scope.month, scope.was_chosen) == ("2026-10", True)


def test_the_newest_full_month_is_shown_until_somebody_chooses(bar: ScopeBar, made_empty: Made) -> None:
    scope = made_empty.services.scope
    bar._have_months(KnownMonths((KnownMonth("2026-11", 3), KnownMonth("2026-10", 90)), "2026-10"))
    assert scope.month == "2026-10"
    scope.choose(None, None)
    bar._have_months(KnownMonths((KnownMonth("2026-11", 3),), "2026-11"))
    assert scope.month is None


def _titles(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_months_are_grouped_by_year_and_say_what_is_not_here(bar: ScopeBar, made_empty: Made) -> None:
    made_empty.services.scope.choose(None, "2026-10")
    days = [date(2026, 11, 1), *(date(year, month, 1) for year in (2026, 2025) for month in range(10, 0, -1))]
    months = [KnownMonth(f"{day:%Y-%m}", 7) for day in days]
    months[0] = KnownMonth("2026-11", 0, 12)
    bar._have_months(KnownMonths(tuple(months), "2026-10"))
    bar._fill_months()
    menu = bar.month.menu()
    titles = _titles(menu)
    assert titles[:5] == [
        "Every month",
        "Other period…",
        "2026",
        "November 2026 (0) · XML to download: 12",
        "October 2026 (7)",
    ]
    assert titles[-1] == "2025 (70)"
    assert len(titles) == 2 + 1 + 11 + 1
    (year,) = [action for action in menu.actions() if action.text() == "2026"]
    assert not year.isEnabled()
    older = menu.actions()[-1].menu()
    assert isinstance(older, QMenu)
    assert len(_titles(older)) == 10
    (chosen,) = [action for action in menu.actions() if action.isChecked()]
    assert chosen.text() == "October 2026 (7)"


def test_the_dialog_begins_with_the_days_in_use(qtbot: QtBot) -> None:
    dialog = PeriodDialog("2026-02-01", "2026-02-31")
    qtbot.addWidget(dialog)
    assert dialog.days == ("2026-02-01", "2026-02-28")
    assert dialog.use.isDefault()
    other = PeriodDialog(*PERIOD)
    qtbot.addWidget(other)
    assert other.days == PERIOD
