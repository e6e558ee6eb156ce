"""Puts the text of rows on the clipboard: few at once, many in blocks beside the window."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QGuiApplication

from confere.app.archive_session import OpenArchive
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.error_reporting import Faults
from confere.desktop.widgets.long_list.list_columns import G, ListColumn, ListSource, Q, R, tab_separated

AT_ONCE = 500  # rows that are read without leaving the window's thread
BLOCK = 2000


def table_text(
    opened: OpenArchive, source: ListSource[R, Q], ids: array[int], columns: Sequence[ListColumn[R, G]], glance: G
) -> str:
    """These rows as tab-separated text with the heads of `columns`."""
    head = tab_separated((), columns, glance)
    return head + in_blocks(opened, source, ids, lambda rows: tab_separated(rows, columns, glance, head=False))


def in_blocks(
    opened: OpenArchive, source: ListSource[R, Q], ids: array[int], text: Callable[[Sequence[R]], str]
) -> str:
    """What `text` says of these rows, read block by block."""
    return "".join(text(source.rows(opened, ids[start : start + BLOCK])) for start in range(0, len(ids), BLOCK))


def put(
    reader: BackgroundReader,
    faults: Faults,
    topic: str,
    ids: array[int],
    work: Callable[[], str],
    done: Callable[[int], None],
) -> None:
    """Put what `work` says of these rows on the clipboard, then tell `done` how many they were."""
    if not ids:
        return
    if len(ids) > AT_ONCE:
        reader.ask(topic, work, partial(_put, len(ids), done))
        return
    try:
        _put(len(ids), done, work())
    except Exception as error:
        faults.tell(error)


def _put(count: int, done: Callable[[int], None], text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    done(count)
