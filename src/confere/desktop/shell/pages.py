"""The pages of the window, each made when it is first gone to: a start waits for none but the one it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from confere.desktop.core.actions import Action, Actions
from confere.desktop.services import Services

_STILL: Final = (Action.DOCUMENTS,)  # the list and its details are the window's own


class LivePage(Protocol):
    """A page that shows what is in the archive."""

    def arrive(self) -> None: ...

    def archive_changed(self) -> None: ...


class Pages(QStackedWidget):
    """`made` comes with every page when it is made, before it is shown."""

    made = Signal(object, object)  # the Act, the page

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._actions = services, actions
        self._pages: dict[Action, QWidget] = {}
        self._makers: dict[Action, Callable[[], QWidget]] = {
            Action.OVERVIEW: self._overview,
            Action.ORDERS: self._orders,
            Action.CATALOG: self._catalog,
            Action.RECONCILE: self._reconcile,
            Action.CLOSING: self._closing,
            Action.ACTIVITY: self._activity,
            Action.SETTINGS: self._settings,
        }

    def put(self, place: Action, page: QWidget) -> None:
        """A page that is there from the beginning."""
        self._pages[place] = page
        self.addWidget(page)

    def page(self, place: Action) -> QWidget:
        """The page of this place, made where it is not there yet."""
        if place not in self._pages:
            self.put(place, self._makers[place]())
            self.made.emit(place, self._pages[place])
        return self._pages[place]

    def known(self, place: Action) -> QWidget | None:
        """The page of this place, if it was ever made."""
        return self._pages.get(place)

    def live(self, place: Action) -> LivePage | None:
        """The page of this place, where it is one that follows the archive by itself."""
        return None if place in _STILL else cast("LivePage", self.page(place))

    @property
    def current(self) -> Action:
        """The place that is shown."""
        shown = self.currentWidget()
        return next(place for place, page in self._pages.items() if page is shown)

    # The modules of a page are loaded with it: together they cost more time than an empty window.

    def _overview(self) -> QWidget:
        from confere.desktop.overview.page import OverviewPage

        return OverviewPage(self._services, self._actions)

    def _activity(self) -> QWidget:
        from confere.desktop.activity.page import ActivityPage

        return ActivityPage(self._services, self._actions)

    def _settings(self) -> QWidget:
        from confere.desktop.settings.page import SettingsPage

        return SettingsPage(self._services, self._actions)

    def _reconcile(self) -> QWidget:
        from confere.desktop.reconcile.page import ReconcilePage

        return ReconcilePage(self._services, self._actions)

    def _orders(self) -> QWidget:
        from confere.desktop.orders.page import SalesOrdersPage

        return SalesOrdersPage(self._services, self._actions)

    def _catalog(self) -> QWidget:
        from confere.desktop.catalog.page import ProductsPage

        return ProductsPage(self._services, self._actions)

    def _closing(self) -> QWidget:
        from confere.desktop.closing.page import ClosingPage

        return ClosingPage(self._services, self._actions)
