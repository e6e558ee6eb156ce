"""The overview on a real archive: its figures, what each button and link asks for, and the empty beginning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from confere.app.overview.overview import NextStep, StepKind, overview
from confere.desktop.core import actions as commands
from confere.desktop.core import activity_sections
from confere.desktop.core.actions import Action, Actions
from confere.desktop.jobs.job import JobKind, JobRequest
from confere.desktop.overview.month_card import VOID_STATES, earlier
from confere.desktop.overview.page import OverviewPage
from confere.desktop.overview.page_requests import DocumentsRequest
from confere.desktop.services import Services
from confere.errors import message
from confere.system import formatting
from tests.desktop import troubled
from tests.desktop.conftest import Made

MONTH = "2026-10"


def page_of(qtbot: QtBot, made: Made, month: str | None = MONTH) -> OverviewPage:
    made.services.scope.choose(None, month)
    made.services.memory.put("overview/together", "yes")  # of both companies of the demonstration
    page = OverviewPage(made.services, commands.make(made.owner, made.services.look))
    qtbot.addWidget(page)
    page.resize(1116, 690)
    page.show()
    page.arrive()
    qtbot.waitUntil(lambda: page.shown is not None)
    return page


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> OverviewPage:
    return page_of(qtbot, made)


@pytest.fixture
def made_troubled(qapp: QApplication, home: Path) -> Iterator[Made]:
    troubled.trouble(home)
    found = Made(qapp, home)
    yield found
    found.close()


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[JobRequest]:
    """What would have been started."""
    found: list[JobRequest] = []
    monkeypatch.setattr("confere.desktop.jobs.jobs.Jobs.start", lambda _, order: found.append(order))
    return found


def texts(widget: QWidget) -> list[str]:
    return [found.text() for found in widget.findChildren(QLabel) if not found.isHidden() and found.text()]


def buttons_of(widget: QWidget) -> list[QPushButton]:
    """Without those that Qt has yet to delete."""
    return [found for found in widget.findChildren(QPushButton) if not found.property("gone")]


def link(widget: QWidget, text: str) -> QPushButton:
    (found,) = [entry for entry in buttons_of(widget) if entry.text().startswith(text)]
    return found


def test_the_figures_are_those_of_the_archive(page: OverviewPage, services: Services) -> None:
    found = overview(services.opened, None, MONTH)
    assert found.total.count
    assert found.before is not None
    said = texts(page.amounts)
    assert formatting.count(found.total.count) in said
    assert formatting.money(found.total.worth) in said
    change = found.total.worth - found.before.worth
    assert change
    way = "more" if change > 0 else "less"
    assert f"{formatting.money(abs(change))} {way} than in September 2026" in said
    for kind in found.kinds:
        assert formatting.count(kind.totals.count) in said
    assert sum(bar.count for bar in page.chart.bars) == found.total.count
    assert sum(bar.worth for bar in page.chart.bars) == found.total.worth


def test_the_month_before() -> None:
    assert (earlier("2026-10"), earlier("2026-01")) == ("2026-09", "2025-12")


def test_figures_lead_to_their_documents(qtbot: QtBot, made: Made) -> None:
    page = page_of(qtbot, made, "2026-09")
    wanted: list[DocumentsRequest] = []
    page.documents_wanted.connect(wanted.append)
    shown = page.shown
    assert shown is not None
    assert shown.total.void_count
    void, *kinds = buttons_of(page.amounts)
    assert len(kinds) == len(shown.kinds)
    kinds[0].click()
    kind = shown.kinds[0]
    assert wanted == [DocumentsRequest(types=(kind.type,), direction=kind.direction or None)]
    assert void.text().startswith(formatting.money(shown.total.void_worth))
    void.click()
    assert wanted[1] == DocumentsRequest(states=VOID_STATES)
    assert wanted[1].filters == {"types": (), "states": VOID_STATES, "directions": (), "day": None, "verdicts": ()}
    page.chart.setFocus()
    qtbot.keyClick(page.chart, Qt.Key.Key_Right)
    assert formatting.date("2026-09-01") in texts(page._chart_card)[1]
    qtbot.keyClick(page.chart, Qt.Key.Key_Return)
    assert wanted[2] == DocumentsRequest(day="2026-09-01")


def test_without_a_month_a_bar_chooses_its_month(qtbot: QtBot, made: Made) -> None:
    page = page_of(qtbot, made, None)
    bars = page.chart.bars
    assert len(bars) == 12
    page.chart.chosen.emit(bars[3])
    assert made.services.scope.month == bars[3].when
    qtbot.waitUntil(lambda: page.shown is not None and page.shown.month == bars[3].when)
    assert len(page.chart.bars) >= 28


def test_a_fresh_account_is_said_to_be_whole(page: OverviewPage) -> None:
    said = texts(page.freshness)
    assert "Everything that the hub listed for this month is here." in said
    assert any(text.startswith("Last sync: ") and text.endswith(", done.") for text in said)
    assert any(text.startswith("Listed from the beginning up to ") for text in said)


def test_what_lacks_has_a_word_and_a_way_each(qtbot: QtBot, made_troubled: Made, orders: list[JobRequest]) -> None:
    page = page_of(qtbot, made_troubled)
    asked: list[str] = []
    places: list[Action] = []
    page.activity_wanted.connect(asked.append)
    page.place_wanted.connect(places.append)
    card = page.freshness
    missing = troubled.WAITING + troubled.FAILED
    link(card, f"not downloaded: {missing}, failed: {troubled.FAILED}").click()
    link(card, f"not offered: {troubled.NOT_OFFERED}").click()
    link(card, f"not readable: {troubled.UNREADABLE}").click()
    assert asked == [activity_sections.FAILED, activity_sections.NOT_OFFERED, activity_sections.UNREADABLE]
    assert places == [Action.ACTIVITY] * 3
    link(card, f"never listed: {troubled.UNLISTED_DAYS} days").click()
    assert [order.arguments for order in orders] == [("sync", "--account", troubled.ACCOUNT)]
    assert [bar.when for bar in page.chart.bars if bar.unlisted] == ["2026-10-30", "2026-10-31"]


def test_each_step_has_a_button_that_does_it(qtbot: QtBot, made_troubled: Made, orders: list[JobRequest]) -> None:
    page = page_of(qtbot, made_troubled)
    shown = page.shown
    assert shown is not None
    buttons = buttons_of(page.steps)
    assert len(buttons) == len(shown.steps) > 2
    kinds = [step.kind for step in shown.steps]
    buttons[kinds.index(StepKind.RETRY)].click()
    assert orders[-1].arguments == ("sync", "--account", troubled.ACCOUNT, "--retry")
    asked: list[str] = []
    page.activity_wanted.connect(asked.append)
    buttons[kinds.index(StepKind.LOOK)].click()
    buttons[kinds.index(StepKind.ASK)].click()
    assert asked == [activity_sections.UNREADABLE, activity_sections.NOT_OFFERED]


@pytest.mark.parametrize("kind", list(StepKind))
def test_no_step_is_dead(page: OverviewPage, services: Services, orders: list[JobRequest], kind: StepKind) -> None:
    told: list[object] = []
    for signal in (page.account_wanted, page.demo_wanted, page.findings_wanted, page.backups_wanted):
        signal.connect(lambda: told.append("asked"))
    page.activity_wanted.connect(told.append)
    page.documents_wanted.connect(told.append)
    if kind is StepKind.TOKEN:
        page.place_wanted.connect(told.append)
    actions: Actions = page._actions
    for act in (Action.IMPORT_FILES, Action.EXPORT):
        actions[act].triggered.connect(lambda _=False, act=act: told.append(act))
    step = NextStep(kind, message("Do it."), 1, "shop", None, "2026-09")
    page.steps.put([step], ())
    link(page.steps, "").click()
    assert len(told) + len(orders) == 1
    if kind is StepKind.EXPORT:
        assert services.scope.month == "2026-09"
    if kind is StepKind.BACKUP:
        assert orders[0].kind is JobKind.BACKUP


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_only_what_is_of_others_leaves_the_company_and_month(page: OverviewPage, is_elsewhere: bool) -> None:
    asked: list[DocumentsRequest] = []
    page.documents_wanted.connect(asked.append)
    page.steps.put([NextStep(StepKind.NOT_AUTHENTIC, message("Look."), 1, is_elsewhere=is_elsewhere)], ())
    link(page.steps, "").click()
    assert [(request.verdicts, request.everywhere) for request in asked] == [(("failed",), is_elsewhere)]


def test_where_nothing_is_to_do_it_says_so(page: OverviewPage) -> None:
    shown = page.shown
    assert shown is not None
    page.steps.put([], shown.accounts)
    assert "Nothing: all is well." in texts(page.steps)
    page.steps.put([], [replace(account, syncing=True) for account in shown.accounts])
    assert "Nothing: all is well." not in texts(page.steps)
    page.freshness.put(replace(shown, accounts=tuple(replace(account, syncing=True) for account in shown.accounts)))
    assert not [text for text in texts(page.freshness) if text.startswith("Everything")]


def test_the_beginning_teaches_three_ways(qtbot: QtBot, made_empty: Made) -> None:
    page = page_of(qtbot, made_empty, None)
    assert page.shown is not None and page.shown.empty
    assert page.empty.isVisible()
    assert not page.chart.isVisible()
    told: list[str] = []
    page.account_wanted.connect(lambda: told.append("account"))
    page.demo_wanted.connect(lambda: told.append("demo"))
    page._actions[Action.IMPORT_FILES].triggered.connect(lambda: told.append("files"))
    for button in (page.empty.connect_button, page.empty.demo_button, page.empty.files_button):
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
    assert told == ["account", "demo", "files"]


@pytest.mark.parametrize("width", [520, 1116, 1756])
def test_nothing_is_cut_off_at_any_width(qtbot: QtBot, made_troubled: Made, width: int) -> None:
    page = page_of(qtbot, made_troubled)
    page.resize(width, 700)

    def is_whole(card: QWidget) -> bool:
        fits = card.width() >= card.minimumSizeHint().width()
        return card.isVisible() and fits and card.mapTo(page, card.rect().topRight()).x() <= width

    cards = (page.steps, page.freshness, page.amounts, page._chart_card)
    qtbot.waitUntil(lambda: all(is_whole(card) for card in cards))
    beside = page.steps.mapTo(page, page.steps.rect().topLeft()).x() > page.amounts.width()
    assert beside == (width >= 900)


def test_it_asks_again_only_while_it_is_seen_and_not_all_the_time(
    qtbot: QtBot, page: OverviewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    ask = page._services.reader.ask
    monkeypatch.setattr(
        type(page._services.reader), "ask", lambda _, *question: (asked.append(question), ask(*question))
    )
    for _ in range(20):
        page.archive_changed()
    assert asked == []  # it was asked a moment ago
    qtbot.waitUntil(lambda: len(asked) == 1)
    page.hide()
    page.archive_changed()
    qtbot.waitUntil(lambda: not page._again.isActive())
    assert len(asked) == 1
    page.show()
    page.arrive()
    assert len(asked) == 2


def test_who_is_on_a_link_stays_there_when_figures_change(qtbot: QtBot, made: Made) -> None:
    page = page_of(qtbot, made)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    buttons = buttons_of(page.amounts)
    buttons[2].setFocus()
    made.services.scope.choose(None, "2026-09")
    qtbot.waitUntil(lambda: page.shown is not None and page.shown.month == "2026-09")
    focused = page.focusWidget()
    assert isinstance(focused, QPushButton)
    assert page.amounts.isAncestorOf(focused)
    assert focused is not buttons[2]


def test_every_control_has_a_name_and_is_reached_by_tab(qtbot: QtBot, made_troubled: Made) -> None:
    page = page_of(qtbot, made_troubled)
    for button in page.findChildren(QAbstractButton):
        if button.isVisibleTo(page):
            assert button.accessibleName() or button.text()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert page.chart.accessibleName()
    assert page.chart.focusPolicy() & Qt.FocusPolicy.TabFocus
