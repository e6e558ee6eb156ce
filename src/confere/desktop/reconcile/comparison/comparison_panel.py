"""The panel below the list: a finding with its orders left and its documents right, the reasons, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSplitter,
    QStackedLayout,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingRow, LinkLine, SideBySide
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.comparison import comparison_pages
from confere.desktop.reconcile.decisions.decision_commands import BAR, MENU, MORE, Command, Commands
from confere.desktop.reconcile.findings_table import state_of
from confere.desktop.reconcile.reconciliation_text import paper_name, state_pill
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.menus import menu_of
from confere.desktop.widgets.pill import Pill
from confere.desktop.widgets.plain_text import RichTextPage, as_page, as_tip
from confere.desktop.widgets.table import Table
from confere.errors import ArchiveMissing, NotInArchive
from confere.system.messages import render, t
from confere.system.settings import HIDE_PEOPLE

_SPLITTER = "reconcile/beside"
_SIZES = (600, 340)
_ROOM_FOR_WORDS = 760  # pixels of the panel, from which the buttons have their words


class ComparisonPanel(QWidget):
    """`paper_wanted` carries an access key, `order_wanted` the hub's id; `link_act` a command with the link it is for.

    `stock_wanted` names the item of a finding about goods at the marketplace.
    """

    paper_wanted = Signal(str)
    order_wanted = Signal(str)
    stock_wanted = Signal(str)
    link_act = Signal(object, object)
    shown = Signal()

    def __init__(
        self,
        services: Services,
        reader: TopicReader,
        commands: Commands,
        chips: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        """`chips` stands below the bar of commands."""
        super().__init__(parent)
        self._chips = chips
        self._services, self._reader, self._commands = services, reader, commands
        self.side: SideBySide | None = None
        self._finding: FindingRow | None = None
        self.title = Elided()
        self.pill = Pill(services.look)
        self.compared = _browser(t("Order and documents side by side"))
        self.reasons = _browser(t("Reasons and decisions"))
        self.compared.anchorClicked.connect(self._follow)
        self.reasons.anchorClicked.connect(self._follow)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.compared)
        self.splitter.addWidget(self.reasons)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 1)
        if not services.memory.restore_splitter(_SPLITTER, self.splitter):
            self.splitter.setSizes(list(_SIZES))
        self.splitter.splitterMoved.connect(lambda *_: services.memory.keep_splitter(_SPLITTER, self.splitter))
        self._lay_out()
        services.look.changed.connect(self._draw)
        services.look.changed.connect(self._paint)
        self._paint()

    def show_finding(self, finding: FindingRow | None) -> None:
        """Both sides of this one; None shows nothing."""
        if finding is None:
            self._reader.forget("beside")
            self._put(None)
            return
        opened, number = self._services.opened, finding.id
        self._reader.ask("beside", lambda: queries.side_by_side(opened, number), self._put, self._failed)

    def show_order(self, account: str, order_id: str) -> None:
        """An order by itself, with what is linked to it."""
        opened = self._services.opened
        self._reader.ask(
            "beside", lambda: queries.side_by_side_of(opened, account, order_id=order_id), self._put, self._failed
        )

    def take_keyboard(self) -> None:
        self.compared.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def pairs(self) -> tuple[LinkLine, ...]:
        """The links of what is shown."""
        return self.side.links if self.side is not None else ()

    def choose_link(self, which: Command) -> None:
        """Do this with a link; of several, one is chosen from a menu."""
        links = self.pairs()
        if len(links) == 1:
            self.link_act.emit(which, links)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for entry in links:
            menu.addAction(_pair(entry), partial(self.link_act.emit, which, (entry,)))
        menu.addSeparator()
        menu.addAction(t("All of them"), partial(self.link_act.emit, which, links))
        menu.popup(self.mapToGlobal(self._bar.geometry().bottomLeft()))
        menu.setActiveAction(menu.actions()[0])

    def _lay_out(self) -> None:
        self._bar = QWidget()
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(GAP + 4, 4, GAP, 4)
        bar.setSpacing(GAP)
        bar.addWidget(self.title, 1)
        bar.addWidget(self.pill)
        self._buttons = [_button(self._commands[which], which) for which in BAR]
        for button in self._buttons:
            bar.addWidget(button)
        self.more = QToolButton()
        self.more.setProperty("look", "quiet")
        self.more.setText(t("More"))
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setToolTip(t("More to do with it"))
        self.more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = menu_of(self.more)
        fill(menu, self._commands, MORE)
        self.more.setMenu(menu)
        bar.addWidget(self.more)
        rule = QFrame()
        rule.setFrameShape(QFrame.Shape.HLine)
        rule.setFrameShadow(QFrame.Shadow.Plain)
        nothing = label(t("Choose a finding to see both sides of it."), "muted", wraps=True)
        nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self._chips)
        column.addWidget(self.splitter, 1)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(nothing)
        self._layers.addWidget(filled)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for words, the drawings stand for them."""
        super().resizeEvent(event)
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonTextBesideIcon if self.width() >= _ROOM_FOR_WORDS else styles.ToolButtonIconOnly
        for button in (*self._buttons, self.more):
            button.setToolButtonStyle(style)

    def _put(self, side: SideBySide | None) -> None:
        before = self.side
        self.side = side
        self._draw()
        if before is None or side is None or _about(before) != _about(side):
            for browser in (self.compared, self.reasons):
                browser.verticalScrollBar().setValue(0)
        self.shown.emit()

    def _draw(self) -> None:
        side = self.side
        self._layers.setCurrentIndex(0 if side is None else 1)
        if side is None:
            return
        row = side.finding
        if row is not None:
            self.title.setText(f"{row.finding.rule} · {render(row.title)}")
            self.pill.show_word(state_of(row), state_pill(row))
        else:
            self.title.setText(t("Order {id}", id=", ".join(entry.order_id for entry in side.orders)))
        self.pill.setVisible(row is not None)
        colours, hidden = self._services.look.colours, self._services.workspace.settings.get(HIDE_PEOPLE)
        for browser, page in (
            (self.compared, comparison_pages.comparison(side, colours, hidden)),
            (self.reasons, comparison_pages.reasons(side, colours)),
        ):
            place = browser.verticalScrollBar().value()
            browser.setHtml(page)
            browser.verticalScrollBar().setValue(place)

    def _paint(self) -> None:
        self.more.setIcon(self._services.look.icon("more"))

    def _follow(self, url: QUrl) -> None:
        side = self.side
        if side is None or not url.path().isdecimal():
            return
        number = int(url.path())
        match url.scheme():
            case "stock" if side.finding is not None:
                self.stock_wanted.emit(side.finding.finding.subject)
            case "order":
                self.order_wanted.emit(side.orders[number].order_id)
            case "paper":
                self.paper_wanted.emit(side.papers[number].key)
            case "confirm":
                self.link_act.emit(Command.CONFIRM, (side.links[number],))
            case "unlink":
                self.link_act.emit(Command.UNLINK, (side.links[number],))

    def _failed(self, error: Exception) -> None:
        self._put(None)
        if not isinstance(error, ArchiveMissing | NotInArchive):
            self._services.faults.tell(error)


def fill(menu: QMenu, commands: Commands, listed: Sequence[Command | None]) -> None:
    """Put these commands into `menu`; None parts groups."""
    for which in listed:
        if which is None:
            menu.addSeparator()
        else:
            menu.addAction(commands[which])


def pop_up(table: Table[FindingRow], commands: Commands, place: QPoint) -> None:
    """The menu of a list of findings, where somebody asked for it."""
    menu = QMenu(table)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    fill(menu, commands, MENU)
    menu.addSeparator()
    menu.addAction(t("Copy rows"), table.copy)
    menu.popup(table.viewport().mapToGlobal(place))


def _button(action: QAction, which: Command) -> QToolButton:
    made = QToolButton()
    made.setDefaultAction(action)
    made.setProperty("look", "quiet")
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    title = made.text().removesuffix("…")
    made.setToolTip(as_tip(t("{what} ({shortcut})", what=title, shortcut=which.value.keys[0])))
    return made


def _browser(name: str) -> QTextBrowser:
    made = RichTextPage()
    made.setAccessibleName(name)
    made.setFrameShape(QFrame.Shape.NoFrame)
    as_page(made)
    made.setOpenLinks(False)
    made.setTabChangesFocus(True)
    made.document().setDocumentMargin(10)
    return made


def _pair(entry: LinkLine) -> str:
    return f"{entry.link.order_id} ↔ {paper_name(entry.link.key)}".replace("&", "&&")


def _about(side: SideBySide) -> object:
    return side.finding.id if side.finding is not None else [entry.order_id for entry in side.orders]
