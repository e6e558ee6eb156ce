"""Puts documents and their keys on the clipboard."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from confere.app.documents import browse
from confere.app.documents.browse import DocumentRow
from confere.desktop.documents import totals_text
from confere.desktop.documents.columns import DocumentColumn, Glance
from confere.desktop.services import Services
from confere.desktop.widgets.long_list import clipboard
from confere.desktop.widgets.notices import GOOD
from confere.system.messages import t

_WORTH_SAYING = 2  # documents from which a notice tells what was copied


def copy_rows(services: Services, ids: array[int], columns: Sequence[DocumentColumn], glance: Glance) -> None:
    """Copy these documents as tab-separated text with the heads of `columns`."""
    opened = services.opened
    _copy(services, ids, lambda: clipboard.table_text(opened, browse, ids, columns, glance))


def copy_keys(services: Services, ids: array[int]) -> None:
    """Copy the access keys of these documents, 44 characters each, one a line."""

    def text(rows: Sequence[DocumentRow]) -> str:
        return "".join(f"{row.access_key}\n" for row in rows if row.access_key)

    opened = services.opened
    _copy(services, ids, lambda: clipboard.in_blocks(opened, browse, ids, text).removesuffix("\n"))


def _copy(services: Services, ids: array[int], work: Callable[[], str]) -> None:
    def done(count: int) -> None:
        if count >= _WORTH_SAYING:
            what = totals_text.documents_text(count)
            services.notices.add(GOOD, t("Copied: {what}.", what=what), topic="documents.copy")

    clipboard.put(services.reader, services.faults, "documents.copy", ids, work, done)
