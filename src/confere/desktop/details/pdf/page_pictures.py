"""The pages of a PDF as pictures, drawn by PDFium, which takes one question at a time."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from PySide6.QtGui import QImage

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    import pypdfium2

_PDFIUM: Final = threading.RLock()
"""PDFium keeps things of its own that all documents share: no two threads may be inside it."""
MOST_PIXELS: Final = 16_000_000
"""Of one picture; a larger one is drawn so large and stretched."""


class PdfPages:
    """An open PDF. `sizes` are width and height of each page in points."""

    def __init__(self, data: bytes) -> None:
        """Raises `ValueError` for what is no PDF."""
        import pypdfium2

        self._document: pypdfium2.PdfDocument | None = None
        self.data = data
        with _PDFIUM:
            try:
                self._document = pypdfium2.PdfDocument(data)
                self.sizes = tuple(self._document.get_page_size(place) for place in range(len(self._document)))
            except pypdfium2.PdfiumError as error:
                _log.info("the PDF reader's words: %s", error)
                raise ValueError(str(error)) from error

    def __len__(self) -> int:
        return len(self.sizes)

    def picture(self, place: int, scale: float) -> QImage:
        """A page, `scale` pixels to a point; an empty picture of a document that is closed."""
        width, height = self.sizes[place]
        pixels = width * height * scale * scale
        if pixels > MOST_PIXELS:
            scale *= (MOST_PIXELS / pixels) ** 0.5
        with _PDFIUM:
            if self._document is None:
                return QImage()
            page = self._document[place]
            bitmap: Any = page.render(scale=scale, prefer_bgrx=True)
            image = QImage(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride, QImage.Format.Format_RGB32)
            found = image.copy()  # the bytes above belong to nobody once this ends
            bitmap.close()
            page.close()
        return found

    def part(self, places: Sequence[int]) -> bytes:
        """A PDF of these pages alone, as they are: its text stays text. Nothing of a document that is closed."""
        import pypdfium2

        made = io.BytesIO()
        with _PDFIUM:
            if self._document is None:
                return b""
            document = pypdfium2.PdfDocument.new()
            document.import_pages(self._document, list(places))
            document.save(made)
            document.close()
        return made.getvalue()

    def close(self) -> None:
        """Let go of it; may be said twice."""
        with _PDFIUM:
            if self._document is not None:
                self._document.close()
                self._document = None

    def __del__(self) -> None:
        # What nobody asked for in the end is closed here, before PDFium's own cleaning would without the lock.
        with suppress(AttributeError):
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
