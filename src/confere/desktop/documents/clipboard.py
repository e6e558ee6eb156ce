"""Puts rows and keys on the clipboard: few at once, many in blocks beside the window."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from PySide6.QtGui import QGuiApplication

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse
from confere.app.documents.browse import DocumentRow
from confere.desktop.documents import totals_text
from confere.desktop.documents.columns import DocumentColumn, Glance, tab_separated
from confere.desktop.services import Services
from confere.desktop.widgets.notices import GOOD
from confere.system.messages import t

_AT_ONCE = 500  # documents that are read without leaving the window's thread
_BLOCK = 2000
_WORTH_SAYING = 2  # documents from which a notice tells what was copied


def copy_rows(services: Services, ids: array[int], columns: Sequence[DocumentColumn], glance: Glance) -> None:
    """Copy these documents as tab-separated text with the heads of `columns`."""
    head = tab_separated((), columns, glance)

    def text(rows: Sequence[DocumentRow]) -> str:
        return tab_separated(rows, columns, glance, head=False)

    opened = services.opened
    _copy(services, ids, lambda: head + _all(opened, ids, text))


def copy_keys(services: Services, ids: array[int]) -> None:
    """Copy the access keys of these documents, 44 characters each, one a line."""

    def text(rows: Sequence[DocumentRow]) -> str:
        return "".join(f"{row.access_key}\n" for row in rows if row.access_key)

    opened = services.opened
    _copy(services, ids, lambda: _all(opened, ids, text).removesuffix("\n"))


def _copy(services: Services, ids: array[int], work: Callable[[], str]) -> None:
    if not ids:
        return
    count = len(ids)
    if count > _AT_ONCE:
        services.reader.ask("documents.copy", work, lambda text: _put(services, text, count))
        return
    try:
        _put(services, work(), count)
    except Exception as error:
        services.faults.tell(error)


def _put(services: Services, text: str, count: int) -> None:
    QGuiApplication.clipboard().setText(text)
    if count >= _WORTH_SAYING:
        services.notices.add(GOOD, t("Copied: {what}.", what=totals_text.documents_text(count)), topic="documents.copy")


def _all(opened: OpenArchive, ids: array[int], text: Callable[[Sequence[DocumentRow]], str]) -> str:
    return "".join(text(browse.rows(opened, ids[start : start + _BLOCK])) for start in range(0, len(ids), _BLOCK))
