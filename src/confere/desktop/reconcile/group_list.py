"""The list at the left: findings by kind with counts and amounts, what is ambiguous, and the tables beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from confere.app.labels.finding_labels import HEADINGS, heading_of, heading_word, progress_sentence
from confere.app.labels.reconciliation_labels import severity_word
from confere.app.reconciliation.queries import FindingGroup, Severity
from confere.desktop.reconcile.reconciliation_text import findings_count, severity_pill
from confere.desktop.theme.measures import GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.pill import pill_colours, pill_edge
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import render, t

_Index = QModelIndex | QPersistentModelIndex
_DISPLAY: Final = Qt.ItemDataRole.DisplayRole
_ACCESSIBLE: Final = Qt.ItemDataRole.AccessibleTextRole
_TIP: Final = Qt.ItemDataRole.ToolTipRole
_NO_FLAGS: Final = Qt.ItemFlag.NoItemFlags
_FLAGS: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_LEFT: Final = (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine).value
_RIGHT: Final = (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine).value
_CENTER: Final = Qt.AlignmentFlag.AlignCenter.value
_ELIDE: Final = Qt.TextElideMode.ElideRight
_SELECTED: Final = QStyle.StateFlag.State_Selected
_FOCUSED: Final = QStyle.StateFlag.State_HasFocus
_NO_PEN: Final = Qt.PenStyle.NoPen
_SIDE = 12
_PILL_SIDE = 7
_NARROWEST = 220
_BAR = 2  # pixels: how thick an amount is drawn


class What(StrEnum):
    """What an entry leads to; a heading leads nowhere."""

    HEADING = "heading"
    ALL = "all"
    RULE = "rule"
    TIES = "ties"
    SUGGESTIONS = "suggestions"
    EXPLAINED = "explained"
    ORDERS = "orders"
    STOCK = "stock"
    TAXES = "taxes"


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A line of the list; of findings with how many wait for a person, how many could not be checked, and money.

    `group` is the one that the line of a rule leads to. `share` is its amount beside the greatest, from 0 to 1.
    `decided` of the `total` findings were settled; 0 of 0 where that is not told.
    """

    what: What
    title: str
    count: int | None = None
    not_checked: int = 0
    amount: int = 0
    group: FindingGroup | None = None
    share: float = 0.0
    decided: int = 0
    total: int = 0

    @property
    def rule(self) -> str:
        """The rule whose findings it leads to; empty where it leads to others."""
        return "" if self.group is None else self.group.rule

    @property
    def severity(self) -> Severity | None:
        """The gravest of a rule's findings."""
        return None if self.group is None else self.group.severity

    @property
    def identity(self) -> tuple[What, str]:
        return self.what, self.rule


def entries_of(
    groups: Sequence[FindingGroup],
    ties: int,
    suggestions: int = 0,
    explained: int = 0,
    amount: int = 0,
    *,
    decided: int = 0,
    total: int = 0,
) -> tuple[GroupLine, ...]:
    """The list for these groups, under what there is to do about them.

    `amount` in centavos is what the `explained` differences come to; `decided` of `total` findings were settled.
    """
    every = GroupLine(
        What.ALL,
        t("All findings"),
        count=sum(group.open for group in groups),
        not_checked=sum(group.not_checked for group in groups),
        amount=sum(group.amount for group in groups),
        decided=decided,
        total=total,
    )
    greatest = max((group.amount for group in groups), default=0)
    rules: list[GroupLine] = []
    for heading in HEADINGS:
        of_heading = [group for group in groups if heading_of(group.rule) == heading]
        if of_heading:
            rules.append(GroupLine(What.HEADING, heading_word(heading)))
        rules += (
            GroupLine(
                What.RULE,
                render(group.title),
                group.open,
                group.not_checked,
                group.amount,
                group,
                share=group.amount / greatest if greatest > 0 else 0.0,
            )
            for group in of_heading
        )
    return (
        GroupLine(What.HEADING, t("Findings")),
        every,
        *rules,
        GroupLine(What.EXPLAINED, t("Explained by the rule"), count=explained, amount=amount),
        GroupLine(What.HEADING, t("Orders and links")),
        GroupLine(What.SUGGESTIONS, t("Suggestions"), count=suggestions),
        GroupLine(What.TIES, t("Ambiguous links"), count=ties),
        GroupLine(What.ORDERS, t("Orders")),
        GroupLine(What.HEADING, t("Tables")),
        GroupLine(What.STOCK, t("Stock at marketplaces")),
        GroupLine(What.TAXES, t("Taxes by CFOP and CST")),
    )


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: tuple[GroupLine, ...] = ()

    def put(self, entries: tuple[GroupLine, ...]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid() or self.entries[index.row()].what is What.HEADING:
            return _NO_FLAGS
        return _FLAGS

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == _DISPLAY:
            return entry.title
        if role == _ACCESSIBLE:
            return spoken(entry)
        if role == _TIP:
            return as_tip(spoken(entry))
        return None


class GroupList(QListView):
    """`chosen` tells the entry that somebody went to; `entered` that Enter was pressed: what it lists is wanted."""

    chosen = Signal(object)
    entered = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _Model(self)
        self._is_putting = False
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(look, self._model, self))
        self.setAccessibleName(t("Kinds of findings, and tables"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(_NARROWEST)
        self.selectionModel().currentChanged.connect(self._current_changed)

    @property
    def current(self) -> GroupLine | None:
        row = self.currentIndex().row()
        return self._model.entries[row] if 0 <= row < len(self._model.entries) else None

    @property
    def entries(self) -> tuple[GroupLine, ...]:
        return self._model.entries

    def put(self, entries: tuple[GroupLine, ...]) -> None:
        """Show these; the same one stays current. Where the current kind is finished the next one is, else all are."""
        if entries == self._model.entries:
            return
        before = self.current
        wanted = before.identity if before is not None else (What.ALL, "")
        if before is not None and before.what is What.RULE:
            wanted = self._next_kind(entries, wanted)
        self._is_putting = True
        self._model.put(entries)
        known = [entry.identity for entry in entries]
        place = known.index(wanted) if wanted in known else known.index((What.ALL, ""))
        self.setCurrentIndex(self._model.index(place))
        self._is_putting = False
        current = self.current
        if current is not None and (before is None or current.identity != before.identity):
            self.chosen.emit(current)

    def _next_kind(self, entries: Sequence[GroupLine], wanted: tuple[What, str]) -> tuple[What, str]:
        """`wanted` where it is still there, else the kind that came after it and is, from the beginning at the end."""
        kinds = [entry.identity for entry in self._model.entries if entry.what is What.RULE]
        known = {entry.identity for entry in entries}
        place = kinds.index(wanted)
        return next((kind for kind in (*kinds[place:], *kinds[:place]) if kind in known), (What.ALL, ""))

    def go_to(self, what: What, rule: str = "") -> bool:
        """Make this entry current; whether there is one."""
        for place, entry in enumerate(self._model.entries):
            if entry.identity == (what, rule):
                self.setCurrentIndex(self._model.index(place))
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def moveCursor(self, action: QListView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """As any list, but past a heading: Home would stand on the first one, where nobody can stand."""
        index = super().moveCursor(action, modifiers)
        while index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEnabled:
            index = index.siblingAtRow(index.row() + 1)
        return index

    def _current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self._is_putting and index.isValid():
            self.chosen.emit(self._model.entries[index.row()])


class _Delegate(QStyledItemDelegate):
    """Two lines an entry: its title with the count, and below what is told of it in small."""

    def __init__(self, look: Look, model: _Model, view: QListView) -> None:
        super().__init__(view)
        self._look, self._model, self._view = look, model, view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        line = option.fontMetrics.height()
        entry = self._model.entries[index.row()]
        if entry.what is What.HEADING:
            return QSize(_NARROWEST, line + 20)
        return QSize(_NARROWEST, (2 * line + 14) if _second(entry) or entry.severity or entry.amount else line + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry, colours, rect = self._model.entries[index.row()], self._look.colours, option.rect
        painter.save()
        if entry.what is What.HEADING:
            painter.setFont(_weighted(option.font, QFont.Weight.DemiBold))
            painter.setPen(QColor(colours.muted))
            painter.drawText(rect.adjusted(_SIDE, 8, -_SIDE, 0), _LEFT, entry.title)
            painter.restore()
            return
        if option.state & _SELECTED:
            painter.fillRect(rect, QColor(colours.accent_soft))
        inner = rect.adjusted(_SIDE, 4, -_SIDE, -4)
        below = bool(_second(entry) or entry.severity or entry.amount)
        upper = QRect(inner.x(), inner.y(), inner.width(), inner.height() // 2 if below else inner.height())
        self._paint_title(painter, option, entry, upper)
        if below:
            self._paint_second(painter, option, entry, inner.adjusted(0, inner.height() // 2, 0, 0))
        if option.state & _FOCUSED:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)  # a pill's would fill the row
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _paint_title(self, painter: QPainter, option: QStyleOptionViewItem, entry: GroupLine, rect: QRect) -> None:
        colours = self._look.colours
        bold = _weighted(option.font, QFont.Weight.DemiBold)
        room = rect.width()
        if entry.count is not None:
            painter.setFont(bold)
            count = formatting.count(entry.count)
            painter.setPen(QColor(colours.text if entry.count else colours.muted))
            painter.drawText(rect, _RIGHT, count)
            room -= painter.fontMetrics().horizontalAdvance(count) + GAP
        painter.setFont(bold if entry.what is What.ALL else option.font)
        painter.setPen(QColor(colours.text))
        title = painter.fontMetrics().elidedText(entry.title, _ELIDE, room)
        painter.drawText(QRect(rect.x(), rect.y(), room, rect.height()), _LEFT, title)

    def _paint_second(self, painter: QPainter, option: QStyleOptionViewItem, entry: GroupLine, rect: QRect) -> None:
        colours = self._look.colours
        small = QFont(option.font)
        small.setPointSizeF(max(option.font.pointSizeF() * 0.9, 6))
        painter.setFont(small)
        left, room = rect.x(), rect.width()
        metrics = painter.fontMetrics()
        if entry.severity is not None:
            word = severity_word(entry.severity)
            back, ink = pill_colours(colours, severity_pill(entry.severity))
            width, height = metrics.horizontalAdvance(word) + 2 * _PILL_SIDE, metrics.height() + 2
            pill = QRect(left, rect.center().y() - height // 2, width, height)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            is_selected = option.state & _SELECTED
            painter.setPen(QColor(pill_edge(colours, severity_pill(entry.severity))) if is_selected else _NO_PEN)
            painter.setBrush(QColor(back))
            painter.drawRoundedRect(pill, height / 2, height / 2)
            painter.setPen(QColor(ink))
            painter.drawText(pill, _CENTER, word)
            left, room = left + width + GAP, room - width - GAP
        if entry.share > 0:
            bar = QRect(rect.x(), rect.bottom() + 1, max(int(rect.width() * entry.share), 2), _BAR)
            painter.fillRect(bar, QColor(colours.accent))
        painter.setPen(QColor(colours.muted))
        amount = formatting.money(entry.amount) if entry.amount else ""
        taken = metrics.horizontalAdvance(amount) + GAP if amount else 0
        painter.drawText(QRect(left, rect.y(), room, rect.height()), _RIGHT, amount)
        text = metrics.elidedText(_second(entry), _ELIDE, room - taken)
        painter.drawText(QRect(left, rect.y(), room - taken, rect.height()), _LEFT, text)


def spoken(entry: GroupLine) -> str:
    """The whole of an entry in a line, for a tooltip and a screen reader."""
    parts = [entry.title]
    if entry.rule:
        parts.insert(0, entry.rule)
    if entry.severity is not None:
        parts.append(t("severity {word}", word=severity_word(entry.severity)))
    if entry.count is not None:
        parts.append(t("{what} open", what=findings_count(entry.count)) if _is_of_findings(entry) else str(entry.count))
    if entry.total:
        parts.append(progress_sentence(entry.decided, entry.total))
    if entry.not_checked:
        parts.append(_not_checked(entry.not_checked))
    if entry.amount:
        parts.append(formatting.money(entry.amount))
    return " · ".join(parts)


def _second(entry: GroupLine) -> str:
    """What stands below the title."""
    if entry.total:
        return progress_sentence(entry.decided, entry.total)
    return _not_checked(entry.not_checked) if entry.not_checked else ""


def _not_checked(number: int) -> str:
    return t("{count} not checked", count=formatting.count(number))


def _is_of_findings(entry: GroupLine) -> bool:
    return entry.what in (What.ALL, What.RULE)


def _weighted(font: QFont, weight: QFont.Weight) -> QFont:
    found = QFont(font)
    found.setWeight(weight)
    return found
