"""The history of a document from its issue on, one mark a happening, with the XML of each event at hand."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from confere.desktop.details import happenings
from confere.desktop.details.contents import Content
from confere.desktop.details.happenings import Happening
from confere.desktop.details.loaded import Loaded
from confere.desktop.look.measures import GAP, WIDE_GAP
from confere.desktop.look.theme import Look
from confere.desktop.parts.card import label
from confere.system import figures
from confere.system.messages import t

_RAIL = 30  # the room of the marks, left of the words
_MARK = 5.0  # radius
_MOST = 300
_LINK_PADDING = 5  # of the style sheet; without it a link begins right of the words above
_ANTIALIAS = QPainter.RenderHint.Antialiasing
_HOLLOW = Qt.BrushStyle.NoBrush
_line = partial(label, wraps=True, selectable=True)


class Timeline(QScrollArea):
    """Shows `happenings.of`; what did not take effect has a hollow mark."""

    xml_wanted = Signal(str)  # a SHA-256
    save_wanted = Signal(object)  # a Content

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.happenings: tuple[Happening, ...] = ()
        self.setAccessibleName(t("History"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_document(self, loaded: Loaded) -> None:
        """Show the history of this one; the same one again stays as it is, with its place and the keyboard."""
        found = happenings.of(loaded)
        if self.widget() is not None and found == self.happenings:
            return
        self.happenings = found
        body = QWidget()
        body.setBackgroundRole(QPalette.ColorRole.Base)
        body.setAutoFillBackground(True)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(GAP, WIDE_GAP, GAP, GAP)
        layout.setSpacing(0)
        paper = [entry for entry in self.happenings if not entry.from_hub]
        told = [entry for entry in self.happenings if entry.from_hub]
        self._add(layout, paper)
        if not self.happenings:
            layout.addWidget(_line(t("Nothing is known of its history."), "muted"))
        if told:
            heading = _line(t("Only the hub tells"), "heading")
            heading.setContentsMargins(_RAIL, GAP, 0, GAP)
            layout.addWidget(heading)
            self._add(layout, told)
        layout.addStretch(1)
        self.setWidget(body)

    def _add(self, layout: QVBoxLayout, entries: list[Happening]) -> None:
        for number, entry in enumerate(entries[:_MOST]):
            shown = _Entry(entry, self._look, number == 0, number == min(len(entries), _MOST) - 1)
            shown.xml_wanted.connect(self.xml_wanted)
            shown.save_wanted.connect(self.save_wanted)
            layout.addWidget(shown)
        if len(entries) > _MOST:
            rest = figures.count(len(entries) - _MOST)
            layout.addWidget(_line(t("… and {count} more; the XML page has each.", count=rest), "muted"))


class _Entry(QWidget):
    """One happening with its mark and the piece of rail beside it."""

    xml_wanted = Signal(str)
    save_wanted = Signal(object)

    def __init__(self, happening: Happening, look: Look, first: bool, last: bool) -> None:
        super().__init__()
        self._happening, self._look, self._first, self._last = happening, look, first, last
        self.setAccessibleName(f"{happening.moment} {happening.title}".strip())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_RAIL, 0, 0, 14)
        layout.setSpacing(1)
        self._title = _line(happening.title)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        layout.addWidget(self._title)
        if happening.moment:
            layout.addWidget(_line(happening.moment, "muted"))
        if happening.quote:
            quote = _line(f"“{happening.quote}”")
            quote.setContentsMargins(0, 3, 0, 3)
            layout.addWidget(quote)
        for line in happening.lines:
            layout.addWidget(_line(line, "muted" if happening.effective else "warn"))
        if happening.content is not None:
            layout.addLayout(self._buttons(happening.content))
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        colours = self._look.colours
        ink = QColor(getattr(colours, self._happening.kind, colours.muted))
        middle = QPointF(_RAIL / 2 - 4, self._title.y() + self._title.fontMetrics().height() / 2)
        painter = QPainter(self)
        painter.setRenderHint(_ANTIALIAS)
        painter.setPen(QPen(QColor(colours.line), 2))
        if not self._first:
            painter.drawLine(QPointF(middle.x(), 0), QPointF(middle.x(), middle.y() - _MARK - 2))
        if not self._last:
            painter.drawLine(QPointF(middle.x(), middle.y() + _MARK + 2), QPointF(middle.x(), self.height()))
        painter.setPen(QPen(ink, 1.8))
        painter.setBrush(ink if self._happening.effective else _HOLLOW)
        painter.drawEllipse(middle, _MARK, _MARK)
        painter.end()

    def _buttons(self, content: Content) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(GAP)
        row.addSpacing(-_LINK_PADDING)
        show, save = QPushButton(t("Show XML")), QPushButton(t("Save…"))
        show.clicked.connect(self._show)
        save.clicked.connect(self._save)
        for button, what in ((show, t("Show the XML of {what}", what=content.label)), (save, content.file_name)):
            button.setProperty("look", "link")
            button.setToolTip(what)
            button.setAccessibleDescription(what)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _show(self) -> None:
        if self._happening.content is not None:
            self.xml_wanted.emit(self._happening.content.sha256)

    def _save(self) -> None:
        if self._happening.content is not None:
            self.save_wanted.emit(self._happening.content)
