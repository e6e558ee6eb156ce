"""Shows a PDF page under page, as large as wanted: by wheel, by keys, fitted to the width or to a whole page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.details.pdf.page_pictures import PdfPages
from confere.desktop.theme.palettes import SHEET
from confere.desktop.theme.theme import Look
from confere.system.messages import t

_INCH: Final = 96 / 72  # logical pixels to a point where a page is as large as on paper
_SMALLEST, _LARGEST = 0.1, 6.0
_STEPS: Final = (0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
_GAP: Final = 12
_MOST_BYTES: Final = 96_000_000  # of pictures kept
_TOPIC: Final = "details/pdf page"
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHEET = QColor(SHEET)


class PageFit(StrEnum):
    """How the size of a page is chosen."""

    WIDTH = "width"
    PAGE = "page"
    FREE = "free"


class PdfView(QAbstractScrollArea):
    """`zoomed` comes when the size changed, `turned` when another page is in sight, from 1."""

    zoomed = Signal()
    turned = Signal(int)

    def __init__(self, look: Look, reader: BackgroundReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._reader = look, reader
        self._pages: PdfPages | None = None
        self._pictures: OrderedDict[int, tuple[float, QImage]] = OrderedDict()
        self._asked: dict[int, float] = {}
        self._tops: list[int] = []
        self._fit, self._zoom = PageFit.WIDTH, 1.0
        self._page = 1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(t("Pages of the PDF"))
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        look.changed.connect(self.viewport().update)

    @property
    def zoom(self) -> float:
        """1 is as large as on paper."""
        return self._zoom

    @property
    def fit(self) -> PageFit:
        return self._fit

    @property
    def page(self) -> int:
        """The page in sight, from 1; 0 where there is none."""
        return self._page if self._pages is not None and len(self._pages) else 0

    @property
    def rested(self) -> bool:
        """Whether everything in sight is drawn."""
        return not self._asked

    def show_pages(self, pages: PdfPages | None) -> None:
        """Show this from its beginning; what was shown before is no longer asked for."""
        self._pages = pages
        self._pictures.clear()
        self._asked.clear()
        self._lay_out()
        self.verticalScrollBar().setValue(0)
        self._scrolled()
        self.viewport().update()

    def use(self, fit: PageFit, zoom: float = 0.0) -> None:
        """Fit pages so, or with `PageFit.FREE` make them `zoom` times as large as on paper."""
        self._fit = fit
        if fit is PageFit.FREE:
            self._zoom = min(max(zoom, _SMALLEST), _LARGEST)
        self._lay_out(keep=True)
        self.zoomed.emit()

    def zoom_in(self) -> None:
        """The next larger size."""
        self.use(PageFit.FREE, next((step for step in _STEPS if step > self._zoom * 1.01), _LARGEST))

    def zoom_out(self) -> None:
        """The next smaller size."""
        self.use(PageFit.FREE, next((step for step in reversed(_STEPS) if step < self._zoom * 0.99), _SMALLEST))

    def turn_to(self, page: int) -> None:
        """Bring this page into sight, from 1."""
        if 1 <= page <= len(self._tops):
            self.verticalScrollBar().setValue(self._tops[page - 1])

    # -- of Qt -------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # The window may have these for itself; on a page they mean the page.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _zoom_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        match _zoom_key(event) or event.key():
            case "in":
                self.zoom_in()
            case "out":
                self.zoom_out()
            case "reset":
                self.use(PageFit.WIDTH)
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case Qt.Key.Key_Space:
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                bar.setValue(bar.value() + bar.pageStep() * (-1 if back else 1))
            case _:
                super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & _CONTROL:
            if event.angleDelta().y():
                self.use(PageFit.FREE, self._zoom * (1.1 if event.angleDelta().y() > 0 else 1 / 1.1))
            event.accept()
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_at_top = not self.verticalScrollBar().value()
        self._lay_out(keep=True)
        if is_at_top:  # who looks at the beginning goes on doing so when the page grows with its room
            self.verticalScrollBar().setValue(0)
        if self._fit is not PageFit.FREE:
            self.zoomed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._look.colours.neutral_soft))
        if self._pages is None:
            return
        wanted = self._scale()
        for place, where in self._in_sight():
            painter.fillRect(where, _SHEET)
            kept = self._pictures.get(place)
            if kept is not None:
                self._pictures.move_to_end(place)
                self._draw(painter, where, kept[1], kept[0] == wanted)
            if kept is None or kept[0] != wanted:
                self._ask(place, wanted)
            painter.setPen(QColor(self._look.colours.strong_line))
            painter.drawRect(where.adjusted(-1, -1, 0, 0))

    def _draw(self, painter: QPainter, where: QRect, picture: QImage, is_right: bool) -> None:
        """As it is where it has the size asked for: stretching one by a pixel takes longer than a frame."""
        density = self.devicePixelRatioF()
        if is_right and abs(picture.width() - where.width() * density) < 2 * density:
            picture.setDevicePixelRatio(density)
            painter.drawImage(where.topLeft(), picture)
        else:
            painter.drawImage(QRectF(where), picture)

    # -- places ------------------------------------------------------------------------------------------

    def _scale(self) -> float:
        """Device pixels to a point."""
        return round(self._zoom * _INCH * self.devicePixelRatioF(), 4)

    def _size(self, place: int) -> tuple[int, int]:
        assert self._pages is not None
        width, height = self._pages.sizes[place]
        return round(width * self._zoom * _INCH), round(height * self._zoom * _INCH)

    def _lay_out(self, *, keep: bool = False) -> None:
        """Give every page its place; with `keep` what is in the middle stays there."""
        bar, side, room = self.verticalScrollBar(), self.horizontalScrollBar(), self.viewport().size()
        whole = max(bar.maximum() + bar.pageStep(), 1)
        middle = (bar.value() + room.height() / 2) / whole
        breadth = max(side.maximum() + side.pageStep(), 1)
        centre = (side.value() + room.width() / 2) / breadth
        self._tops = []
        if self._pages is None or not len(self._pages):
            bar.setRange(0, 0)
            side.setRange(0, 0)
            return
        self._choose_zoom()
        top, widest = _GAP, 0
        for place in range(len(self._pages)):
            width, height = self._size(place)
            self._tops.append(top)
            top += height + _GAP
            widest = max(widest, width + 2 * _GAP)
        bar.setPageStep(room.height())
        bar.setSingleStep(40)
        bar.setRange(0, max(0, top - room.height()))
        side.setPageStep(room.width())
        side.setRange(0, max(0, widest - room.width()))
        if keep:
            bar.setValue(round(middle * top - room.height() / 2))
        side.setValue(round((centre if keep else 0.5) * widest - room.width() / 2))
        self.viewport().update()

    def _choose_zoom(self) -> None:
        if self._pages is None or self._fit is PageFit.FREE:
            return
        # As if the scroll bar were there: its coming must not change what makes it come.
        extent = 0 if self.verticalScrollBar().isVisible() else self.verticalScrollBar().sizeHint().width()
        room = max(self.viewport().width() - extent - 2 * _GAP, 40)
        widest = max(width for width, _ in self._pages.sizes)
        zoom = room / (widest * _INCH)
        if self._fit is PageFit.PAGE:
            tallest = max(height for _, height in self._pages.sizes)
            zoom = min(zoom, max(self.viewport().height() - 2 * _GAP, 40) / (tallest * _INCH))
        self._zoom = min(max(zoom, _SMALLEST), _LARGEST)

    def _in_sight(self) -> Iterator[tuple[int, QRect]]:
        """The pages that can be seen, with where they stand on the viewport."""
        room = self.viewport().rect()
        left, top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        for place, begin in enumerate(self._tops):
            width, height = self._size(place)
            start = _GAP - left if width + 2 * _GAP > room.width() else (room.width() - width) // 2
            where = QRect(QPoint(start, begin - top), QPoint(start + width - 1, begin - top + height - 1))
            if where.intersects(room):
                yield place, where

    def _scrolled(self) -> None:
        middle = self.verticalScrollBar().value() + self.viewport().height() // 3
        page = max(1, sum(top <= middle for top in self._tops))
        if page != self._page:
            self._page = page
            self.turned.emit(page)
        self.viewport().update()

    # -- pictures ----------------------------------------------------------------------------------------

    def _ask(self, place: int, scale: float) -> None:
        if self._asked.get(place) == scale or self._pages is None:
            return
        self._asked[place] = scale
        pages = self._pages
        self._reader.ask(
            f"{_TOPIC} {place}",
            lambda: pages.picture(place, scale),
            partial(self._arrived, pages, place, scale),
        )

    def _arrived(self, pages: PdfPages, place: int, scale: float, picture: QImage) -> None:
        if pages is not self._pages:
            return
        if self._asked.get(place) == scale:
            del self._asked[place]
        if picture.isNull():
            return
        self._pictures[place] = (scale, picture)
        self._pictures.move_to_end(place)
        while len(self._pictures) > 1 and sum(kept.sizeInBytes() for _, kept in self._pictures.values()) > _MOST_BYTES:
            self._pictures.popitem(last=False)
        self.viewport().update()


def _zoom_key(event: QKeyEvent) -> str:
    if not event.modifiers() & _CONTROL:
        return ""
    match event.key():
        case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
            return "in"
        case Qt.Key.Key_Minus:
            return "out"
        case Qt.Key.Key_0:
            return "reset"
    return ""
