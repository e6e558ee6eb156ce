"""What the tests of the page Catalog share: a page on the screen, its rows, its filters, and waiting until it rests."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from confere.app.catalog.browse_catalog import ListedProduct
from confere.desktop.catalog.filters import ProductFilters
from confere.desktop.catalog.page import ProductsPage
from confere.desktop.core.actions import make as make_actions
from tests.desktop.conftest import Made
from tests.desktop.patient import LONG
from tests.desktop.reaching import settle as answered


def page_of(qtbot: QtBot, made: Made) -> ProductsPage:
    """A page whose actions belong to a window without anything else."""
    shown = ProductsPage(made.services, make_actions(made.owner, made.services.look))
    qtbot.addWidget(shown)
    shown.resize(1116, 690)
    shown.show()
    shown.activateWindow()
    shown.arrive()
    settle(qtbot, shown)
    return shown


def listed(page: ProductsPage) -> tuple[ListedProduct, ...]:
    """Every row of the list, as it is painted."""
    lines = [page.model.line(place) for place in range(len(page.model.ids))]
    return tuple(line.row for line in lines if line is not None)


def settle(qtbot: QtBot, page: ProductsPage) -> None:
    """Until every answer is here and what is below follows the list."""
    answered(qtbot, page._services)
    while page.table.is_following or not page.model.is_settled:
        qtbot.waitUntil(lambda: not page.table.is_following and page.model.is_settled)
        answered(qtbot, page._services)


def choose(qtbot: QtBot, page: ProductsPage, filters: ProductFilters) -> None:
    page.filters.show_filters(filters)
    page.filters.changed.emit(filters)
    settle(qtbot, page)


def look_again(qtbot: QtBot, page: ProductsPage) -> None:
    """What the window does when the archive was written to."""
    qtbot.waitUntil(lambda: not page.model._pause.isActive(), timeout=LONG)
    page.archive_changed()
    settle(qtbot, page)
