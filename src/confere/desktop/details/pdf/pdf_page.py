"""The document and its events as PDF: DANFE, DACTE, correction letter, or the plain rendering where they have none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.documents import print_pdf
from confere.app.documents.full_document import FullDocument
from confere.app.documents.view import detail_text
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.desktop.core.file_manager import open_folder
from confere.desktop.details import document_files
from confere.desktop.details.pdf.page_pictures import PdfPages
from confere.desktop.details.pdf.page_printer import PagePrinter
from confere.desktop.details.pdf.pdf_maker import MadePdf, PdfMaker, PdfRequest
from confere.desktop.details.pdf.pdf_view import PageFit, PdfView
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.notices import GOOD
from confere.desktop.widgets.plain_text import Label, as_tip
from confere.fiscal.document_models import TYPE_OF_MODEL
from confere.fiscal.model import DocumentType
from confere.system.files import atomic_file
from confere.system.files.safe_names import inside
from confere.system.messages import RenderedError, t

if TYPE_CHECKING:
    from confere.desktop.details.pdf.pdf_printing import AskPrinter

_FOLDER: Final = "details/save_folder"
_OPEN: Final = "details/pdf open"
_ZOOM: Final = "details/pdf zoom"
_FIT: Final = "details/pdf fit"
_PRINTED: Final = frozenset({*TYPE_OF_MODEL.values(), DocumentType.VOIDING})

AskWhere = Callable[[QWidget, Path], Path | None]
"""Asks a person for a file, given the one that is proposed; None when they give up."""


def ask_where(parent: QWidget, proposed: Path) -> Path | None:
    """The system's own dialog, which also asks before a file is replaced."""
    chosen, _ = QFileDialog.getSaveFileName(parent, t("Save PDF"), str(proposed), t("PDF files (*.pdf)"))
    return Path(chosen) if chosen else None


@dataclass(frozen=True, slots=True)
class _Choice:
    label: str
    wanted: PdfRequest


class PdfPage(QWidget):
    """`ready` comes when a PDF is there to be seen, printed and saved, or when there is none."""

    ready = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._choices: tuple[_Choice, ...] = ()
        self._unread = False
        self._asked: PdfRequest | None = None
        self._made: MadePdf | None = None
        self._pages: PdfPages | None = None
        self._open: list[PdfPages] = []
        self.printing = PagePrinter(services, self)
        self.printing.changed.connect(lambda: self._enable())
        self.ask_where: AskWhere = ask_where
        self.ask_printer: AskPrinter | None = None  # the system's own dialog
        self.maker = PdfMaker(services.workspace.home, self)
        self.maker.made.connect(self._arrived)
        self.maker.failed.connect(self._failed)
        self.view = PdfView(services.look, services.reader)
        self.view.zoomed.connect(self._tell_zoom)
        self.view.turned.connect(self._tell_page)
        self._build()
        self._take_up()
        services.look.changed.connect(self._paint)
        self._paint()
        self._say(t("Choose a document in the list to see it here."))
        # PDFium is told by the thread that it is used from: a widget's end may be collected on any.
        self.destroyed.connect(partial(_close, self._open))

    @property
    def made(self) -> MadePdf | None:
        """What is shown."""
        return self._made

    def show_document(self, loaded: Loaded) -> None:
        """Show the document's PDF; of the same document as before, the one that was chosen."""
        found = _choices(loaded.view.full)
        before = self._choice
        self.persons.setVisible(loaded.hidden and bool(found))
        if found != self._choices:
            self._choices = found
            self.choice.blockSignals(True)
            self.choice.clear()
            self.choice.addItems([entry.label for entry in found])
            same = next((place for place, entry in enumerate(found) if before and _same(entry, before)), 0)
            self.choice.setCurrentIndex(same if found else -1)
            self.choice.blockSignals(False)
        self.choice.setVisible(len(found) > 1)
        self._unread = loaded.unreadable is not None
        self._ask()

    def show_event(self, sha256: str) -> None:
        """Show the PDF of the event whose file has this SHA-256."""
        for place, entry in enumerate(self._choices):
            if entry.wanted.event is not None and entry.wanted.sha256 == sha256:
                self.choice.setCurrentIndex(place)

    def save(self) -> None:
        """Ask for a place, and write what is shown there."""
        made = self._made
        if made is None:
            return
        known = self._services.memory.text(_FOLDER)
        folder = Path(known) if known and Path(known).is_dir() else Path.home()
        path = self.ask_where(self, inside(folder, made.wanted.file_name))
        if path is None:
            return
        self._services.memory.put(_FOLDER, str(path.parent))

        def done(_: None) -> None:
            self._services.notices.add(
                GOOD,
                t("Saved to {path}.", path=str(path)),
                topic=f"saved {path}",
                action=(t("Open the folder"), lambda: open_folder(path.parent)),
            )

        data = made.data
        self._services.reader.write(lambda: atomic_file.write_bytes(path, data), done)

    def print(self) -> None:
        """Ask for a printer, and put what is shown on paper."""
        made = self._made
        if made is None or self._pages is None or self.printing.busy:
            return
        from confere.desktop.details.pdf import pdf_printing  # whoever prints nothing loads nothing of it

        ask = self.ask_printer or pdf_printing.ask_printer
        name = made.wanted.file_name.removesuffix(".pdf")
        printer = ask(self, name, len(self._pages))
        if printer is None or made is not self._made:
            return
        self.printing.put_on_paper(made.data, name, printer, self._pages.sizes)

    # -- what it is made of ------------------------------------------------------------------------------

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GAP, GAP, GAP, 0)
        layout.setSpacing(GAP)
        self.choice = QComboBox()
        self.choice.setAccessibleName(t("Which PDF"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(12)
        self.choice.currentIndexChanged.connect(self._ask)
        layout.addWidget(self.choice)
        self.about, self.persons = _sentence(""), _sentence(t("The PDF shows persons with their data."))
        self.persons.hide()
        layout.addWidget(self.about)
        layout.addWidget(self.persons)
        layout.addLayout(self._tools())
        self.sentence = _sentence("")
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.sentence)
        self._stack.addWidget(self.view)
        layout.addWidget(self._stack, 1)

    def _tools(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        self._buttons: list[tuple[QToolButton, str]] = []
        self.out_button = self._button("zoom-out", t("Smaller (Ctrl+−)"), self.view.zoom_out)
        self.percent = _sentence("")
        self.percent.setWordWrap(False)
        self.percent.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("0000 %"))
        self.in_button = self._button("zoom-in", t("Larger (Ctrl++)"), self.view.zoom_in)
        self.width_button = self._button("fit-width", t("Fit the width (Ctrl+0)"), lambda: self._fit(PageFit.WIDTH))
        self.page_button = self._button("fit-page", t("Fit the whole page"), lambda: self._fit(PageFit.PAGE))
        self.width_button.setCheckable(True)
        self.page_button.setCheckable(True)
        self.place = _sentence("")
        self.place.setWordWrap(False)
        self.print_button = self._button("print", t("Print…"), self.print)
        self.save_button = self._button("save", t("Save as PDF…"), self.save)
        for widget in (self.out_button, self.percent, self.in_button, self.width_button, self.page_button):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.place)
        row.addStretch(1)
        row.addWidget(self.print_button)
        row.addWidget(self.save_button)
        return row

    def _button(self, icon: str, title: str, slot: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "quiet")
        button.setToolTip(as_tip(title))
        button.setAccessibleName(title)
        button.clicked.connect(lambda: slot())
        self._buttons.append((button, icon))
        return button

    # -- asking ------------------------------------------------------------------------------------------

    @property
    def _choice(self) -> _Choice | None:
        place = self.choice.currentIndex()
        return self._choices[place] if 0 <= place < len(self._choices) else None

    def _ask(self) -> None:
        choice = self._choice
        wanted = choice.wanted if choice is not None else None
        if wanted is not None and wanted == self._asked:
            return
        self._asked = wanted
        self._put(None)
        if wanted is None:
            self.maker.forget()
            none = t("Confere makes no PDF of this kind of paper. Look at its XML.")
            self._say(t("The file cannot be read.") if self._unread else none)
            self.ready.emit()
            return
        self._say(t("Making the PDF…"))
        self.maker.ask(wanted)

    def _arrived(self, made: MadePdf) -> None:
        # Beside the window: the first one loads the library that draws.
        self._services.reader.ask(
            _OPEN, partial(PdfPages, made.data), partial(self._opened, made), partial(self._not_opened, made)
        )

    def _opened(self, made: MadePdf, pages: PdfPages) -> None:
        if made.wanted == self._asked:
            self._put(pages, made)
            self.ready.emit()

    def _not_opened(self, made: MadePdf, _error: Exception) -> None:
        if made.wanted == self._asked:
            why = t("The PDF cannot be shown: it is damaged, or too large for this machine's memory.")
            self._failed(RenderedError(t("There is no PDF"), why, None))

    def _failed(self, error: RenderedError) -> None:
        self._asked = None
        self._say("\n\n".join(filter(None, (error.what, error.remedy))))
        self.ready.emit()

    def _put(self, pages: PdfPages | None, made: MadePdf | None = None) -> None:
        self._pages, self._made = pages, made
        self.view.show_pages(pages)
        _close(self._open)
        self._open += [pages] if pages is not None else []
        self._tell()
        self._stack.setCurrentIndex(1 if pages is not None else 0)
        self._tell_page(self.view.page)
        self._tell_zoom()
        self._enable()

    def _say(self, sentence: str) -> None:
        self.sentence.setText(sentence)
        self._stack.setCurrentIndex(0)

    # -- telling -----------------------------------------------------------------------------------------

    def _tell(self) -> None:
        made = self._made
        if made is None:
            self.about.setText("")
        elif made.official:
            self.about.setText(made.why)
        else:
            what = t("Plain rendering by Confere, not an official form.")
            self.about.setText(f"{what} {made.why}".strip())
        self.about.setProperty("rank", "warn" if made is not None and not made.official and made.why else "muted")
        self.about.style().unpolish(self.about)
        self.about.style().polish(self.about)
        self.about.setVisible(bool(self.about.text()))

    def _tell_page(self, page: int) -> None:
        count = len(self._pages) if self._pages is not None else 0
        text = t("Page {page} of {count}", page=page, count=count) if count else ""
        self.place.setText(text)
        self.view.setAccessibleDescription(text)

    def _tell_zoom(self) -> None:
        self.percent.setText(f"{round(self.view.zoom * 100)} %" if self._pages is not None else "")
        self.width_button.setChecked(self.view.fit is PageFit.WIDTH)
        self.page_button.setChecked(self.view.fit is PageFit.PAGE)
        self._services.memory.put(_FIT, self.view.fit.value)
        self._services.memory.put(_ZOOM, str(round(self.view.zoom, 3)))

    def _fit(self, fit: PageFit) -> None:
        self.view.use(fit)
        self._tell_zoom()  # a button pressed again stays pressed

    def _take_up(self) -> None:
        """As large as pages were the last time."""
        memory = self._services.memory
        known, zoom = memory.text(_FIT, PageFit.WIDTH.value), memory.text(_ZOOM, "1")
        try:
            self.view.use(PageFit(known), float(zoom))
        except ValueError:
            self.view.use(PageFit.WIDTH)

    def _enable(self) -> None:
        there = self._pages is not None
        for button, icon in self._buttons:
            button.setEnabled(there and (icon != "print" or not self.printing.busy))

    def _paint(self) -> None:
        for button, icon in self._buttons:
            button.setIcon(self._services.look.icon(icon))


def _close(pages: list[PdfPages]) -> None:
    while pages:
        pages.pop().close()


def _sentence(text: str) -> QLabel:
    label = Label(text)
    label.setWordWrap(True)
    label.setProperty("rank", "muted")
    return label


def _choices(full: FullDocument) -> tuple[_Choice, ...]:
    """The document first, then its events as they happened."""
    row, found = full.row, []
    name = full.access_key or ""
    if row is not None:
        name = str(row.id)
        if row.type in _PRINTED:
            file_name = print_pdf.document_file_name(row, full.voiding)
            found.append(_Choice(detail_text.title(full), PdfRequest(name, None, row.sha256, row.state, file_name)))
    for number, event in enumerate(full.events, start=1):
        wanted = PdfRequest(name, number, event.sha256, "", print_pdf.event_file_name(event))
        label = document_files.of_event(event).label if event.code else labels.event_word(event.code, event.description)
        found.append(_Choice(label, wanted))
    return tuple(found)


def _same(one: _Choice, other: _Choice) -> bool:
    """Whether they are of one paper, whatever became of it meanwhile."""
    return (one.wanted.sha256, one.wanted.event) == (other.wanted.sha256, other.wanted.event)
