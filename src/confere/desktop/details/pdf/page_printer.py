"""Puts a PDF where a person chose: on paper, by the system's spooler or as pictures, or into a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from confere.desktop.details.pdf.page_pictures import PdfPages
from confere.desktop.services import Services
from confere.desktop.widgets.notices import BAD, GOOD
from confere.system.messages import t
from confere.system.printing import cups

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from confere.desktop.details.pdf.pdf_printing import PrintRun

_TOPIC = "printed"


class PagePrinter(QObject):
    """Prints one after the other. `changed` comes when it begins or ends to paint pages, which it is `busy` with."""

    changed = Signal()

    def __init__(self, services: Services, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._run: PrintRun | None = None
        self._numbers = count(1)

    @property
    def busy(self) -> bool:
        """Whether pages are being painted."""
        return self._run is not None

    def put_on_paper(self, data: bytes, name: str, printer: QPrinter, sizes: Sequence[tuple[float, float]]) -> None:
        """Print the PDF `data`, called `name`, with pages of these sizes in points, as the printer was set up."""
        from confere.desktop.details.pdf.pdf_printing import chosen_pages, ticket_of

        if printer.outputFileName():
            self._to_file(data, Path(printer.outputFileName()), chosen_pages(printer, len(sizes)))
        elif cups.is_there():
            self._spool(data, printer, ticket_of(printer, name, sizes))
        else:
            self.paint(data, printer)

    def paint(self, data: bytes, printer: QPrinter) -> None:
        """Print the pages as pictures."""
        from confere.desktop.details.pdf.pdf_printing import PrintRun

        # Pages of its own: those on the screen go when another document is chosen.
        pages = PdfPages(data)
        self._run = run = PrintRun(pages, printer, self._services.reader, self)

        def ended(well: bool) -> None:
            pages.close()
            run.deleteLater()
            self._run = None
            self.changed.emit()
            told = (GOOD, t("Sent to the printer.")) if well else (BAD, t("The printer did not take it."))
            self._services.notices.add(*told, topic=_TOPIC)

        run.ended.connect(ended)
        self.changed.emit()
        run.start()

    def _to_file(self, data: bytes, path: Path, places: list[int]) -> None:
        from confere.desktop.details.pdf.pdf_printing import write_pages

        def done(_: None) -> None:
            self._services.notices.add(GOOD, t("Saved to {path}.", path=str(path)), topic=_TOPIC)

        self._services.reader.write(lambda: write_pages(data, places, path), done)

    def _spool(self, data: bytes, printer: QPrinter, ticket: cups.PrintTicket) -> None:
        """Have the PDF itself printed, as sharp as the printer is; as pictures where the spooler refuses it."""

        def done(is_taken: bool) -> None:
            if is_taken:
                self._services.notices.add(GOOD, t("Sent to the printer."), topic=_TOPIC)
            elif not self.busy:
                self.paint(data, printer)

        self._services.reader.ask(f"details/spool {next(self._numbers)}", lambda: cups.send(data, ticket), done)
