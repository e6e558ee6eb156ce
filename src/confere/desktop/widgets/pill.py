"""Paints a word in a pill of its kind's colour, and every other cell as the list would, elided and calm."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from confere.app.labels.labels import state_word
from confere.desktop.theme.palettes import Colours
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import as_tip
from confere.errors import N_, Message
from confere.fiscal.document_models import IN_EFFECT, VOID, State
from confere.system.messages import render

_RIGHT = Qt.AlignmentFlag.AlignRight
PILL_ROLE = int(Qt.ItemDataRole.UserRole) + 101
"""Under it a model names the kind of pill: `good`, `warn`, `bad`, `info`, `neutral`; empty for plain text."""

_DISPLAY = Qt.ItemDataRole.DisplayRole
_CENTER = Qt.AlignmentFlag.AlignCenter
_ELIDE = Qt.TextElideMode.ElideRight
_NO_PEN = Qt.PenStyle.NoPen
_ANTIALIAS = QPainter.RenderHint.Antialiasing
_ITEM = QStyle.ControlElement.CE_ItemViewItem
_HAS_FOCUS = QStyle.StateFlag.State_HasFocus
_SELECTED = QStyle.StateFlag.State_Selected
_SIDE = 9
_MARGIN = 8  # where the text of other cells begins
CELL_ROOM = 2 * _MARGIN + 2
"""What a cell needs in width beside its text."""
PILL_ROOM = 2 * _MARGIN + 2 * _SIDE + 2
"""What a cell needs in width beside the text of its pill."""
_FEWEST = 14  # characters of a pill that stands alone
_LIFT = 2  # above and below the line
_STATES = {
    **{state.value: "bad" for state in VOID - {State.VOIDED}},
    **{state.value: "good" for state in IN_EFFECT},
    **{state.value: "warn" for state in (State.NO_PROTOCOL, State.UNREGISTERED)},
}

_BRIEF = {
    State.UNREGISTERED.value: N_("canc. no record"),
    State.CANCELLED_LATE.value: N_("cancelled late"),
}


def kind_of_state(state: str) -> str:
    """The kind of pill that a document's state is shown in."""
    return _STATES.get(state, "neutral")


def brief_state(state: str) -> str:
    """The word of a document's state for a column, which has no room for the longest; a tooltip says the whole."""
    return render(Message(_BRIEF[state])) if state in _BRIEF else state_word(state)


class PillDelegate(QStyledItemDelegate):
    """For any view whose model answers `PILL_ROLE`."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        kind = index.data(PILL_ROLE)
        if kind:
            self._paint_pill(painter, option, index, kind)
        else:
            super().paint(painter, option, index)
        if not option.state & _HAS_FOCUS:  # the ring around the cell stands in its place
            rect = option.rect
            painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, QColor(self._look.colours.line))

    def _paint_pill(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        kind: str,
    ) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(_ITEM, option, painter, option.widget)
        back, ink = pill_colours(self._look.colours, kind)
        rect = option.rect
        width = min(option.fontMetrics.horizontalAdvance(text) + 2 * _SIDE, rect.width() - 2 * _MARGIN)
        height = option.fontMetrics.height() + 2 * _LIFT
        is_right = bool(option.displayAlignment & _RIGHT)
        left = rect.right() - _MARGIN - width if is_right else rect.left() + _MARGIN
        pill = QRectF(left, rect.center().y() - height / 2 + 0.5, max(width, 0), height)
        painter.save()
        painter.setRenderHint(_ANTIALIAS)
        painter.setPen(QColor(pill_edge(self._look.colours, kind)) if option.state & _SELECTED else _NO_PEN)
        painter.setBrush(QColor(back))
        painter.drawRoundedRect(pill.adjusted(0.5, 0, -0.5, 0), height / 2, height / 2)  # on pixels, not between them
        painter.setPen(QColor(ink))
        painter.setFont(option.font)
        inner = pill.adjusted(_SIDE - 2, 0, 2 - _SIDE, 0)
        painter.drawText(inner, _CENTER, option.fontMetrics.elidedText(text, _ELIDE, int(inner.width())))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found = super().sizeHint(option, index)
        return QSize(found.width() + 2 * _SIDE, found.height()) if index.data(PILL_ROLE) else found


def pill_colours(colours: Colours, kind: str) -> tuple[str, str]:
    """Background and text of a pill of this kind."""
    if kind in ("good", "warn", "bad", "info"):
        return getattr(colours, f"{kind}_soft"), getattr(colours, kind)
    return colours.neutral_soft, colours.text


def pill_edge(colours: Colours, kind: str) -> str:
    """What a pill of this kind is drawn around with in a selected row, whose colour is nearly that of some pills."""
    return colours.muted if kind == "neutral" else pill_colours(colours, kind)[1]


class Pill(QLabel):
    """A pill that stands alone, as high as its word however high the room."""

    def __init__(self, look: Look, text: str = "", kind: str = "neutral", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._look, self._kind = look, kind
        self.setTextFormat(Qt.TextFormat.PlainText)
        look.changed.connect(self.update)

    def show_word(self, word: str, kind: str) -> None:
        self._kind = kind
        self.setText(word)
        self.setToolTip(as_tip(word))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * _SIDE, metrics.height() + 2 * _LIFT + 2)

    def minimumSizeHint(self) -> QSize:
        """A long word gives way to what stands beside it, and is then told by the tooltip."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * _FEWEST + 2 * _SIDE), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        back, ink = pill_colours(self._look.colours, self._kind)
        height = self.sizeHint().height()
        room = QRectF(0, (self.height() - height) / 2, self.width(), height)
        painter = QPainter(self)
        painter.setRenderHint(_ANTIALIAS)
        painter.setPen(_NO_PEN)
        painter.setBrush(QColor(back))
        painter.drawRoundedRect(room, height / 2, height / 2)
        painter.setPen(QColor(ink))
        inner = int(room.width()) - _SIDE
        painter.drawText(room, _CENTER, self.fontMetrics().elidedText(self.text(), _ELIDE, inner))
        painter.end()
