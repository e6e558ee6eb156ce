"""Natural persons on the page Reconcile: named or not as the setting says, from the moment it is changed."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.reconciliation import queries
from confere.desktop.core.actions import Action
from confere.desktop.reconcile.comparison import comparison_pages
from confere.desktop.reconcile.group_list import What
from confere.desktop.theme.palettes import LIGHT
from confere.system.settings import HIDE_PEOPLE
from tests.app.business import ACCOUNT, order_json, record_orders
from tests.desktop.conftest import Made
from tests.desktop.reaching import settle
from tests.desktop.rooms import Open
from tests.desktop.small_business import _bare as _bare
from tests.desktop.small_business import bare_home as bare_home
from tests.desktop.small_business import business_home as business_home
from tests.desktop.small_business import made_business as made_business
from tests.desktop.small_business import owner_of

NAME, CPF = "Ana Prado", "52998224725"


def sold_to_a_person(folder: Path) -> None:
    with Workspace.at(folder).writing("test") as archive:
        record_orders(archive, owner_of(archive), order_json("o1", buyer={"name": NAME, "document": CPF}))


def test_the_comparison_names_no_buyer_where_people_are_hidden(made_business: Made, business_home: Path) -> None:
    sold_to_a_person(business_home)
    side = queries.side_by_side_of(made_business.services.opened, ACCOUNT, order_id="o1")
    whole, hidden = (comparison_pages.comparison(side, LIGHT, hides) for hides in (False, True))
    assert (whole.count(NAME), whole.count("529.982.247-25")) == (2, 1)
    assert NAME not in hidden
    assert "529.982.247-25" not in hidden
    assert "***.982.247-**" in hidden
    assert hidden.count("A. P.") == 2


def test_a_page_that_stands_hides_people_at_once(qtbot: QtBot, open_window: Open, business_home: Path) -> None:
    sold_to_a_person(business_home)
    window = open_window(business_home).window
    services, page = window.services, window.reconcile
    services.scope.choose(None, None)
    window.go_to(Action.RECONCILE)
    settle(qtbot, services)
    page.groups.go_to(What.ORDERS)
    settle(qtbot, services)

    def shown() -> str:
        table = page.orders.table
        return table.rows_model.as_text(range(len(page.orders.rows)), range(table.rows_model.columnCount()))

    assert NAME in shown()
    window.go_to(Action.SETTINGS)
    services.workspace.settings.set(HIDE_PEOPLE, True)
    window.settings.hiding_changed.emit()
    window.go_to(Action.RECONCILE)
    settle(qtbot, services)
    assert NAME not in shown()
    assert "A. P." in shown()
    page.groups.go_to(What.ALL)
    settle(qtbot, services)
    assert NAME not in page.beside.compared.toPlainText()
