"""The card of reconciliation on the overview: what it counts, where it leads, what it says before and after a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.overview.overview import StepKind
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState
from confere.desktop.core import actions as commands
from confere.desktop.core.actions import Action
from confere.desktop.jobs.job import JobRequest
from confere.desktop.jobs.job_requests import reconcile_order
from confere.desktop.overview.findings_card import FindingsCard
from confere.desktop.overview.page import OverviewPage
from confere.desktop.reconcile.group_list import What
from confere.desktop.widgets.elided_buttons import ElidedLink
from tests.app.business import ACCOUNT
from tests.app.made import account
from tests.desktop import small_business
from tests.desktop.conftest import Made
from tests.desktop.reaching import settle
from tests.desktop.rooms import Open
from tests.desktop.small_business import _bare as _bare
from tests.desktop.small_business import bare_home as bare_home
from tests.desktop.small_business import business_home as business_home
from tests.desktop.small_business import made_business as made_business


def page_of(qtbot: QtBot, made: Made) -> OverviewPage:
    page = OverviewPage(made.services, commands.make(made.owner, made.services.look))
    qtbot.addWidget(page)
    page.resize(1116, 690)
    page.show()
    page.arrive()
    qtbot.waitUntil(lambda: page.shown is not None)
    return page


def links(card: FindingsCard) -> list[ElidedLink]:
    return [link for link in card.findChildren(ElidedLink) if not link.property("gone")]


def said(card: FindingsCard) -> list[str]:
    return [found.text() for found in card.findChildren(QLabel) if not found.property("gone") and found.text()]


def run_button(card: FindingsCard) -> QPushButton | None:
    buttons = [found for found in card.findChildren(QPushButton) if not found.property("gone")]
    return next((button for button in buttons if button.text() == "Reconcile now"), None)


def test_rules_are_told_with_count_and_amount_the_gravest_first(qtbot: QtBot, made_business: Made) -> None:
    page = page_of(qtbot, made_business)
    card = page.findings
    assert [link.text() for link in links(card)] == [
        "Value divergence",
        "Order without invoice",
        "Invoice without order",
        "Broken reference",
        "Cut-off",
    ]
    assert said(card) == [
        *("What does not agree", "5 open · R$ 932,00 at stake"),
        *("1", "R$ 12,00", "1", "R$ 10,00", "1", "R$ 10,00", "1", "—", "1", "R$ 900,00"),
        said(card)[-1],
    ]
    assert said(card)[-1].startswith("Last run: ")
    assert said(card)[-1].endswith(", every month.")
    assert run_button(card) is None
    assert links(card)[0].accessibleName() == "R3 Value divergence: 1 open, R$ 12,00, severity high"
    assert "R3" in links(card)[0].toolTip()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_keyboard_follows_a_rule(qtbot: QtBot, made_business: Made, key: Qt.Key) -> None:
    page = page_of(qtbot, made_business)
    asked: list[tuple[str, str]] = []
    page.rule_wanted.connect(lambda *wanted: asked.append(wanted))
    link = links(page.findings)[1]
    link.setFocus()
    QTest.keyClick(link, key)
    (rest,) = [button for button in page.findings.findChildren(QPushButton) if button.text() == "1 not checked"]
    QTest.keyClick(rest, key)
    assert asked == [(ACCOUNT, "R1"), (ACCOUNT, "")]


def test_a_title_gives_way_where_there_is_no_room(qtbot: QtBot, made_business: Made) -> None:
    page = page_of(qtbot, made_business)
    link = links(page.findings)[0]
    assert link.shown_text == link.text()
    link.resize(link.minimumSizeHint())
    assert link.shown_text.endswith("…")


def test_before_the_first_run_there_is_a_button_that_begins_it(
    qtbot: QtBot, qapp: QApplication, bare_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[JobRequest] = []
    monkeypatch.setattr("confere.desktop.jobs.jobs.Jobs.start", lambda _, order: orders.append(order))
    made = Made(qapp, bare_home)
    made.services.scope.choose(None, "2026-10")
    page = page_of(qtbot, made)
    card = page.findings
    assert said(card)[1].startswith("Nothing was reconciled yet")
    assert not links(card)
    button = run_button(card)
    assert button is not None
    button.click()
    assert [order.arguments for order in orders] == [reconcile_order([ACCOUNT], "2026-10").arguments]
    made.services.jobs._waiting.append(orders[0])
    made.services.jobs.changed.emit()
    assert not button.isEnabled()
    made.services.jobs._waiting.clear()
    made.services.jobs.changed.emit()
    assert button.isEnabled()
    made.close()


def test_where_nothing_disagrees_it_says_so(qtbot: QtBot, qapp: QApplication, bare_home: Path) -> None:
    small_business.reconciled(bare_home, found=())
    made = Made(qapp, bare_home)
    page = page_of(qtbot, made)
    card = page.findings
    assert "Nothing disagrees." in said(card)
    assert run_button(card) is None
    made.close()


def test_what_came_after_the_run_is_said(qtbot: QtBot, made_business: Made, business_home: Path) -> None:
    page = page_of(qtbot, made_business)
    small_business.came(business_home)
    page.archive_changed()
    qtbot.waitUntil(lambda: "Documents or orders came after it." in said(page.findings))
    assert len(links(page.findings)) == 5, "what was found stays to be seen"
    assert run_button(page.findings) is not None


def test_without_an_account_there_is_no_card(qtbot: QtBot, made_business: Made) -> None:
    page = page_of(qtbot, made_business)
    assert page.findings.isVisible()
    page.findings.put((), None)
    assert not page.findings.isVisible()


def test_the_step_leads_to_the_account_that_has_the_grave_findings(
    qtbot: QtBot, open_window: Open, business_home: Path
) -> None:
    with Workspace.at(business_home).writing("test") as archive:
        account(archive, "a first", "production", "11222333000262")  # with nothing to look at
    window = open_window(business_home).window
    window.services.scope.choose(None, None)
    window.go_to(Action.OVERVIEW)
    window.overview.show_together()
    settle(qtbot, window.services)
    shown = window.overview.shown
    assert shown is not None
    (step,) = [step for step in shown.steps if step.kind is StepKind.FINDINGS]
    window.overview.steps.taken.emit(step)
    settle(qtbot, window.services)
    assert window.reconcile.account == ACCOUNT
    assert len(window.reconcile.findings.rows) == step.count


def test_a_rule_leads_to_its_findings(qtbot: QtBot, open_window: Open, business_home: Path) -> None:
    room = open_window(business_home)
    window = room.window
    window.services.scope.choose(None, None)
    window.go_to(Action.OVERVIEW)
    settle(qtbot, window.services)
    links(window.overview.findings)[1].click()
    assert window.place is Action.RECONCILE
    settle(qtbot, window.services)
    page = window.reconcile
    assert page.groups.current is not None
    assert (page.groups.current.what, page.groups.current.rule) == (What.RULE, "R1")
    opened = window.services.opened
    waiting = queries.findings(
        opened,
        FindingQuery(ACCOUNT, FindingFilter(rules=("R1",), states=(FindingState.OPEN, FindingState.NOT_CHECKED))),
    )
    assert page.findings.rows == waiting
    assert page.groups.current.count == 1, "as the card had it"
