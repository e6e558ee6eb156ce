"""The list in the sidebar: saved searches, and tags with their colours; one click shows the documents."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QIcon, QKeyEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QMenu, QSizePolicy, QWidget

from confere.app.documents.organize.saved_searches import Arranged, SavedSearch
from confere.app.documents.organize.tags import Tag
from confere.desktop.theme.tag_colours import tag_colour
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.form import text
from confere.desktop.widgets.menus import MenuKey
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import ngettext, t

Kept = SavedSearch | Tag

_ENTRY: Final = Qt.ItemDataRole.UserRole
_ICON: Final = 16
_DOT: Final = 10
_PADDING: Final = 10
_SIDES: Final = 10  # what the style sheet leaves free at the left and right of a line
_ENTERS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SavedSearchList(QListWidget):
    """`opened` has the search or tag that was clicked, or on which Enter was pressed."""

    opened = Signal(object)
    rename_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._arranged = Arranged()
        self.setObjectName("saved")
        self.setAccessibleName(t("Saved searches and tags"))
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIconSize(QSize(_ICON, _ICON))
        self.setWordWrap(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(0)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self)
        self.itemClicked.connect(self._open)
        look.changed.connect(self._fill)
        self._fill()

    @property
    def arranged(self) -> Arranged:
        """What is shown."""
        return self._arranged

    def show_arranged(self, arranged: Arranged) -> None:
        """Show these; whatever stood in use goes on doing so."""
        if arranged != self._arranged:
            self._arranged = arranged
            self._fill()

    def context_menu(self, kept: Kept) -> QMenu:
        """What can be done with a search or a tag."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(t("Show the documents"), lambda: self.opened.emit(kept))
        menu.addSeparator()
        menu.addAction(t("Rename…"), lambda: self.rename_wanted.emit(kept))
        menu.addAction(t("Remove"), lambda: self.remove_wanted.emit(kept))
        return menu

    def item_of(self, kept: Kept) -> QListWidgetItem | None:
        """The line of a search or a tag."""
        items = (self.item(row) for row in range(self.count()))
        return next((item for item in items if _same(item.data(_ENTRY), kept)), None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_hint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Come to by the keyboard it shows where one is."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.MouseFocusReason:
            lines = (self.item(row) for row in range(self.count()) if self.item(row).data(_ENTRY) is not None)
            item = self.currentItem() or next(lines, None)
            if item is not None:
                self.setCurrentItem(item)
                item.setSelected(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was opened may be something else by the time that one looks again: nothing stays marked."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.clearSelection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        kept = None if item is None else item.data(_ENTRY)
        if kept is None:
            super().keyPressEvent(event)
        elif event.key() in _ENTERS:
            self.opened.emit(kept)
        elif event.key() == Qt.Key.Key_F2:
            self.rename_wanted.emit(kept)
        elif event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit(kept)
        else:
            super().keyPressEvent(event)

    def _fill(self) -> None:
        item = self.currentItem()
        before = None if item is None else item.data(_ENTRY)
        self.clear()
        self._head(t("Saved searches"))
        for saved in self._arranged.searches:
            tip = "\n".join(filter(None, (saved.name, saved.words)))
            self._line(saved, saved.name, tip)
        if not self._arranged.searches:
            self._hint(t("The star beside the search keeps it here"))
        if self._arranged.tags:
            self._head(t("Tags"))
        for tag in self._arranged.tags:
            tip = ngettext("{count} document", "{count} documents", tag.documents)
            self._line(tag, tag.name, f"{tag.name}\n{tip}", self._dot(tag.colour))
        if before is not None and (again := self.item_of(before)) is not None:
            self.setCurrentItem(again)

    def _head(self, title: str) -> None:
        item = QListWidgetItem(title, self)
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        font.setPointSizeF(font.pointSizeF() * 0.9)
        item.setFont(font)
        item.setForeground(QColor(self._look.colours.muted))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setSizeHint(QSize(0, self.fontMetrics().height() + _PADDING + 4))
        item.setTextAlignment(Qt.AlignmentFlag.AlignBottom)

    def _hint(self, words: str) -> None:
        """A sentence in as many lines as it needs, in the width that the sidebar has."""
        item = QListWidgetItem(self)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.setItemWidget(item, text(words, "muted"))
        self._fit_hint()

    def _fit_hint(self) -> None:
        bar = self.verticalScrollBar()
        # The viewport's, which is of Qt's own making: see `_viewport` of `list_table`.
        width = self.maximumViewportSize().width() - (bar.width() if bar.isVisibleTo(self) else 0)
        for item in map(self.item, range(self.count())):
            label = self.itemWidget(item)
            if label is not None:
                label.setContentsMargins(6, 2, 2, 2)
                item.setSizeHint(QSize(width, label.heightForWidth(width - _SIDES) + 4))

    def _line(self, kept: Kept, name: str, tip: str, icon: QIcon | None = None) -> None:
        item = QListWidgetItem(name, self)
        if icon is not None:
            item.setIcon(icon)
        item.setData(_ENTRY, kept)
        item.setToolTip(as_tip(tip))
        item.setSizeHint(QSize(0, self.fontMetrics().height() + _PADDING))

    def _dot(self, colour: int) -> QIcon:
        density = self.devicePixelRatioF()
        drawn = QPixmap(QSize(_ICON, _ICON) * density)
        drawn.setDevicePixelRatio(density)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tag_colour(colour, self._look.colours)))
        edge = (_ICON - _DOT) / 2
        painter.drawEllipse(QRectF(edge, edge, _DOT, _DOT))
        painter.end()
        icon = QIcon(drawn)
        icon.addPixmap(drawn, QIcon.Mode.Selected)
        return icon

    def _open(self, item: QListWidgetItem) -> None:
        kept = item.data(_ENTRY)
        if kept is not None:
            self.opened.emit(kept)

    def _show_menu(self, place: QPoint) -> None:
        item = self.itemAt(place)
        kept = None if item is None else item.data(_ENTRY)
        if kept is not None:
            self.context_menu(kept).popup(self.viewport().mapToGlobal(place))


def _same(one: object, other: Kept) -> bool:
    return type(one) is type(other) and getattr(one, "id", None) == other.id
