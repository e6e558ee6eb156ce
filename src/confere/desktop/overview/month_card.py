"""The card of the month's figures: how many documents, their worth, what changed, and by type and direction."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from confere.app.labels.labels import direction_word, month_word, type_word
from confere.app.overview.overview import Overview, TypeTotals
from confere.desktop.overview.page_requests import DocumentsRequest
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import Card, button, clear, focus_kept, label
from confere.fiscal.model import VOID, State
from confere.system import formatting
from confere.system.messages import t

VOID_STATES = tuple(state.value for state in State if state in VOID)
"""States of papers without effect: they count apart."""

_RIGHT = Qt.AlignmentFlag.AlignRight


class AmountsCard(Card):
    """`wanted` asks for the documents behind a figure."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(t("Documents and values"), parent)
        self._found: Overview | None = None
        self._figures = QHBoxLayout()
        self._figures.setSpacing(WIDE_GAP * 2)
        self._table = QGridLayout()
        self._table.setHorizontalSpacing(WIDE_GAP + GAP)
        self._table.setVerticalSpacing(2)
        self._foot = label("", "muted", wraps=True)
        self.body.addLayout(self._figures)
        self.body.addSpacing(4)
        self.body.addLayout(self._table)
        self.body.addWidget(self._foot)
        self.body.addStretch(1)

    def put(self, found: Overview) -> None:
        """Show these figures."""
        if found == self._found:
            return
        self._found = found
        with focus_kept(self):
            self._fill(found)

    def _fill(self, found: Overview) -> None:
        clear(self._figures)
        clear(self._table)
        total = found.total
        before = None if found.before is None or found.month is None else (found.before, earlier(found.month))
        self._figures.addLayout(
            _figure(
                t("Documents"),
                formatting.count(total.count),
                _change_of_count(total.count - before[0].count, before[1]) if before else "",
            ),
            1,
        )
        self._figures.addLayout(
            _figure(
                t("Worth"),
                formatting.money(total.worth),
                _change_of_worth(total.worth - before[0].worth, before[1]) if before else "",
            ),
            1,
        )
        self._figures.addLayout(self._void_figure(found), 1)
        self._put_table(found)
        self._foot.setText(_foot(found))
        self._foot.setVisible(bool(self._foot.text()))

    def _void_figure(self, found: Overview) -> QVBoxLayout:
        count = found.total.void_count
        made = _figure(t("Cancelled or without effect"), formatting.count(count), "")
        if count:
            words = t("{worth}, not summed", worth=formatting.money(found.total.void_worth))
            link = button(
                words,
                lambda: self.wanted.emit(DocumentsRequest(states=VOID_STATES)),
                "link",
                t("Show the documents without effect: {count}", count=formatting.count(count)),
            )
            made.insertWidget(2, link, 0, Qt.AlignmentFlag.AlignLeft)
        return made

    def _put_table(self, found: Overview) -> None:
        if not found.kinds:
            return
        any_void = found.total.void_count > 0
        heads = [t("Type"), t("In or out"), t("Documents"), t("Worth")]
        if any_void:
            heads.append(t("Without effect"))
        for column, title in enumerate(heads):
            self._table.addWidget(label(title, "muted", right=column >= 2), 0, column)
        for row, kind in enumerate(found.kinds, start=1):
            word = type_word(kind.type)
            link = button(word, partial(self._show, kind), "link", _name_of(kind))
            self._table.addWidget(link, row, 0, Qt.AlignmentFlag.AlignLeft)
            self._table.addWidget(label(direction_word(kind.direction) or "—"), row, 1)
            self._table.addWidget(label(formatting.count(kind.totals.count), right=True), row, 2)
            self._table.addWidget(
                label(formatting.money(kind.totals.worth) if kind.totals.worth else "—", right=True), row, 3
            )
            if any_void:
                void = kind.totals.void_count
                self._table.addWidget(label(formatting.count(void) if void else "—", "muted", right=True), row, 4)
        self._table.setColumnStretch(len(heads), 1)

    def _show(self, kind: TypeTotals) -> None:
        self.wanted.emit(DocumentsRequest(types=(kind.type,), direction=kind.direction or None))


def earlier(month: str) -> str:
    """The month (`YYYY-MM`) before this one."""
    year, number = int(month[:4]), int(month[5:])
    return f"{year - 1:04d}-12" if number == 1 else f"{year:04d}-{number - 1:02d}"


def _figure(title: str, value: str, change: str) -> QVBoxLayout:
    made = QVBoxLayout()
    made.setSpacing(1)
    made.addWidget(label(title, "muted"))
    made.addWidget(label(value, "figure", selectable=True))
    if change:
        made.addWidget(label(change, "muted", wraps=True))
    made.addStretch(1)
    return made


def _change_of_count(change: int, month: str) -> str:
    return _change(change, formatting.count(abs(change)), month)


def _change_of_worth(change: int, month: str) -> str:
    return _change(change, formatting.money(abs(change)), month)


def _change(change: int, size: str, month: str) -> str:
    if change == 0:
        return t("the same as in {month}", month=month_word(month))
    if change > 0:
        return t("{amount} more than in {month}", amount=size, month=month_word(month))
    return t("{amount} less than in {month}", amount=size, month=month_word(month))


def _name_of(kind: TypeTotals) -> str:
    return t(
        "Show the documents: {kind}",
        kind=" ".join(word for word in (type_word(kind.type), direction_word(kind.direction)) if word),
    )


def _foot(found: Overview) -> str:
    parts = []
    if found.exported_at is not None:
        parts.append(t("Exported on {moment}.", moment=formatting.moment(found.exported_at)))
    if found.undated:
        parts.append(
            t("Documents without a date that can be read, in no month: {count}.", count=formatting.count(found.undated))
        )
    return " ".join(parts)
