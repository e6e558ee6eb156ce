"""Puts the pages of a PDF on paper: asks for printer and pages, then hands the PDF to the system's spooler.

Where none takes a PDF the pages are printed as pictures, one after the other, beside the window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.details.pdf.page_pictures import PdfPages
from confere.system.files import atomic_file
from confere.system.messages import t
from confere.system.printing.cups import PaperSides, PrintTicket

_TOPIC: Final = "details/pdf print"
_DENSEST: Final = 300  # dots per inch that are drawn; more is not to be seen
_POINTS: Final = 72

_SAME_SIZE: Final = 3.0  # points by which a page and a paper of one size may differ
_SIDES: Final = {
    QPrinter.DuplexMode.DuplexNone: PaperSides.ONE,
    QPrinter.DuplexMode.DuplexLongSide: PaperSides.LONG_EDGE,
    QPrinter.DuplexMode.DuplexShortSide: PaperSides.SHORT_EDGE,
}

AskPrinter = Callable[[QWidget, str, int], QPrinter | None]
"""Asks a person for a printer, given the document's name and the number of its pages; None when they give up."""


def ask_printer(parent: QWidget, name: str, pages: int) -> QPrinter | None:
    """The system's own dialog."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(name)
    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle(t("Print"))
    dialog.setMinMax(1, pages)
    dialog.setOption(QPrintDialog.PrintDialogOption.PrintSelection, False)
    return printer if dialog.exec() == QPrintDialog.DialogCode.Accepted else None


def chosen_pages(printer: QPrinter, count: int) -> list[int]:
    """Which of so many pages a person chose, from 0."""
    chosen = printer.pageRanges()
    if chosen.isEmpty():
        return list(range(count))
    return [place for place in range(count) if chosen.contains(place + 1)]


def ticket_of(printer: QPrinter, name: str, sizes: Sequence[tuple[float, float]]) -> PrintTicket:
    """What a person chose, for a spooler that takes the PDF itself; `sizes` are those of its pages, in points."""
    paper = printer.pageLayout().pageSize()
    places = chosen_pages(printer, len(sizes))
    short, long = sorted((paper.size(QPageSize.Unit.Point).width(), paper.size(QPageSize.Unit.Point).height()))
    fits = any(
        abs(min(sizes[place]) - short) > _SAME_SIZE or abs(max(sizes[place]) - long) > _SAME_SIZE for place in places
    )
    return PrintTicket(
        title=name,
        printer=printer.printerName(),
        copies=max(printer.copyCount(), 1),
        pages=() if len(places) == len(sizes) else tuple(place + 1 for place in places),
        paper=paper.key(),
        sides=_SIDES.get(printer.duplex()),
        is_collated=printer.collateCopies(),
        is_grey=printer.colorMode() is QPrinter.ColorMode.GrayScale,
        fits=fits,
    )


def write_pages(data: bytes, places: Sequence[int], path: Path) -> None:
    """Write these pages of a PDF to a file as they are: their text stays text, where a picture would be a poor PDF."""
    with PdfPages(data) as pages:
        atomic_file.write_bytes(path, pages.part(places))


class PrintRun(QObject):
    """Prints once. `ended` comes at the end, with whether the printer took it."""

    ended = Signal(bool)

    def __init__(
        self, pages: PdfPages, printer: QPrinter, reader: BackgroundReader, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._pages, self._printer, self._reader = pages, printer, reader
        self._left = chosen_pages(printer, len(pages))
        self._painter = QPainter()
        self._begun = False

    def start(self) -> None:
        """Print the first page; the others follow."""
        if not self._left:
            self.ended.emit(True)
            return
        width, height = self._pages.sizes[self._left[0]]
        wide = QPageLayout.Orientation.Landscape if width > height else QPageLayout.Orientation.Portrait
        self._printer.setPageOrientation(wide)
        self._printer.setFullPage(True)
        if not self._painter.begin(self._printer):
            self.ended.emit(False)
            return
        self._next()

    def _next(self) -> None:
        place = self._left.pop(0)
        pages, scale = self._pages, min(self._printer.resolution(), _DENSEST) / _POINTS
        self._reader.ask(_TOPIC, lambda: pages.picture(place, scale), self._put)

    def _put(self, picture: QImage) -> None:
        if picture.isNull():
            self._painter.end()
            self.ended.emit(False)
            return
        if self._begun and not self._printer.newPage():
            self._painter.end()
            self.ended.emit(False)
            return
        self._begun = True
        room = QRectF(self._printer.pageLayout().fullRectPixels(self._printer.resolution()))
        scale = min(room.width() / picture.width(), room.height() / picture.height())
        width, height = picture.width() * scale, picture.height() * scale
        self._painter.drawImage(QRectF((room.width() - width) / 2, 0, width, height), picture)
        if self._left:
            self._next()
        else:
            self.ended.emit(self._painter.end())
