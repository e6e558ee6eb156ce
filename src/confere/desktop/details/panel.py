"""The details of the document that is chosen: its head, its pages, and the way back to those seen before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from confere.app.documents.browse import FullDocument
from confere.app.documents.view import detail_text, loaded
from confere.app.documents.view.facts import Place
from confere.app.documents.view.loaded import Loaded
from confere.desktop.core.actions import Action, Actions
from confere.desktop.details import document_files
from confere.desktop.details.back_and_forward import VisitedDocuments
from confere.desktop.details.graph.graph_page import RelationsPage
from confere.desktop.details.header import Header
from confere.desktop.details.history.timeline import Timeline
from confere.desktop.details.items.items_page import Items
from confere.desktop.details.summary_page import SummaryPage
from confere.desktop.details.xml import xml_page
from confere.desktop.details.xml.xml_page import XmlPage
from confere.desktop.dialogs.saving import save_xml as save_dialog
from confere.desktop.dialogs.saving.save_xml import Content
from confere.desktop.dialogs.saving.selection_actions import SelectionActions
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.plain_text import Label
from confere.errors import ConfereError, NotInArchive
from confere.system.messages import render_error, t
from confere.system.settings import HIDE_PEOPLE

if TYPE_CHECKING:
    from confere.desktop.details.pdf.pdf_page import PdfPage

_TOPIC = "details"
_TAB = "details/tab"
_NARROWEST, _WIDEST_LEAST = 340, 370  # of what a person cannot make narrower; the list is to keep its half
_TABS_SPARE = 20  # beside the tabs, and for another one in bold
_LEFT_SHARE, _RIGHT_SHARE = 580, 540  # of a wide one: the paper, and what is known of it
_TABS = ("summary", "items", "history", "relations", "xml", "pdf")


class DetailsPanel(QWidget):
    """What was shown stays until the next document is there. `navigated` tells the row it went to by itself."""

    navigated = Signal(int)
    order_wanted = Signal(str, str)  # of which account, and the hub's id
    shown = Signal(str)  # the title of what is shown now, empty for nothing
    list_wanted = Signal()  # it is wide, and somebody wants the list back

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._actions = services, actions
        self._trail = VisitedDocuments()
        self._loaded: Loaded | None = None
        self._wanted: Place | None = None
        self._stale: set[QWidget] = set()
        self._pdf: PdfPage | None = None
        self._pdf_room = QStackedWidget()
        self._several = False
        self._selections: list[SelectionActions] = []
        self.ask_where: save_dialog.AskWhere = save_dialog.ask_where
        self._build()
        self._claim_width()
        actions[Action.BACK].triggered.connect(self.back)
        actions[Action.FORWARD].triggered.connect(self.forward)
        actions[Action.SAVE_XML].triggered.connect(self.save_xml)
        actions[Action.COPY_XML].triggered.connect(self.copy_xml)
        services.scope.changed.connect(self._head_again)
        self.clear()

    @property
    def current(self) -> FullDocument | None:
        """What is shown; None where nothing is, or nothing could be."""
        return None if self._loaded is None else self._loaded.view.full

    @property
    def tab(self) -> str:
        """The page in use, as `show_tab` takes it."""
        return _TABS[self.tabs.currentIndex()]

    def show_document(self, document_id: int) -> None:
        """Show this row of the archive."""
        if document_id != self._wanted:
            self._ask(document_id)

    def show_key(self, access_key: str) -> None:
        """Show what the archive knows of this key, and tell where it led."""
        self._go(access_key)

    def refresh(self) -> None:
        """Read it again: the archive was written to."""
        if self._wanted is not None:
            self._ask(self._wanted)

    def clear(self) -> None:
        """Nothing is chosen."""
        self._services.reader.forget(_TOPIC)
        self._wanted = None
        self._say(t("Choose a document in the list to see it here."))

    def end_work(self) -> None:
        """End what runs for a page, before the window goes."""
        if self._pdf is not None:
            self._pdf.maker.close()

    def back(self) -> None:
        """Show the document that was shown before."""
        self._step(self._trail.back())

    def forward(self) -> None:
        """Show the one that `back` left."""
        self._step(self._trail.forward())

    @property
    def pdf(self) -> PdfPage:
        """Made when it is turned to first: its libraries take longer to load than the rest of the panel."""
        if self._pdf is None:
            from confere.desktop.details.pdf.pdf_page import PdfPage

            self._pdf = PdfPage(self._services)
            self._pdf_room.addWidget(self._pdf)
        return self._pdf

    def show_tab(self, name: str) -> None:
        """Turn to summary, items, history, relations, xml or pdf."""
        if self.is_wide and name == "pdf":
            self.pdf.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.tabs.setCurrentIndex(_TABS.index(name))

    @property
    def is_wide(self) -> bool:
        """Whether the PDF stands beside the other pages."""
        return self._sides.count() > 1

    def spread(self, is_wide: bool) -> None:
        """Put the PDF at the left of the other pages, or back among them."""
        if is_wide == self.is_wide:
            return
        self.header.offer_list(is_wide)
        if is_wide:
            self.tabs.removeTab(self.tabs.indexOf(self._pdf_room))
            self._sides.insertWidget(0, self._pdf_room)
            self._pdf_room.show()
            self._sides.setSizes([_LEFT_SHARE, _RIGHT_SHARE])
            self._fill()
        else:
            self.tabs.addTab(self._pdf_room, t("PDF"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._claim_width()  # the style sheet counts only now

    def _claim_width(self) -> None:
        """All tabs and the buttons of the head are to be seen, however small the window becomes."""
        tabs = self.tabs.tabBar().sizeHint().width() + _TABS_SPARE
        wanted = max(self.header.minimumSizeHint().width(), tabs)
        self.setMinimumWidth(min(max(_NARROWEST, wanted), _WIDEST_LEAST))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_wide and event.key() == Qt.Key.Key_Escape:
            self.list_wanted.emit()
        else:
            super().keyPressEvent(event)

    def take_keyboard(self) -> None:
        """Put the keyboard on the row of pages. A focus proxy would do so too, and make Tab leave out the head."""
        self.tabs.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)

    def save_xml(self) -> None:
        """Save the XML that is shown, or the document's own; where rows of the list are selected, of all of them."""
        focused = self.window().focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        if not inside and any(selection.save_xml() for selection in self._selections):
            return
        content = self._content()
        if content is not None:
            self._save(content)

    def copy_xml(self) -> None:
        """Put the XML that is shown, or the document's own, into the clipboard as received."""
        content = self._content()
        if content is not None:
            opened, sha256 = self._services.opened, content.sha256
            self._services.reader.ask(
                "details/copy",
                lambda: xml_page.text_of(opened, sha256),
                QGuiApplication.clipboard().setText,
            )

    def _build(self) -> None:
        look = self._services.look
        self.header = Header(look, self._actions)
        self.summary = SummaryPage(look)
        self.items = Items(look, self._services.memory)
        self.timeline = Timeline(look)
        self.relations = RelationsPage(look, self._services.memory)
        self.xml = XmlPage(self._services)
        self._pages = (self.summary, self.items, self.timeline, self.relations, self.xml, self._pdf_room)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setAccessibleName(t("Pages of the document"))
        titles = (t("Summary"), t("Items"), t("History"), t("Relations"), t("XML"), t("PDF"))
        for page, title in zip(self._pages, titles, strict=True):
            self.tabs.addTab(page, title)
        known = self._services.memory.text(_TAB)
        self.tabs.setCurrentIndex(_TABS.index(known) if known in _TABS else 0)
        self.tabs.currentChanged.connect(self._tab_chosen)
        paper = QWidget()
        layout = QVBoxLayout(paper)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.setChildrenCollapsible(False)
        self._sides.addWidget(self.tabs)
        layout.addWidget(self._sides, 1)
        self.sentence = Label()
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setProperty("rank", "muted")
        self.sentence.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.sentence)
        self._stack.addWidget(paper)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self.header.summary_wanted.connect(self._copy_summary)
        self.header.list_wanted.connect(self.list_wanted)
        self.summary.document_wanted.connect(self._go)
        self.items.document_wanted.connect(self._go)
        self.relations.key_wanted.connect(self._go)
        self.relations.order_wanted.connect(self.order_wanted)
        self.timeline.xml_wanted.connect(self._show_content)
        # Later: the dialog runs an event loop of its own, in which the timeline may be made anew under its button.
        self.timeline.save_wanted.connect(self._save, Qt.ConnectionType.QueuedConnection)
        self.xml.save_wanted.connect(self._save)

    def _go(self, place: Place) -> None:
        self._ask(place, by_itself=True)

    def _step(self, place: Place | None) -> None:
        if place is not None:
            self._ask(place, by_itself=True)

    def _ask(self, place: Place, *, by_itself: bool = False) -> None:
        self._wanted = place
        opened, hidden = self._services.opened, self._services.workspace.settings.get(HIDE_PEOPLE)
        self._services.reader.ask(
            _TOPIC,
            lambda: loaded.load(opened, place, hidden),
            partial(self._arrived, by_itself),
            partial(self._failed, place),
        )

    def _arrived(self, by_itself: bool, found: Loaded) -> None:
        self._wanted = found.place
        if found.place is not None:
            self._trail.go_to(found.place)
        if found != self._loaded:
            self._loaded = found
            self._stale = set(self._pages)
            self._head_again()
            self._fill()
            for fault in found.faults:
                self._services.faults.tell(fault)
        self._stack.setCurrentIndex(1)
        self._enable()
        self.shown.emit(detail_text.heading(found))
        if by_itself and found.view.full.row is not None:
            self.navigated.emit(found.view.full.row.id)

    def _failed(self, place: Place, error: Exception) -> None:
        if isinstance(error, NotInArchive):
            self._trail.go_to(place)
        else:
            self._services.faults.tell(error)
        said = render_error(error) if isinstance(error, ConfereError) else None
        self._say(
            t("This document cannot be shown.") if said is None else f"{said.what}\n\n{said.remedy or ''}".strip()
        )

    def _say(self, sentence: str) -> None:
        self._loaded = None
        self.sentence.setText(sentence)
        self._stack.setCurrentIndex(0)
        self._enable()
        self.shown.emit("")

    def save_rows_of(self, selection: SelectionActions) -> None:
        """The key for saving takes the selected rows of this list where it is in front."""
        self._selections.append(selection)
        selection.several.connect(self._offer_several)

    def _offer_several(self, several: bool) -> None:
        self._several = several
        self._enable()

    def _enable(self) -> None:
        self._actions[Action.BACK].setEnabled(self._trail.can_go_back)
        self._actions[Action.FORWARD].setEnabled(self._trail.can_go_forward)
        has_xml = self._loaded is not None and self._content() is not None
        self._actions[Action.SAVE_XML].setEnabled(has_xml or self._several)
        self._actions[Action.COPY_XML].setEnabled(has_xml)

    def _head_again(self) -> None:
        if self._loaded is not None:
            self.header.show_document(self._loaded, self._services.scope.company)

    def _tab_chosen(self, number: int) -> None:
        self._services.memory.put(_TAB, _TABS[number])
        self._fill()

    def _fill(self) -> None:
        """Draw the page in use; the others are drawn when they are turned to."""
        if self.is_wide:
            self._draw(self._pdf_room)
        self._draw(self.tabs.currentWidget())

    def _draw(self, page: QWidget) -> None:
        if self._loaded is None or page not in self._stale:
            return
        self._stale.discard(page)
        match page:
            case SummaryPage() | Items() | Timeline() | RelationsPage() | XmlPage():
                page.show_document(self._loaded)
            case _:
                self.pdf.show_document(self._loaded)

    def _content(self) -> Content | None:
        """What the commands are about: the XML chosen on its page while that is open, else the document's own."""
        if self._loaded is None:
            return None
        chosen = self.xml.content if self.tabs.currentWidget() is self.xml else None
        return chosen or next(iter(document_files.of(self._loaded)), None)

    def _show_content(self, sha256: str) -> None:
        self.show_tab("xml")
        self.xml.show_content(sha256)
        self.xml.text_focus()

    def _save(self, content: Content) -> None:
        save_dialog.save(self._services, self, content, self.ask_where)

    def _copy_summary(self) -> None:
        if self._loaded is not None:
            self.summary.show_document(self._loaded)
            QGuiApplication.clipboard().setText(self.summary.as_text())
