"""The history of a document from its issue on, one mark a happening, with the XML of each event at hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from confere.app.documents.view import verdict_text
from confere.app.documents.view.facts import MARKS, Section
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.desktop.details.history import history
from confere.desktop.details.history.history import HistoryEvent
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import label
from confere.desktop.widgets.fact_page import html_of
from confere.desktop.widgets.plain_text import Label, as_tip
from confere.fiscal.authenticity.verdict import NO_GATE, Result, Verdict
from confere.system import formatting
from confere.system.messages import render, t

_RAIL = 30  # the room of the marks, left of the words
_MARK = 5.0  # radius
_MOST = 300
_AT_ONCE = 12  # more than a screen shows; making all of a long history would be felt
_MORE = 4
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
        self.happenings: tuple[HistoryEvent, ...] = ()
        self.setAccessibleName(t("History"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._waiting: list[Callable[[], QWidget]] = []
        self._room = QVBoxLayout()
        self._soon = QTimer(self)
        self._soon.setInterval(0)
        self._soon.timeout.connect(lambda: self._put(_MORE))

    @property
    def is_whole(self) -> bool:
        """Whether everything stands there; of a long history the end comes after its beginning."""
        return not self._waiting

    def show_document(self, loaded: Loaded) -> None:
        """Show the history of this one; the same one again stays as it is, with its place and the keyboard."""
        found = history.of(loaded)
        if self.widget() is not None and found == self.happenings:
            return
        self.happenings = found
        body = QWidget()
        body.setBackgroundRole(QPalette.ColorRole.Base)
        body.setAutoFillBackground(True)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(GAP, WIDE_GAP, GAP, GAP)
        layout.setSpacing(0)
        self._room = QVBoxLayout()
        layout.addLayout(self._room, 0 if self.happenings else 1)
        layout.addStretch(1 if self.happenings else 0)
        self._waiting = []
        paper = [entry for entry in self.happenings if not entry.from_hub]
        told = [entry for entry in self.happenings if entry.from_hub]
        self._add(paper)
        if not self.happenings:
            self._waiting.append(partial(_nothing, loaded))
        if told:
            self._waiting.append(_heading)
            self._add(told)
        self._put(_AT_ONCE)
        self.setWidget(body)

    def _add(self, entries: list[HistoryEvent]) -> None:
        shown = entries[:_MOST]
        self._waiting += [
            partial(self._entry, entry, number == 0, number == len(shown) - 1) for number, entry in enumerate(shown)
        ]
        if len(entries) > _MOST:
            rest = formatting.count(len(entries) - _MOST)
            self._waiting.append(partial(_line, t("… and {count} more; the XML page has each.", count=rest), "muted"))

    def _entry(self, happening: HistoryEvent, first: bool, last: bool) -> QWidget:
        shown = _Entry(happening, self._look, first, last)
        shown.xml_wanted.connect(self.xml_wanted)
        shown.save_wanted.connect(self.save_wanted)
        return shown

    def _put(self, most: int) -> None:
        """Make so many more of those that are to be shown; below what is there, which stays where it is."""
        for make in self._waiting[:most]:
            self._room.addWidget(make())
        del self._waiting[:most]
        if self._waiting:
            self._soon.start()
        else:
            self._soon.stop()


def _nothing(loaded: Loaded) -> QWidget:
    """In the middle, as on every page that has nothing to show."""
    unread = loaded.unreadable is not None
    said = _line(t("The file cannot be read.") if unread else t("Nothing is known of its history."), "muted")
    said.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return said


def _heading() -> QWidget:
    heading = _line(t("Only the hub tells"), "heading")
    heading.setContentsMargins(_RAIL, GAP, 0, GAP)
    return heading


class _Entry(QWidget):
    """One happening with its mark and the piece of rail beside it."""

    xml_wanted = Signal(str)
    save_wanted = Signal(object)

    def __init__(self, happening: HistoryEvent, look: Look, first: bool, last: bool) -> None:
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
        if happening.verdict is not None:
            for text, rank in _verdict(happening.verdict):
                layout.addWidget(_line(text, rank))
        self._fold = QPushButton(self)
        self._fold.setVisible(bool(happening.fields))
        self._fields = Label()
        self._fields.setTextFormat(Qt.TextFormat.RichText)
        self._fields.setWordWrap(True)
        self._fields.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._fields.hide()
        if happening.content is not None or happening.fields:
            layout.addLayout(self._buttons())
        layout.addWidget(self._fields)
        look.changed.connect(self._look_changed)

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

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(GAP)
        row.addSpacing(-_LINK_PADDING)
        content = self._happening.content
        buttons = []
        if content is not None:
            show, save = QPushButton(t("Show XML")), QPushButton(t("Save…"))
            show.clicked.connect(self._show)
            save.clicked.connect(self._save)
            for button, what in ((show, t("Show the XML of {what}", what=content.label)), (save, content.file_name)):
                button.setToolTip(as_tip(what))
                button.setAccessibleDescription(what)
                buttons.append(button)
        if self._happening.fields:
            self._fold.clicked.connect(self.toggle_fields)
            self._name_fold()
            buttons.append(self._fold)
        for button in buttons:
            button.setProperty("look", "link")
            row.addWidget(button)
        row.addStretch(1)
        return row

    def toggle_fields(self) -> None:
        """Show every field of the event, or fold them away again."""
        if not self._fields.text():
            self._fields.setText(self._html())
        self._fields.setVisible(self._fields.isHidden())
        self._name_fold()

    def _name_fold(self) -> None:
        arrow = "▸" if self._fields.isHidden() else "▾"
        count = formatting.count(len(self._happening.fields))
        self._fold.setText(t("{arrow} Fields ({count})", arrow=arrow, count=count))
        self._fold.setAccessibleName(t("All fields of {what}", what=self._happening.title))

    def _html(self) -> str:
        return html_of((Section("", self._happening.fields),), self._look.colours)

    def _look_changed(self) -> None:
        if self._fields.text():
            self._fields.setText(self._html())
        self.update()

    def _show(self) -> None:
        if self._happening.content is not None:
            self.xml_wanted.emit(self._happening.content.sha256)

    def _save(self) -> None:
        if self._happening.content is not None:
            self.save_wanted.emit(self._happening.content)


def _verdict(verdict: Verdict) -> list[tuple[str, str]]:
    """What the checks of the event's paper amount to, and the why of each that does not hold."""
    result = verdict.result
    found = [(f"{MARKS[result]} {verdict_text.sentence(verdict)}", verdict_text.RANKS[result])]
    for line in verdict.lines:
        if line.result in (Result.FAILED, Result.UNCHECKED, Result.TEST) and line.check not in NO_GATE:
            why = f" {render(line.why)}" if line.why is not None else ""
            said = f"{labels.check_word(line.check)}: {labels.result_word(line.result)}."
            found.append((f"{MARKS[line.result]} {said}{why}", "muted"))
    return found
