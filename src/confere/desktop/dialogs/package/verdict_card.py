"""What is said before a package is written: a green or amber card, then a table of what would be in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.app.labels.labels import (
    direction_word,
    documents_word,
    event_word,
    events_word,
    key_groups,
    month_word,
    state_word,
    type_word,
)
from confere.app.packages.verdict import DocumentGroup, ExportVerdict
from confere.desktop.core import clipboard_rows
from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import GAP, ICON, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.form import text
from confere.desktop.widgets.pill import brief_state, kind_of_state
from confere.desktop.widgets.plain_text import Label
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import ngettext, render, t

GREEN, AMBER, PLAIN = "good", "warn", "info"
_ICONS = {GREEN: "check", AMBER: "warning", PLAIN: "info"}
_MOST_LINES = 5  # sentences about what lacks
_MOST_KEYS = 3  # of what is not authentic


class VerdictCard(QFrame):
    """`fetch_wanted`: what a sync can bring shall be brought."""

    fetch_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.kind = PLAIN
        self._icon = Label()
        self.headline = text("", "heading", selectable=True)
        self.lines = text("", selectable=True)
        self.fetch = QPushButton(t("Download now"))
        self.fetch.setAutoDefault(False)  # Enter is the dialog's own button
        self.fetch.clicked.connect(lambda: self.fetch_wanted.emit())
        head = QHBoxLayout()
        head.setSpacing(GAP + 2)
        head.addWidget(self._icon)
        head.addWidget(self.headline, 1)
        head.addWidget(self.fetch)
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE_GAP, 10, WIDE_GAP, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.lines)
        look.changed.connect(self._paint)
        self.tell("")

    def tell(self, sentence: str, *, kind: str = PLAIN) -> None:
        """Say only this: that it is being looked at, or why nothing can be said."""
        self._show(kind, sentence, [], fetches=False)

    def show_verdict(self, verdict: ExportVerdict) -> None:
        """Say whether the month is complete, and everything that it lacks."""
        self._show(
            GREEN if verdict.is_complete else AMBER,
            headline_of(verdict),
            lines_of(verdict),
            fetches=verdict.can_be_fetched,
        )

    def _show(self, kind: str, headline: str, lines: list[str], *, fetches: bool) -> None:
        self.kind = kind
        self.setProperty("verdict", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        self.setAccessibleName(headline)
        self.setAccessibleDescription("\n".join(lines))
        self.headline.setText(headline)
        self.lines.setText("\n".join(lines))
        self.lines.setVisible(bool(lines))
        self.fetch.setVisible(fetches)
        self._paint()

    def _paint(self) -> None:
        self._icon.setPixmap(self._look.icon(_ICONS[self.kind], self.kind).pixmap(ICON, ICON))


class GroupTable(Table[DocumentGroup]):
    """Documents by type, direction and state, with their number and value; short words of states where it is narrow."""

    def __init__(self, name: str, look: Look, memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(name, t("Documents of the package"), _columns(), lambda row: row[:3], look, memory, parent)


def headline_of(verdict: ExportVerdict) -> str:
    """October 2026, all documents: 108 documents, 14 events, R$ 41.293,10; or what lacks of it."""
    month = month_word(verdict.month)
    month = month[:1].upper() + month[1:]
    if verdict.is_complete:
        return t("{month}, all documents: {contents}", month=month, contents=contents_of(verdict))
    if verdict.waiting:
        return ngettext("{count} XML missing", "{count} XML missing", verdict.waiting)
    if not verdict.xml:
        return t("{month}: there is nothing to hand over.", month=month)
    return t("{month} is not complete", month=month)


def contents_of(verdict: ExportVerdict) -> str:
    """108 documents, 14 events (1 of them on documents of earlier months), R$ 41.293,10"""
    return ", ".join((documents_word(verdict.documents), _events(verdict), formatting.money(verdict.worth)))


def _events(verdict: ExportVerdict) -> str:
    """How many, and which of them a closing of the month does not count."""
    words, earlier = events_word(verdict.events), verdict.earlier_events
    if not earlier:
        return words
    return t("{events} (on documents of earlier months: {count})", events=words, count=formatting.count(earlier))


def lines_of(verdict: ExportVerdict) -> list[str]:
    """What is there where it is not all, what lacks, what is not authentic by its key, what was not checked."""
    lines = []
    if verdict.missing and verdict.xml:
        lines.append(t("Here: {contents}", contents=contents_of(verdict)))
    lacks = _lacks(verdict)
    lines += lacks[:_MOST_LINES]
    if len(lacks) > _MOST_LINES:
        lines.append(t("… and {count} more", count=formatting.count(len(lacks) - _MOST_LINES)))
    forged = verdict.not_authentic
    lines += [t("Not authentic: {key}", key=_named(name)) for name in forged[:_MOST_KEYS]]
    if len(forged) > _MOST_KEYS:
        lines.append(t("… and {count} more", count=formatting.count(len(forged) - _MOST_KEYS)))
    if verdict.unverified:
        lines.append(t("Authenticity not checked yet: {count}", count=formatting.count(verdict.unverified)))
    left_out = sum(entry.contents.left_out for entry in verdict.previews)
    if left_out:
        lines.append(t("Files left out by this choice: {count}", count=formatting.count(left_out)))
    return lines


def _named(name: str) -> str:
    """A document by its key; an event, `KEY CODE/SEQUENCE`, by its document's key and what it is."""
    key, _, event = name.partition(" ")
    code = event.partition("/")[0]
    return " · ".join(filter(None, (key_groups(key), event_word(code, None, key) if code else "")))


def _lacks(verdict: ExportVerdict) -> list[str]:
    """What lacks, in sentences: one for all companies where only a number tells theirs apart."""
    sums: Counter[str] = Counter()
    for lack in verdict.missing:
        if lack.what.params.keys() == {"count"}:
            sums[lack.what.id] += lack.count
    whats = (lack.what for lack in verdict.missing)
    every = (replace(what, params={"count": sums[what.id]}) if what.id in sums else what for what in whats)
    return list(dict.fromkeys(map(render, every)))


def _columns() -> tuple[TableColumn[DocumentGroup], ...]:
    return (
        TableColumn("type", t("Type"), lambda row: type_word(row.type), 88),
        TableColumn("direction", t("In/out"), lambda row: direction_word(row.direction), 70),
        TableColumn(
            "state",
            t("State"),
            lambda row: state_word(row.state),
            124,
            stretches=True,
            pill=lambda row: kind_of_state(row.state),
            brief=lambda row: brief_state(row.state),
        ),
        TableColumn("count", t("Qty"), lambda row: formatting.count(row.documents), 44, right=True),
        TableColumn(
            "worth",
            t("Value"),
            lambda row: formatting.money(row.worth),
            96,
            right=True,
            copied=lambda row: clipboard_rows.money(row.worth),
        ),
    )
