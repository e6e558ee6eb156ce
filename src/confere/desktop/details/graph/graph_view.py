"""The relations of a document as a graph to walk by mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from confere.app.documents.view.facts import Place
from confere.app.documents.view.loaded import Loaded
from confere.desktop.details.graph import graph_nodes
from confere.desktop.details.graph.graph_geometry import MARGIN, Geometry, fitting
from confere.desktop.details.graph.graph_nodes import Drawing, Node, NodeKind
from confere.desktop.details.graph.graph_painter import Fonts, GraphPainter
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_ARROWS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down})
_HOME = Qt.Key.Key_Home
_LEFT_BUTTON = Qt.MouseButton.LeftButton
_MIDDLE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
_SHARES = (1.0, 0.94, 0.85)  # of the size of letters: smaller ones where all of it then fits the width


class RelationGraph(QAbstractScrollArea):
    """Arrows walk between neighbours, Enter or a double click goes there, Home comes back to the document.

    A screen reader is told of the node that the keyboard is on; the list beside it is the same to be read.
    """

    key_wanted = Signal(str)
    order_wanted = Signal(str, str)  # the account and the hub's id
    list_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._place: Place | None = None
        self._focused: str | None = None
        self._hovered: str | None = None
        self.drawing = Drawing()
        self._nothing = nothing()
        self._fonts = Fonts.of(self.font())
        self.geometry_in_use = Geometry({}, (), QSizeF(0, 0), True)
        self.setAccessibleName(t("Graph of relations"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setBackgroundRole(self.backgroundRole())
        look.changed.connect(self.viewport().update)

    @property
    def focused(self) -> Node | None:
        """The node that the keyboard is on."""
        return None if self._focused is None else self.drawing.node(self._focused)

    def show_document(self, loaded: Loaded) -> None:
        """Show the relations of this one; of the same one again, who walks them stays where they are."""
        drawing = graph_nodes.of(loaded)
        self._nothing = nothing(is_unread=loaded.unreadable is not None)
        same, self._place = loaded.place == self._place, loaded.place
        if same and drawing == self.drawing:
            return
        self.drawing = drawing
        self._hovered = None
        if not same or drawing.node(self._focused or "") is None:
            self._focused = self._home()
        self._lay_out()
        self._tell()
        self._reveal(centred=not same)

    def focus_node(self, name: str) -> None:
        """Put the keyboard's mark on a node of the drawing."""
        if self.drawing.node(name) is not None and name != self._focused:
            self._focused = name
            self._tell()
            self._reveal()
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in _ENTER:
            self._go()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif key == _HOME:
            self.focus_node(self._home() or "")
        elif key in _ARROWS:
            self.focus_node(self.geometry_in_use.beside(self._focused or "", key) or "")
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        name = self._under(event.position())
        if name is not None and event.button() == _LEFT_BUTTON:
            self.focus_node(name)
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        name = self._under(event.position())
        if name is not None and event.button() == _LEFT_BUTTON:
            self.focus_node(name)
            self._go()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._under(event.position()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            name = self._under(QPointF(event.pos()))
            node = self.drawing.node(name) if name is not None else None
            if node is None:
                QToolTip.hideText()
            else:
                tip = as_tip("\n".join(node.lines))
                QToolTip.showText(event.globalPos(), tip, self.viewport(), self._rect_of(node.id))
            return True
        if event.type() is QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self._reveal(centred=True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._look.colours.surface))
        if self.drawing.nodes:
            painter.translate(self._offset())
            GraphPainter(self._look, self._fonts, self.devicePixelRatioF()).paint(
                painter,
                self.drawing,
                self.geometry_in_use,
                focused=self._focused,
                has_focus=self.hasFocus(),
                hovered=self._hovered,
            )
        else:
            painter.setPen(QColor(self._look.colours.muted))
            painter.drawText(self.viewport().rect().adjusted(12, 12, -12, -12), _MIDDLE, self._nothing)
        painter.end()

    def _lay_out(self) -> None:
        room = QSizeF(self.maximumViewportSize())
        tried = (self._fitting(share, room) for share in _SHARES)
        first = next(tried)
        fits = (found for found in (first, *tried) if self._is_wide_enough(found[1], room))
        self._fonts, self.geometry_in_use = next(fits, first)  # who has to scroll anyway is to read well
        size = self.geometry_in_use.size.toSize()
        view = self.viewport().size()
        for bar, whole, seen in (
            (self.horizontalScrollBar(), size.width(), view.width()),
            (self.verticalScrollBar(), size.height(), view.height()),
        ):
            bar.setRange(0, max(0, whole - seen))
            bar.setPageStep(seen)
            bar.setSingleStep(24)
        self.viewport().update()

    def _fitting(self, share: float, room: QSizeF) -> tuple[Fonts, Geometry]:
        fonts = Fonts.of(self.font(), share)
        return fonts, fitting(self.drawing, QFontMetricsF(fonts.plain), QFontMetricsF(fonts.small), room)

    def _is_wide_enough(self, found: Geometry, room: QSizeF) -> bool:
        bar = self.verticalScrollBar().sizeHint().width() if found.size.height() > room.height() else 0
        return found.size.width() + bar <= room.width()

    def _offset(self) -> QPointF:
        """From the drawing to the viewport: a small drawing stands in the middle."""
        size, view = self.geometry_in_use.size, self.viewport().size()
        x = max(0.0, (view.width() - size.width()) / 2) - self.horizontalScrollBar().value()
        y = max(0.0, (view.height() - size.height()) / 2) - self.verticalScrollBar().value()
        return QPointF(round(x), round(y))

    def _reveal(self, *, centred: bool = False) -> None:
        """Scroll so that the focused node is seen, or stands in the middle."""
        rect = self.geometry_in_use.cards.get(self._focused or "")
        if rect is None:
            return
        view = self.viewport().size()
        for bar, start, end, seen in (
            (self.horizontalScrollBar(), rect.left(), rect.right(), view.width()),
            (self.verticalScrollBar(), rect.top(), rect.bottom(), view.height()),
        ):
            if centred:
                bar.setValue(round((start + end - seen) / 2))
            elif start - MARGIN < bar.value():
                bar.setValue(round(start - MARGIN))
            elif end + MARGIN > bar.value() + seen:
                bar.setValue(round(end + MARGIN - seen))

    def _home(self) -> str | None:
        return next((node.id for node in self.drawing.nodes if node.is_self), None)

    def _under(self, position: QPointF) -> str | None:
        return self.geometry_in_use.at(position - self._offset())

    def _rect_of(self, name: str) -> QRect:
        return self.geometry_in_use.cards[name].translated(self._offset()).toAlignedRect()

    def _hover(self, name: str | None) -> None:
        if name != self._hovered:
            self._hovered = name
            self.viewport().update()

    def _go(self) -> None:
        node = self.focused
        if node is None:
            return
        if node.kind is NodeKind.MORE:
            self.list_wanted.emit()
        elif node.order is not None:
            self.order_wanted.emit(*node.order)
        elif node.goes_to is not None:
            self.key_wanted.emit(node.goes_to)

    def _copy(self) -> None:
        node = self.focused
        if node is not None and node.copied:
            QGuiApplication.clipboard().setText(node.copied)

    def _tell(self) -> None:
        """Say in words which node the keyboard is on."""
        node = self.focused
        self.setAccessibleDescription(self._nothing if node is None else ". ".join(node.lines))
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))


def nothing(*, is_unread: bool = False) -> str:
    """Why nothing is drawn: of a file that cannot be read nobody knows what it refers to."""
    if is_unread:
        return t("The file cannot be read.")
    return t("It refers to no document, and none refers to it.")
