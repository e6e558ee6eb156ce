"""The details of the document that is chosen: the document in full, and the way back to those seen before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.reader_topics import When
from confere.desktop.details.back_and_forward import VisitedDocuments
from confere.desktop.dialogs.saving.selection_actions import SelectionActions
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.plain_text import Label
from confere.errors import ConfereError, NotInArchive
from confere.system.messages import render_error, t
from confere.system.settings import HIDE_PEOPLE

if TYPE_CHECKING:
    from confere.app.documents.full_document import FullDocument
    from confere.app.documents.view.facts import Place
    from confere.app.documents.view.loaded import Loaded
    from confere.desktop.details.graph.graph_page import RelationsPage
    from confere.desktop.details.header import Header
    from confere.desktop.details.history.timeline import Timeline
    from confere.desktop.details.items.items_page import Items
    from confere.desktop.details.paper import DocumentPaper
    from confere.desktop.details.pdf.pdf_page import PdfPage
    from confere.desktop.details.summary_page import SummaryPage
    from confere.desktop.details.xml.xml_page import XmlPage
    from confere.desktop.dialogs.saving.save_xml import AskWhere, Content

_TOPIC = "details"
_PREPARING = "details: prepare"
_NARROWEST = 370  # all tabs and the buttons of the head are to be seen; the list is to keep its half


class DetailsPanel(QWidget):
    """What was shown stays until the next document is there. `navigated` tells the row it went to by itself.

    The document in full, `paper`, takes longer to load and to make than the list: `prepare` does it while nobody waits.
    """

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
        self._paper: DocumentPaper | None = None
        self._is_navigating = False  # what is being read was led to from here, which `navigated` is to tell
        self._several = False
        self._selections: list[SelectionActions] = []
        self.ask_where: AskWhere | None = None
        """Asks for the file to save to; the system's dialog where it is None."""
        self.sentence = Label()
        self._stack = QStackedWidget()
        self._lay_out()
        self.setMinimumWidth(_NARROWEST)
        actions[Action.BACK].triggered.connect(self.back)
        actions[Action.FORWARD].triggered.connect(self.forward)
        actions[Action.SAVE_XML].triggered.connect(self.save_xml)
        actions[Action.COPY_XML].triggered.connect(self.copy_xml)
        services.scope.changed.connect(self._head_again)
        self.clear()

    @property
    def paper(self) -> DocumentPaper:
        """Made when it is first asked for."""
        return self._paper or self._make_paper()

    @property
    def header(self) -> Header:
        return self.paper.header

    @property
    def tabs(self) -> QTabWidget:
        return self.paper.tabs

    @property
    def summary(self) -> SummaryPage:
        return self.paper.summary

    @property
    def items(self) -> Items:
        return self.paper.items

    @property
    def timeline(self) -> Timeline:
        return self.paper.timeline

    @property
    def relations(self) -> RelationsPage:
        return self.paper.relations

    @property
    def xml(self) -> XmlPage:
        return self.paper.xml

    @property
    def pdf(self) -> PdfPage:
        return self.paper.pdf

    def prepare(self) -> None:
        """Make what the first document needs, once nothing else is being asked."""
        self._services.reader.ask(_PREPARING, _load_views, self._prepared, when=When.LATER)

    @property
    def current(self) -> FullDocument | None:
        """What is shown; None where nothing is, or nothing could be."""
        return None if self._loaded is None else self._loaded.view.full

    @property
    def tab(self) -> str:
        """The page in use, as `show_tab` takes it."""
        return self.paper.tab

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
            self._ask(self._wanted, by_itself=self._is_navigating)

    def clear(self) -> None:
        """Nothing is chosen."""
        self._services.reader.forget(_TOPIC)
        self._wanted, self._is_navigating = None, False
        self._say(t("Choose a document in the list to see it here."))

    def end_work(self) -> None:
        """End what runs for a page, before the window goes."""
        if self._paper is not None:
            self._paper.end_work()

    def back(self) -> None:
        """Show the document that was shown before."""
        self._step(self._trail.back())

    def forward(self) -> None:
        """Show the one that `back` left."""
        self._step(self._trail.forward())

    def show_tab(self, name: str) -> None:
        """Turn to summary, items, history, relations, xml or pdf."""
        self.paper.show_tab(name)

    @property
    def is_wide(self) -> bool:
        """Whether the PDF stands beside the other pages."""
        return self._paper is not None and self._paper.is_wide

    def spread(self, is_wide: bool) -> None:
        """Put the PDF at the left of the other pages, or back among them."""
        if is_wide != self.is_wide:
            self.paper.spread(is_wide)

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
        content = self._content
        if content is not None:
            self._save(content)

    def copy_xml(self) -> None:
        """Put the XML that is shown, or the document's own, into the clipboard as received."""
        content = self._content
        if content is not None:
            from confere.desktop.details.xml import xml_page

            opened, sha256 = self._services.opened, content.sha256
            self._services.reader.ask(
                "details/copy",
                lambda: xml_page.text_of(opened, sha256),
                QGuiApplication.clipboard().setText,
            )

    def save_rows_of(self, selection: SelectionActions) -> None:
        """The key for saving takes the selected rows of this list where it is in front."""
        self._selections.append(selection)
        selection.several.connect(self._offer_several)

    def _lay_out(self) -> None:
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setProperty("rank", "muted")
        self.sentence.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        self._stack.addWidget(self.sentence)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _prepared(self, _: None) -> None:
        if self._paper is None:
            self._make_paper()

    def _make_paper(self) -> DocumentPaper:
        from confere.desktop.details.paper import DocumentPaper

        paper = self._paper = DocumentPaper(self._services, self._actions)
        self._stack.addWidget(paper)
        paper.list_wanted.connect(self.list_wanted)
        paper.place_wanted.connect(self._go)
        paper.order_wanted.connect(self.order_wanted)
        paper.save_wanted.connect(self._save)
        return paper

    def _go(self, place: Place) -> None:
        self._ask(place, by_itself=True)

    def _step(self, place: Place | None) -> None:
        if place is not None:
            self._ask(place, by_itself=True)

    def _ask(self, place: Place, *, by_itself: bool = False) -> None:
        self._wanted, self._is_navigating = place, by_itself
        opened, hidden = self._services.opened, self._services.workspace.settings.get(HIDE_PEOPLE)

        def load() -> Loaded:
            from confere.app.documents.view import loaded

            return loaded.load(opened, place, hidden)

        self._services.reader.ask(_TOPIC, load, partial(self._arrived, by_itself), partial(self._failed, place))

    def _arrived(self, by_itself: bool, found: Loaded) -> None:
        from confere.app.documents.view import detail_text

        self._wanted, self._is_navigating = found.place, False
        if found.place is not None:
            self._trail.go_to(found.place)
        if found != self._loaded:
            self._loaded = found
            self.paper.show_document(found, self._services.scope.company)
            for fault in found.faults:
                self._services.faults.tell(fault)
        self._stack.setCurrentWidget(self.paper)
        self._enable()
        self.shown.emit(detail_text.heading(found))
        if by_itself and found.view.full.row is not None:
            self.navigated.emit(found.view.full.row.id)

    def _failed(self, place: Place, error: Exception) -> None:
        self._is_navigating = False
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
        if self._paper is not None:
            self._paper.forget()
        self.sentence.setText(sentence)
        self._stack.setCurrentWidget(self.sentence)
        self._enable()
        self.shown.emit("")

    def _offer_several(self, several: bool) -> None:
        self._several = several
        self._enable()

    def _enable(self) -> None:
        self._actions[Action.BACK].setEnabled(self._trail.can_go_back)
        self._actions[Action.FORWARD].setEnabled(self._trail.can_go_forward)
        has_xml = self._content is not None
        self._actions[Action.SAVE_XML].setEnabled(has_xml or self._several)
        self._actions[Action.COPY_XML].setEnabled(has_xml)

    def _head_again(self) -> None:
        if self._loaded is not None:
            self.header.show_document(self._loaded, self._services.scope.company)

    @property
    def _content(self) -> Content | None:
        return None if self._loaded is None else self.paper.content

    def _save(self, content: Content) -> None:
        from confere.desktop.dialogs.saving import save_xml as save_dialog

        save_dialog.save(self._services, self, content, self.ask_where or save_dialog.ask_where)


def _load_views() -> None:
    """Load what reads a document in full and says it, which needs no window."""
    from confere.app.documents import save_xml  # noqa: F401
    from confere.app.documents.view import detail_text, loaded, sections  # noqa: F401
    from confere.fiscal.law import codes

    codes.read_tables()
