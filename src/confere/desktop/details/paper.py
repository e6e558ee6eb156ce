"""A document in full: its head, and a page for each thing that is known of it, drawn when it is turned to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from confere.app.documents.view.loaded import Loaded
from confere.desktop.core.actions import Actions
from confere.desktop.details import document_files
from confere.desktop.details.graph.graph_page import RelationsPage
from confere.desktop.details.header import Header
from confere.desktop.details.history.timeline import Timeline
from confere.desktop.details.items.items_page import Items
from confere.desktop.details.summary_page import SummaryPage
from confere.desktop.details.xml.xml_page import XmlPage
from confere.desktop.dialogs.saving.save_xml import Content
from confere.desktop.services import Services
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.desktop.details.pdf.pdf_page import PdfPage

_TAB = "details/tab"
_LEFT_SHARE, _RIGHT_SHARE = 580, 540  # of a wide one: the paper, and what is known of it
_TABS = ("summary", "items", "history", "relations", "xml", "pdf")


class DocumentPaper(QWidget):
    """What was shown stays until the next document is there."""

    list_wanted = Signal()  # it is wide, and somebody wants the list back
    place_wanted = Signal(object)  # the `Place` of another document
    order_wanted = Signal(str, str)  # of which account, and the hub's id
    save_wanted = Signal(object)  # `Content`

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._loaded: Loaded | None = None
        self._stale: set[QWidget] = set()
        self._pdf: PdfPage | None = None
        self._pdf_room = QStackedWidget()
        look = services.look
        self.header = Header(look, actions)
        self.summary = SummaryPage(look)
        self.items = Items(look, services.memory)
        self.timeline = Timeline(look)
        self.relations = RelationsPage(look, services.memory)
        self.xml = XmlPage(services)
        self._pages = (self.summary, self.items, self.timeline, self.relations, self.xml, self._pdf_room)
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()

    @property
    def pdf(self) -> PdfPage:
        """Made when it is turned to first: its libraries take longer to load than the rest of the panel."""
        if self._pdf is None:
            from confere.desktop.details.pdf.pdf_page import PdfPage

            self._pdf = PdfPage(self._services)
            self._pdf_room.addWidget(self._pdf)
        return self._pdf

    @property
    def tab(self) -> str:
        """The page in use, as `show_tab` takes it."""
        return _TABS[self.tabs.currentIndex()]

    @property
    def is_wide(self) -> bool:
        """Whether the PDF stands beside the other pages."""
        return self._sides.count() > 1

    @property
    def content(self) -> Content | None:
        """What the commands are about: the XML chosen on its page while that is open, else the document's own."""
        if self._loaded is None:
            return None
        chosen = self.xml.content if self.tabs.currentWidget() is self.xml else None
        return chosen or next(iter(document_files.of(self._loaded)), None)

    def show_document(self, loaded: Loaded, company: str | None) -> None:
        """Show this one; `company` is whom the window is about."""
        self._loaded = loaded
        self._stale = set(self._pages)
        self.header.show_document(loaded, company)
        self._fill()

    def forget(self) -> None:
        """Nothing is chosen any more; what was shown is covered by whoever calls."""
        self._loaded = None

    def end_work(self) -> None:
        """End what runs for a page, before the window goes."""
        if self._pdf is not None:
            self._pdf.maker.close()

    def show_tab(self, name: str) -> None:
        """Turn to summary, items, history, relations, xml or pdf."""
        if self.is_wide and name == "pdf":
            self.pdf.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.tabs.setCurrentIndex(_TABS.index(name))

    def spread(self, is_wide: bool) -> None:
        """Put the PDF at the left of the other pages, or back among them."""
        self.header.offer_list(is_wide)
        if is_wide:
            self.tabs.removeTab(self.tabs.indexOf(self._pdf_room))
            self._sides.insertWidget(0, self._pdf_room)
            self._pdf_room.show()
            self._sides.setSizes([_LEFT_SHARE, _RIGHT_SHARE])
            self._fill()
        else:
            self.tabs.addTab(self._pdf_room, t("PDF"))

    def _lay_out(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setAccessibleName(t("Pages of the document"))
        titles = (t("Summary"), t("Items"), t("History"), t("Relations"), t("XML"), t("PDF"))
        for page, title in zip(self._pages, titles, strict=True):
            self.tabs.addTab(page, title)
        known = self._services.memory.text(_TAB)
        self.tabs.setCurrentIndex(_TABS.index(known) if known in _TABS else 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.setChildrenCollapsible(False)
        self._sides.addWidget(self.tabs)
        layout.addWidget(self._sides, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.header.summary_wanted.connect(self._copy_summary)
        self.header.list_wanted.connect(self.list_wanted)
        self.summary.document_wanted.connect(self.place_wanted)
        self.items.document_wanted.connect(self.place_wanted)
        self.relations.key_wanted.connect(lambda key: self.place_wanted.emit(key))  # a text to whatever names a place
        self.relations.order_wanted.connect(self.order_wanted)
        self.timeline.xml_wanted.connect(self._show_content)
        # Later: the dialog runs an event loop of its own, in which the timeline may be made anew under its button.
        self.timeline.save_wanted.connect(self.save_wanted, Qt.ConnectionType.QueuedConnection)
        self.xml.save_wanted.connect(self.save_wanted)

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

    def _show_content(self, sha256: str) -> None:
        self.show_tab("xml")
        self.xml.show_content(sha256)
        self.xml.text_focus()

    def _copy_summary(self) -> None:
        if self._loaded is not None:
            self.summary.show_document(self._loaded)
            QGuiApplication.clipboard().setText(self.summary.as_text())
