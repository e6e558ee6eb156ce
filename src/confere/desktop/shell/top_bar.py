"""The top bar: company, month, search, export, sync and the window's menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from confere.desktop.core.actions import MENU, Action, Actions
from confere.desktop.core.reader_topics import When
from confere.desktop.jobs.job_requests import sync_order
from confere.desktop.services import Services
from confere.desktop.shell.scope_bar import ScopeBar
from confere.desktop.shell.search.search_box import SearchBox
from confere.desktop.shell.search.search_suggester import SearchSuggester
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.menus import menu_of
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.accounts.accounts import Account

_TOPIC = "top bar: accounts"


class TopBar(QFrame):
    """`scope` and `search` are its parts; the sync button's menu names every account."""

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self._services = services
        self._accounts: tuple[Account, ...] = ()
        self.scope = ScopeBar(services, actions)
        self.search = SearchBox(services.look)
        self.suggester = SearchSuggester(self.search, services)
        self.sync = QToolButton()
        actions[Action.SYNC].setIconText(t("Sync"))  # what its button says, whatever happens to it
        self.sync.setDefaultAction(actions[Action.SYNC])
        self.sync.setProperty("look", "button")
        self.sync.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.sync.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.sync.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.export = QToolButton()
        self.export.setDefaultAction(actions[Action.EXPORT])
        self.export.setProperty("look", "button")
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)  # a small window has no room for words
        self.export.setToolTip(as_tip(t("Export the month…")))
        self.export.setAccessibleName(t("Export the month…"))
        self.export.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.star = QToolButton()  # saves what is searched for
        self.star.setDefaultAction(actions[Action.SAVE_SEARCH])
        self.star.setProperty("look", "quiet")
        self.star.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.star.setAccessibleName(actions[Action.SAVE_SEARCH].text())
        self.star.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._actions = actions
        menu = menu_of(self.sync)
        menu.aboutToShow.connect(self._fill_sync_menu)
        self.sync.setMenu(menu)
        self.menu = QToolButton()
        self.menu.setProperty("look", "button")
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.menu.setToolTip(t("Menu (Alt+M)"))
        self.menu.setAccessibleName(t("Menu"))
        self.menu.setShortcut("Alt+M")
        self.menu.setMenu(_window_menu(actions, self.menu))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP - 4, GAP, WIDE_GAP - 4, GAP)
        layout.setSpacing(GAP - 1)
        layout.addWidget(self.scope)
        layout.addWidget(self.search, 1)
        layout.addWidget(self.star)
        layout.addStretch()
        layout.addWidget(self.export)
        layout.addWidget(self.sync)
        layout.addWidget(self.menu)
        services.look.changed.connect(self._paint)
        self._paint()

    def refresh(self) -> None:
        """Ask the archive for companies, months and accounts."""
        self.scope.refresh()
        workspace = self._services.workspace

        def every() -> tuple[Account, ...]:
            from confere.app.accounts import accounts  # for a menu that nobody has opened yet

            return tuple(accounts.every(workspace))

        self._services.reader.ask(_TOPIC, every, self._have_accounts, when=When.LATER)

    def _have_accounts(self, found: tuple[Account, ...]) -> None:
        self._accounts = found

    def _fill_sync_menu(self) -> None:
        menu = self.sync.menu()
        menu.clear()
        menu.addAction(self._actions[Action.SYNC])
        for account in self._accounts:
            name = account.name
            action = menu.addAction(t("Only {account}", account=name.replace("&", "&&")))
            action.triggered.connect(lambda _=False, name=name: self._services.jobs.start(sync_order((name,))))
        menu.addSeparator()
        full = menu.addAction(t("List everything again"))
        full.triggered.connect(lambda: self._services.jobs.start(sync_order(self._names(), full=True)))
        menu.addAction(self._actions[Action.RETRY])
        menu.addAction(self._actions[Action.STOP])

    def _names(self) -> tuple[str, ...]:
        return tuple(account.name for account in self._accounts)

    def _paint(self) -> None:
        self.menu.setIcon(self._services.look.icon("more"))


def _window_menu(actions: Actions, button: QToolButton) -> QMenu:
    menu = menu_of(button)
    for act in MENU:
        if act is None:
            menu.addSeparator()
        else:
            menu.addAction(actions[act])
    return menu
