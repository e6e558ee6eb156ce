"""Opens the window on a data folder, and walks through its places, lists and menus with a camera."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from confere.app.context import Workspace
from confere.app.overview import activity, clients
from confere.desktop.core import activity_sections
from confere.desktop.core.actions import PLACES, TABS, Action
from confere.desktop.core.application import make_application
from confere.desktop.details.summary_page import SummaryPage
from confere.desktop.documents.filters import DocumentFilters
from confere.desktop.shell.window import MainWindow
from confere.desktop.window_session import Session
from confere.system.messages import set_language, t
from confere.system.settings import APPEARANCE
from tests import fifteen_clients
from tests.desktop.troubled import trouble
from tests.pictures import catalog, closing, dialogs, orders, reconcile
from tests.pictures.camera import Camera
from tests.pictures.chosen import chosen

_WHOLE = QTextDocument.FindFlag.FindWholeWords | QTextDocument.FindFlag.FindCaseSensitively
_VIEWS = (
    activity_sections.RUNS,
    activity_sections.FAILED,
    activity_sections.NOT_OFFERED,
    activity_sections.UNREADABLE,
    activity_sections.NOT_BELIEVED,
    activity_sections.TRAIL,
)
_SECTIONS = ("accounts", "archive", "schedule", "terms", "names", "look")


class Studio:
    """`take` walks through all of it."""

    def __init__(self, camera: Camera, language: str, appearances: Sequence[str]) -> None:
        self._camera = camera
        self._language = language
        self._appearances = appearances
        self._application = make_application()

    def take(self, empty: Path, full: Path, troubled: Path, sizes: Sequence[tuple[int, int]]) -> None:
        """Light and dark; menus and dialogs in the first size only."""
        Workspace.at(empty).home.ensure()
        trouble(troubled)
        orders.prepare(full)
        catalog.prepare(full)
        for appearance in self._appearances:
            for width, height in sizes:
                label = f"{appearance}-{width}x{height}"
                is_first = (width, height) == sizes[0]
                with self._window(empty, appearance, (width, height)) as window:
                    self._places(window, f"empty-{label}")
                    if is_first:
                        dialogs.take(self._camera, window, f"empty-{label}", full=False)
                with self._window(full, appearance, (width, height)) as window:
                    self._places(window, f"full-{label}")
                    self._details(window, label)
                    self._search(window, label)
                    orders.take(self._camera, window, label, dialogs=is_first)
                    catalog.take(self._camera, window, label, dialogs=is_first)
                    self._wide(window, label)
                    closing.take(self._camera, window, label)
                    reconcile.take(self._camera, window, empty.parent, label, dialogs=is_first)
                    if is_first:
                        self._menus(window, label)
                        self._chosen(window, label)
                        closing.take_dialogs(self._camera, window, label)
                        dialogs.take(self._camera, window, f"full-{label}", full=True)
                if is_first:
                    with self._window(troubled, appearance, (width, height)) as window:
                        self._troubles(window, label)
                        closing.take_closed(self._camera, window, label)

    def take_clients(self, office: Path, sizes: Sequence[tuple[int, int]]) -> None:
        """The places that speak of all clients at once."""
        with patch.object(clients, "clock", lambda: fifteen_clients.NOW):
            for appearance in self._appearances:
                for width, height in sizes:
                    with self._window(office, appearance, (width, height)) as window:
                        window.services.scope.choose(None, fifteen_clients.MONTH)
                        for place in (Action.OVERVIEW, Action.CLOSING):
                            window.go_to(place)
                            self._keep(window, f"{place.name.lower()}-clients-{appearance}-{width}x{height}")

    @contextmanager
    def _window(self, home: Path, appearance: str, size: tuple[int, int]) -> Iterator[MainWindow]:
        set_language(self._language)
        workspace = Workspace.at(home)
        (home / "window.ini").unlink(missing_ok=True)
        workspace.settings.set(APPEARANCE, appearance)
        session = Session(self._application, workspace)
        session.window.resize(*size)
        session.show()
        self._camera.begin()
        self._camera.settle(session.services)
        yield session.window
        session.close()

    def _keep(self, window: MainWindow, name: str) -> None:
        self._camera.keep(window, name, window.services)

    def _places(self, window: MainWindow, label: str) -> None:
        for place in PLACES:
            window.go_to(place)
            self._keep(window, f"{place.name.lower()}-{label}")
        for section in _SECTIONS[1:]:
            window.settings.show_section(section)
            self._keep(window, f"settings-{section}-{label}")
        window.settings.show_section(_SECTIONS[0])

    def _details(self, window: MainWindow, label: str) -> None:
        """A sale with two events, a return in a full chain, a freight of three notes, a cancelled note: every tab."""
        window.go_to(Action.DOCUMENTS)
        for title, number in chosen(window.services.opened).items():
            window.documents.select_document(number)
            window.details.show_document(number)
            self._camera.settle(window.services)
            self._tabs(window, title, label)

    def _wide(self, window: MainWindow, label: str) -> None:
        """A document over the whole window, its PDF at the left."""
        name = f"details-wide-{label}"
        if not self._camera.wants(name):
            return
        details = window.details
        window.go_to(Action.DOCUMENTS)
        details.show_document(next(iter(chosen(window.services.opened).values())))
        window.spread_document(True)
        self._camera.settle(window.services, name, lambda: details.pdf.maker.busy)
        self._keep(window, name)
        window.spread_document(False)

    def _unreadable(self, window: MainWindow, label: str) -> None:
        window.go_to(Action.DOCUMENTS)
        (file, *_) = activity.unreadable(window.services.opened)
        window.details.show_key(file.sha256)
        self._camera.settle(window.services)
        self._tabs(window, "unreadable", label)

    def _tabs(self, window: MainWindow, title: str, label: str) -> None:
        details = window.details
        for tab in TABS.values():
            name = f"details-{title}-{tab}-{label}"
            if not self._camera.wants(name):
                continue
            details.show_tab(tab)
            if tab == "pdf":
                self._camera.settle(window.services, name, lambda: details.pdf.maker.busy)
            self._keep(window, name)
        details.show_tab(TABS[Action.SUMMARY])
        name = f"details-{title}-verdict-{label}"
        if self._camera.wants(name):
            self._camera.settle(window.services, name)
            if _to_verdict(details.summary):
                self._keep(window, name)
            details.summary.verticalScrollBar().setValue(0)

    def _search(self, window: MainWindow, label: str) -> None:
        for name, text in (("found", "valor>1000 tipo:nfe"), ("wrong", "valr>1000"), ("nothing", "zzzzqq")):
            window.top.search.put(text)
            self._keep(window, f"search-{name}-{label}")
        window.top.search.put("")
        self._camera.settle(window.services)

    def _menus(self, window: MainWindow, label: str) -> None:
        """Every menu that opens from a button, over the window."""
        window.go_to(Action.DOCUMENTS)
        chips = window.documents.chips.buttons
        named = {button.accessibleName(): button for button in window.documents.findChildren(QToolButton)}
        buttons = {
            "chip-type": chips[0],
            "chip-state": chips[2],
            "columns": named[t("Columns")],
            "company": window.top.scope.company,
            "month": window.top.scope.month,
            "sync": window.top.sync,
            "window": window.top.menu,
        }
        for name, button in buttons.items():
            if self._camera.wants(f"menu-{name}-{label}"):
                menu = button.menu()
                self._with_menu(window, menu, f"menu-{name}-{label}", button, QPoint(0, button.height() + 2))
        window.documents.table.stand_on_first()
        menu = window.documents.context_menu()
        assert menu is not None
        self._with_menu(window, menu, f"menu-rows-{label}", window.documents.table, QPoint(200, 120))

    def _with_menu(self, window: MainWindow, menu: QMenu, name: str, beside: QWidget, place: QPoint) -> None:
        menu.popup(beside.mapToGlobal(place))
        self._camera.keep(window, name, window.services, menu, beside.mapTo(window, place))
        menu.close()

    def _chosen(self, window: MainWindow, label: str) -> None:
        """Filters chosen; and several rows selected, with their sum below."""
        window.go_to(Action.DOCUMENTS)
        page = window.documents
        page.set_filters(DocumentFilters(types=("nfe", "cte"), states=("authorized",), ufs=("SP",)))
        self._keep(window, f"filtered-{label}")
        page.set_filters(DocumentFilters())
        self._camera.settle(window.services)
        for place in (3, 4, 5, 8):
            index = page.model.index(place, 0)
            flags = page.table.selectionModel().SelectionFlag
            page.table.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)
        self._keep(window, f"selected-{label}")

    def _troubles(self, window: MainWindow, label: str) -> None:
        """What a person has to look at: overview, lists of what went wrong, and an account that is not the sandbox."""
        self._keep(window, f"overview-troubled-{label}")
        window.go_to(Action.ACTIVITY)
        for view in _VIEWS:
            window.activity.show_view(view)
            self._keep(window, f"activity-{view}-{label}")
        window.go_to(Action.SETTINGS)
        self._keep(window, f"settings-troubled-{label}")
        dialogs.take_token(self._camera, window, label)
        self._unreadable(window, label)


def _to_verdict(summary: SummaryPage) -> bool:
    """Scroll to where the verdict is told line by line; whether that is another place."""
    title = summary.document().find(t("Authenticity"), 0, _WHOLE)
    page = summary.verticalScrollBar()
    before = page.value()
    page.setValue(before + (0 if title.isNull() else summary.cursorRect(title).top()))
    return page.value() != before
