"""The documents of rows as files that another program takes: written for a moment, offered, and gone at the end."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData

from confere.app.archive_session import OpenArchive
from confere.desktop.jobs.job_requests import SavedList

if TYPE_CHECKING:
    from confere.app.selection.list_files import ListFiles

MOST_ROWS: Final = 200
"""Rows whose files are dragged or copied at once; more of them are saved to a place that a person chooses."""


class _Place:
    """A folder of this process, made when it is needed first; it goes with the process."""

    folder: tempfile.TemporaryDirectory[str] | None = None


def written(opened: OpenArchive, listed: SavedList, ids: array[int]) -> list[Path]:
    """The XML of the documents that belong to these rows, each a file of its own in a folder of its own.

    Raises `NotInArchive` where no document belongs to them.
    """
    from confere.app.selection import xml_files  # with all of orders and findings, for which no list waits at the start

    if _Place.folder is None:
        _Place.folder = tempfile.TemporaryDirectory(prefix="confere-files-", ignore_cleanup_errors=True)
    folder = Path(tempfile.mkdtemp(dir=_Place.folder.name))
    return xml_files.loose(opened.archive(), _files_of(listed, ids), folder)


def clean_up() -> None:
    """Take away all that was written: at the end of the window, when nobody can ask for it any more."""
    if _Place.folder is not None:
        _Place.folder.cleanup()
        _Place.folder = None


def as_data(paths: Sequence[Path]) -> QMimeData:
    """What file managers and mail programs take: the files, and the word of Linux's file managers that they copy."""
    from PySide6.QtCore import QUrl

    data = QMimeData()
    urls = [QUrl.fromLocalFile(str(path)) for path in paths]
    data.setUrls(urls)
    lines = "\n".join(["copy", *(url.toString(QUrl.ComponentFormattingOption.FullyEncoded) for url in urls)])
    data.setData("x-special/gnome-copied-files", lines.encode())
    return data


def _files_of(listed: SavedList, ids: array[int]) -> ListFiles:
    match listed:
        case SavedList.ORDERS:
            from confere.app.orders.orders import OrderQuery
            from confere.app.selection.order_files import order_files

            return order_files(OrderQuery(), chosen=ids)
        case SavedList.FINDINGS:
            from confere.app.selection.finding_files import of_numbers

            return of_numbers(ids)
        case _:
            from confere.app.selection.document_files import document_files

            return document_files(chosen=ids)
