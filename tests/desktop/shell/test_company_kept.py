"""The company and month in use stay in use on every way from the overview, and each page is narrowed to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from pytestqt.qtbot import QtBot

from confere.app.overview.overview import NextStep, StepKind
from confere.desktop.core.actions import Action
from confere.errors import message
from tests.desktop.conftest import Made
from tests.desktop.orders.page_tools import listed, settle
from tests.desktop.rooms import Open, Room

MONTH = "2026-10"


@pytest.fixture
def room(qtbot: QtBot, open_window: Open, made: Made) -> Iterator[Room]:
    """A window on the demo's archive, whose account has two companies; one is in use, with October."""
    room = open_window(made.services.workspace.home.root)
    room.session.services.scope.choose(companies(room)[1], MONTH)
    qtbot.waitUntil(lambda: room.window.overview.shown is not None)
    yield room


def companies(room: Room) -> list[str]:
    with closing(sqlite3.connect(room.session.services.workspace.home.archive)) as database:
        return [row[0] for row in database.execute("SELECT tax_id FROM establishment ORDER BY id")]


@pytest.mark.parametrize("kind", [StepKind.FINDINGS, StepKind.NOT_AUTHENTIC, StepKind.LOOK, StepKind.ASK])
def test_a_step_keeps_the_company_and_month(qtbot: QtBot, room: Room, kind: StepKind) -> None:
    window, scope = room.window, room.session.services.scope
    in_use = (scope.company, scope.month)
    window.overview._take(NextStep(kind, message("Look."), 1))
    assert window.place is not Action.OVERVIEW
    if kind is StepKind.FINDINGS:
        qtbot.waitUntil(lambda: window.reconcile.standing.account is not None)
        assert window.reconcile.query.wanted.company == scope.company
    assert (scope.company, scope.month) == in_use


def test_the_orders_are_those_of_the_company_in_use(qtbot: QtBot, room: Room) -> None:
    window, scope = room.window, room.session.services.scope
    window.go_to(Action.ORDERS)
    found: dict[str | None, set[str]] = {}
    for company in (None, *companies(room)):
        scope.choose(company, None)
        settle(qtbot, window.orders)
        found[company] = {row.row.hub_id for row in listed(window.orders)}
    first, second = (found[company] for company in companies(room))
    assert first and second and first != second
    assert first | second == found[None]
    assert len(first & second) < len(found[None]) / 2, "only what no invoice tells of"
