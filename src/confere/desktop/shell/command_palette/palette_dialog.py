"""The palette itself: a field, what it means below it, and Enter that does the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QLineEdit, QTableView, QVBoxLayout, QWidget

from confere.desktop.services import Services
from confere.desktop.shell.command_palette.ranking import PaletteEntry, Uses, ranked
from confere.desktop.theme.measures import GAP, ROW
from confere.desktop.widgets.card import label
from confere.system.messages import t

_WIDTH, _HEIGHT = 560, 420
_BELOW_TOP = 56
_MOST = 60  # that are listed; more letters bring the rest
_TO_LIST = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_ROLE = Qt.ItemDataRole.AccessibleTextRole


class PaletteDialog(QDialog):
    """Closes when an entry is chosen, and does it then; Esc closes it without doing anything."""

    def __init__(self, services: Services, entries: Sequence[PaletteEntry], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._services, self._window = services, parent
        self._entries = entries
        self._uses = Uses(services.memory)
        self._shown: list[PaletteEntry] = []
        self.setObjectName("palette")
        self.setWindowTitle(t("All commands"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(t("What do you want to do? A command, page, company or month"))
        self.field.setAccessibleName(t("Command, page, company or month"))
        self.model = QStandardItemModel(0, 2, self)
        self.list = QTableView()
        self.list.setModel(self.model)
        self.list.setAccessibleName(t("What can be done"))
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard stays in the field, whose arrows walk here
        self.list.setShowGrid(False)
        self.list.horizontalHeader().hide()
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(ROW)
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.why = label("", "muted", wraps=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GAP + 4, GAP + 4, GAP + 4, GAP)
        layout.addWidget(self.field)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.why)
        self.field.textChanged.connect(self._fill)
        self.list.clicked.connect(lambda index: self._do(index.row()))
        self.list.selectionModel().currentRowChanged.connect(lambda *_: self._say())
        self._fill("")
        self._place(parent)
        self.field.setFocus()

    @property
    def current(self) -> PaletteEntry | None:
        """The entry that Enter does."""
        row = self.list.currentIndex().row()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    @property
    def shown(self) -> list[PaletteEntry]:
        """The entries that are listed, from top to bottom."""
        return self._shown

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _TO_LIST:
            self._walk(event.key())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do(self.list.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _walk(self, key: int) -> None:
        page = max(self.list.viewport().height() // ROW - 1, 1)
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page}
        row = self.list.currentIndex().row() + step[Qt.Key(key)]
        self.list.setCurrentIndex(self.model.index(min(max(row, 0), self.model.rowCount() - 1), 0))

    def _fill(self, typed: str) -> None:
        self._shown = ranked(self._entries, typed, self._uses.count)[:_MOST]
        muted = QColor(self._services.look.colours.muted)
        self.model.setRowCount(0)
        for entry in self._shown:
            title, beside = QStandardItem(entry.title), QStandardItem(entry.keys or entry.kind)
            beside.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            beside.setForeground(muted)
            if entry.why_not:
                title.setForeground(muted)
            told = (entry.title, entry.kind, entry.keys, entry.why_not)
            title.setData(", ".join(part for part in told if part), _ROLE)
            self.model.appendRow([title, beside])
        self.list.setCurrentIndex(self.model.index(0, 0))
        self._say()

    def _say(self) -> None:
        """Why the chosen one cannot be done now, or how the keys go."""
        entry = self.current
        if entry is None:
            self.why.setText(t("Nothing is called so. Fewer letters show more."))
        else:
            self.why.setText(entry.why_not or t("Enter does it, Esc closes."))
        self.field.setAccessibleDescription(f"{entry.title}. {entry.why_not}" if entry else self.why.text())

    def _do(self, row: int) -> None:
        if not 0 <= row < len(self._shown) or self._shown[row].why_not:
            return
        entry = self._shown[row]
        self._uses.add(entry.name)
        self.accept()
        # Only once the window has the keyboard again: what is done may ask where it stands.
        QTimer.singleShot(0, self._window, entry.run)

    def _place(self, parent: QWidget) -> None:
        width, height = min(_WIDTH, parent.width() - 40), min(_HEIGHT, parent.height() - _BELOW_TOP - 20)
        self.resize(width, height)
        self.move(parent.mapToGlobal(QPoint((parent.width() - width) // 2, _BELOW_TOP)))
