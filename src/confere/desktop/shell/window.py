"""The main window: the frame with the pages in it; what happens in one is led to the others by the controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSplitter, QVBoxLayout, QWidget

from confere.desktop.core import actions as commands
from confere.desktop.core.actions import PLACES, Action
from confere.desktop.details.panel import DetailsPanel
from confere.desktop.documents.page import DocumentsPage
from confere.desktop.services import Services
from confere.desktop.shell import file_drop
from confere.desktop.shell.overlay.notice_overlay import NoticeOverlay
from confere.desktop.shell.pages import Pages
from confere.desktop.shell.sidebar import Sidebar
from confere.desktop.shell.status_bar import StatusBar
from confere.desktop.shell.top_bar import TopBar
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.desktop.activity.page import ActivityPage
    from confere.desktop.catalog.page import ProductsPage
    from confere.desktop.closing.page import ClosingPage
    from confere.desktop.orders.page import SalesOrdersPage
    from confere.desktop.overview.page import OverviewPage
    from confere.desktop.reconcile.page import ReconcilePage
    from confere.desktop.settings.page import SettingsPage

_NAME = "main"
_SIZE = (1280, 800)
_SMALLEST = (900, 480)  # at 200 % a screen of 1920 × 1080 has 960 × 540, and the system's bars take some of it
_DETAILS = 404
_SHARES = (3, 1)  # of what a larger window has to give: the list, and what is selected
_LEAVING_ICON = 32
_WRITING_S = 10  # that closing waits for what was decided; what takes longer goes on without a window
_TITLE_BAR = 32  # what a window manager adds above


class MainWindow(QMainWindow):
    """Made anew when the language changes; `rebuild_wanted` asks for that."""

    rebuild_wanted = Signal()
    arrived = Signal(object)  # the Act of the place that is shown now
    closed = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self.setWindowTitle("Confere")
        self.setMinimumSize(*_SMALLEST)
        self.setAcceptDrops(True)
        self.actions_by_act = commands.make(self, services.look)
        self.top = TopBar(services, self.actions_by_act)
        self.sidebar = Sidebar(self.actions_by_act, services.look)
        self.status = StatusBar(services)
        self.documents = DocumentsPage(services, self.actions_by_act)
        self.details = DetailsPanel(services, self.actions_by_act)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.documents)
        self.splitter.addWidget(self.details)
        for number, share in enumerate(_SHARES):
            self.splitter.setStretchFactor(number, share)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([_SIZE[0] - self.sidebar.width() - _DETAILS, _DETAILS])
        self.stack = Pages(services, self.actions_by_act)
        self.stack.put(Action.DOCUMENTS, self.splitter)
        self._lay_out()
        self.drop_hint = file_drop.DropHint(self)

    def go_to(self, place: Action) -> None:
        """Show this place."""
        self.spread_document(False)
        page = self.stack.page(place)
        self.sidebar.show_chosen(place)
        self.services.memory.put("window/place", place.name)
        if self.stack.currentWidget() is not page:
            self.stack.setCurrentWidget(page)
            self.sidebar.buttons[place].setFocus(Qt.FocusReason.OtherFocusReason)
        self.arrived.emit(place)

    @property
    def place(self) -> Action:
        """The place in use."""
        return self.stack.current

    @property
    def overview(self) -> OverviewPage:
        """Made when it is first asked for, as those below."""
        return cast("OverviewPage", self.stack.page(Action.OVERVIEW))

    @property
    def reconcile(self) -> ReconcilePage:
        return cast("ReconcilePage", self.stack.page(Action.RECONCILE))

    @property
    def orders(self) -> SalesOrdersPage:
        return cast("SalesOrdersPage", self.stack.page(Action.ORDERS))

    @property
    def catalog(self) -> ProductsPage:
        return cast("ProductsPage", self.stack.page(Action.CATALOG))

    @property
    def closing(self) -> ClosingPage:
        return cast("ClosingPage", self.stack.page(Action.CLOSING))

    @property
    def long_list(self) -> SalesOrdersPage | ProductsPage | None:
        """The page in use, where it is a long list of its own."""
        page = self.stack.page(self.place) if self.place in (Action.ORDERS, Action.CATALOG) else None
        return cast("SalesOrdersPage | ProductsPage | None", page)

    @property
    def activity(self) -> ActivityPage:
        return cast("ActivityPage", self.stack.page(Action.ACTIVITY))

    @property
    def settings(self) -> SettingsPage:
        return cast("SettingsPage", self.stack.page(Action.SETTINGS))

    def spread_document(self, is_wide: bool) -> None:
        """Show the document over the whole window, or beside the list again, which stands where it stood."""
        if is_wide == self.details.is_wide:
            return
        self.details.spread(is_wide)
        for part in (self.documents, self.sidebar, self.top):
            part.setVisible(not is_wide)
        if is_wide:
            self.details.show()
        elif self.place is Action.DOCUMENTS:
            self.documents.arrive()

    def remember(self) -> None:
        """Keep what comes back at the next start."""
        self.spread_document(False)
        memory = self.services.memory
        memory.keep_window(_NAME, self)
        memory.keep_splitter("documents", self.splitter)
        memory.put("window/details", "shown" if self.details.isVisibleTo(self.splitter) else "hidden")
        memory.save()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Work that runs is asked about first; then everything is written, remembered and ended."""
        has_settings = self.stack.known(Action.SETTINGS) is not None
        if not may_leave(self.services, self):
            event.ignore()
            return
        if has_settings:
            self.settings.finish()
        if not _is_written(self.services):
            event.ignore()
            return
        self.remember()
        if has_settings:
            self.settings.stop()
        self.details.end_work()
        self.services.watch.stop()
        self.services.jobs.close()
        event.accept()
        self.closed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        is_of_others = event.source() is None  # rows dragged out of this window are no import into it
        if is_of_others and file_drop.paths_of(event.mimeData()):
            event.acceptProposedAction()
            self.drop_hint.cover()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_hint.hide()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_hint.hide()
        event.acceptProposedAction()
        file_drop.import_paths(self.services, file_drop.paths_of(event.mimeData()))

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(0)
        middle.addWidget(self.sidebar)
        middle.addWidget(self.stack, 1)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top)
        layout.addLayout(middle, 1)
        layout.addWidget(self.status)
        self.setCentralWidget(whole)
        self.notices = NoticeOverlay(self.services.notices, self.services.look, whole, self.status)
        act = self.actions_by_act[Action.MESSAGES]
        act.setEnabled(False)
        act.triggered.connect(self.notices.take_keyboard)
        self.notices.changed.connect(lambda: act.setEnabled(bool(self.notices.texts)))
        self.sidebar.chosen.connect(self.go_to)

    def restore(self) -> None:
        """Take the place, size and page of the last time; once everything is connected."""
        memory = self.services.memory
        if not memory.restore_window(_NAME, self):
            room = self.screen().availableSize()
            self.resize(min(_SIZE[0], room.width()), min(_SIZE[1], room.height() - _TITLE_BAR))
        memory.restore_splitter("documents", self.splitter)
        self.details.setVisible(memory.text("window/details", "shown") == "shown")
        kept = memory.text("window/place", Action.OVERVIEW.name)
        self.go_to(Action[kept] if kept in Action.__members__ and Action[kept] in PLACES else Action.OVERVIEW)
        self.sidebar.buttons[self.place].setFocus(Qt.FocusReason.OtherFocusReason)
        self.top.refresh()
        self.services.watch.start()


def _is_written(services: Services) -> bool:
    """Wait for what was asked to be written; false where some of it failed, which was told: the window stays."""
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        return services.reader.finish_writes(_WRITING_S)
    finally:
        QGuiApplication.restoreOverrideCursor()


def may_leave(services: Services, parent: QWidget) -> bool:
    """Ask before a window closes over work: true where nothing runs, or where the person wants it stopped.

    What was received is kept either way.
    """
    from PySide6.QtWidgets import QMessageBox

    asked = [order for order in (*services.jobs.running, *services.jobs.waiting) if not order.quiet]
    if not asked:
        return True
    titles = ", ".join(order.title for order in asked)
    box = QMessageBox(parent)
    box.setObjectName("leaving")
    box.setIconPixmap(services.look.picture("help", "accent", _LEAVING_ICON, parent.devicePixelRatioF()))
    box.setWindowTitle(t("Work is still running"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(t("{titles}: still running.", titles=titles))
    box.setInformativeText(t("Everything received so far is kept; started again, it goes on from there."))
    stop = box.addButton(t("Stop and close"), QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(t("Keep the window open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.exec()
    box.deleteLater()  # a window that stays open would keep each one
    return box.clickedButton() is stop
