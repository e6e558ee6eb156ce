"""A tab of the product whose rows are asked for only when somebody looks at it: the whole archive is gone through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtWidgets import QTabWidget, QWidget

from confere.app.catalog.browse_catalog import ShownProduct
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.widgets.short_list.worded_table import WordedTable
from confere.desktop.widgets.table import Table
from confere.system import formatting
from confere.system.messages import t

T = TypeVar("T")


class AskedTab(WordedTable[T]):
    """`read` gives the rows of a product, in the reader's thread; `words` what is said of them."""

    def __init__(
        self,
        title: str,
        table: Table[T],
        reader: TopicReader,
        read: Callable[[ShownProduct], Sequence[T]],
        words: Callable[[Sequence[T]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(table, parent)
        self._title, self._reader, self._read, self._words = title, reader, read, words
        self._topic = table.objectName()
        self._of: ShownProduct | None = None  # whose rows are in the table, or asked for
        self._tabs: QTabWidget | None = None

    def stand_in(self, tabs: QTabWidget) -> None:
        """Be the last of these tabs."""
        self._tabs = tabs
        tabs.addTab(self, self._title)

    def show_for(self, shown: ShownProduct | None) -> None:
        """Ask for this product's rows, if they are looked at; others' go."""
        if shown is self._of:
            return
        if shown is None or self._tabs is None or self._tabs.currentWidget() is not self:
            self._forget()
            return
        self._of = shown
        self._reader.ask(self._topic, lambda: (shown, self._read(shown)), self._have)

    def _have(self, answer: tuple[ShownProduct, Sequence[T]]) -> None:
        shown, rows = answer
        if shown is not self._of:
            return
        self.table.put(rows)
        self.say(self._words(rows))
        self._count(len(rows))

    def _forget(self) -> None:
        self._of = None
        self._reader.forget(self._topic)
        self.table.put(())
        self.say("")
        self._count(0)

    def _count(self, count: int) -> None:
        if self._tabs is not None:
            self._tabs.setTabText(self._tabs.indexOf(self), counted(self._title, count))


def counted(title: str, count: int) -> str:
    """The title of a tab with how many rows it has."""
    return t("{title} ({count})", title=title, count=formatting.count(count)) if count else title
