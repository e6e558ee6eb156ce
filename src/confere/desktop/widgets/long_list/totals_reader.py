"""Keeps the line about what is listed and selected up to date; sums are taken beside the window."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection
from typing import Generic, NamedTuple, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from confere.app.archive_session import OpenArchive
from confere.desktop.core.reader_topics import TopicReader
from confere.system import formatting
from confere.system.messages import ngettext


class Sum(Protocol):
    """What rows amount to; `worth` is in centavos."""

    @property
    def count(self) -> int: ...

    @property
    def worth(self) -> int: ...


Q = TypeVar("Q")
S = TypeVar("S", bound=Sum)


class SumSource(NamedTuple, Generic[Q, S]):
    """Where the sums of a list come from: of a query, of these ids, and of nothing.

    `words` is the line about what is listed, `hint` what the sum leaves out.
    """

    of_query: Callable[[OpenArchive, Q], S]
    of_ids: Callable[[OpenArchive, Collection[int]], S]
    nothing: S
    words: Callable[[S], str]
    hint: Callable[[S], str]


class Summing(QObject, Generic[Q, S]):
    """`changed` brings the line whenever a part of it is known anew, `selection_changed` what is selected: how many
    rows and their sum, None while that is not known."""

    changed = Signal(str)
    selection_changed = Signal(int, object)

    def __init__(self, source: SumSource[Q, S], opened: OpenArchive, reader: TopicReader, parent: QObject) -> None:
        super().__init__(parent)
        self._source = source
        self._opened = opened
        self._reader = reader
        self._listed: S | None = None
        self._selected = ""

    @property
    def hint(self) -> str:
        """What the sum leaves out; empty where it leaves out nothing."""
        return "" if self._listed is None else self._source.hint(self._listed)

    @property
    def line(self) -> str:
        """What is listed and selected; empty where it is not known yet."""
        listed = "" if self._listed is None else self._source.words(self._listed)
        return " · ".join(filter(None, (listed, self._selected)))

    def sum_listed(self, query: Q) -> None:
        """Sum up everything that `query` lists."""
        opened, source = self._opened, self._source
        self._reader.ask("totals", lambda: source.of_query(opened, query), self._take_listed)

    def sum_nothing(self) -> None:
        """Nothing is listed."""
        self._reader.forget("totals")
        self._selected = ""
        self._take_listed(self._source.nothing)
        self.selection_changed.emit(0, None)

    def sum_selected(self, ids: array[int]) -> None:
        """Sum up these rows, where there are several."""
        count = len(ids)
        if count < 2:
            self._reader.forget("selected")
            self._selected = ""
            self._say()
            self.selection_changed.emit(count, None)
            return
        self._selected = selected_text(count)
        self.selection_changed.emit(count, None)
        opened, source = self._opened, self._source
        self._reader.ask("selected", lambda: source.of_ids(opened, ids), self._take_selected)

    def _take_listed(self, totals: S) -> None:
        self._listed = totals
        self._say()

    def _take_selected(self, totals: S) -> None:
        self._selected = selected_text(totals.count, totals.worth)
        self._say()
        self.selection_changed.emit(totals.count, totals)

    def _say(self) -> None:
        self.changed.emit(self.line)


def selected_text(count: int, worth: int | None = None) -> str:
    """3 selected R$ 1.204,00"""
    text = ngettext("{count} selected", "{count} selected", count)
    return text if worth is None else f"{text} {formatting.money(worth)}"
