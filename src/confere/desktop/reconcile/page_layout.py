"""Where the parts of the page Reconcile stand: kinds at the left, a list above both sides of what is chosen in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import GAP

_SIDES, _HEIGHTS = "reconcile/sides", "reconcile/heights"
_WIDTHS = (276, 848)
_SHARES = (250, 330)


class PageLayout:
    """`lists` shows the findings or why there are none, `upper` that or the orders, `right` that with both sides below
    or one of the tables, `bodies` nothing, all of it, or why there is nothing yet. Sizes that a person chose stay.
    """

    def __init__(
        self,
        page: QWidget,
        memory: Memory,
        *,
        head: QWidget,
        groups: QWidget,
        filters: QWidget,
        selection: QWidget,
        findings: QWidget,
        none: QWidget,
        orders: QWidget,
        beside: QWidget,
        tables: Sequence[QWidget],
        footer: QWidget,
        empty: QWidget,
    ) -> None:
        bar = QVBoxLayout()
        bar.setContentsMargins(GAP, GAP, GAP, GAP)
        bar.addWidget(filters)
        self.lists = _stack(findings, none)
        self.upper = _stack(_column(bar, selection, self.lists), orders)
        self.heights = _splitter(Qt.Orientation.Vertical, self.upper, beside)
        self.right = _stack(self.heights, *tables)
        self.sides = _splitter(Qt.Orientation.Horizontal, groups, _column(self.right, footer))
        self.sides.setStretchFactor(1, 1)
        for splitter, name, sizes in ((self.sides, _SIDES, _WIDTHS), (self.heights, _HEIGHTS, _SHARES)):
            if not memory.restore_splitter(name, splitter):
                splitter.setSizes(list(sizes))
            splitter.splitterMoved.connect(
                lambda *_, splitter=splitter, name=name: memory.keep_splitter(name, splitter)
            )
        self.bodies = _stack(QWidget(), _column(self.sides), empty)
        _fill(page, head, self.bodies)


def enter_list(right: QStackedWidget) -> None:
    """Give the keyboard to the list that is seen there, the upper one where there are two."""
    views = right.findChildren(QAbstractItemView)
    seen = [view for view in views if view.isVisible() and view.focusPolicy() & Qt.FocusPolicy.TabFocus]
    if seen:
        min(seen, key=lambda view: view.mapTo(right, QPoint()).y()).setFocus(Qt.FocusReason.OtherFocusReason)


def _stack(*pages: QWidget) -> QStackedWidget:
    made = QStackedWidget()
    for page in pages:
        made.addWidget(page)
    return made


def _splitter(orientation: Qt.Orientation, *parts: QWidget) -> QSplitter:
    made = QSplitter(orientation)
    for part in parts:
        made.addWidget(part)
    made.setChildrenCollapsible(False)
    return made


def _column(*parts: QWidget | QLayout) -> QWidget:
    made = QWidget()
    _fill(made, *parts)
    return made


def _fill(owner: QWidget, *parts: QWidget | QLayout) -> None:
    """One below the other without gaps; stacks and splitters take the room that is left."""
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        if isinstance(part, QLayout):
            column.addLayout(part)
        else:
            column.addWidget(part, 1 if isinstance(part, QStackedWidget | QSplitter) else 0)
