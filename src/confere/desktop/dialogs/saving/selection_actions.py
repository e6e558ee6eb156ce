"""The bar of a list at work: what is selected in it, and what becomes of that or of all that is listed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDrag, QGuiApplication
from PySide6.QtWidgets import QTableView, QWidget

from confere.desktop.dialogs.saving import row_files, selection_saver
from confere.desktop.dialogs.saving.row_drag import RowDrag
from confere.desktop.dialogs.saving.selection_saver import SavableList
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.selection_bar import FEW, BarCommand, SelectionBar
from confere.desktop.widgets.notices import GOOD, INFO
from confere.system import formatting
from confere.system.messages import t


class SelectionActions(QObject):
    """Belongs to `page`. `ask` says how a person is asked for a place.

    `selected` gives the archive's numbers of the selected rows; `every` hands those of all that is listed to whom it
    is given, at once or when they are read. `copies` are commands that save nothing, each with what it does. Out of
    `dragged`, the table, selected rows are dragged as files. `several` tells whether two or more rows are selected.
    """

    several = Signal(bool)

    def __init__(
        self,
        services: Services,
        page: QWidget,
        listed: SavableList,
        commands: Sequence[BarCommand],
        selected: Callable[[], array[int]],
        every: Callable[[Callable[[array[int]], None]], None],
        copies: Mapping[str, Callable[[array[int]], None]] | None = None,
        dragged: QTableView | None = None,
    ) -> None:
        super().__init__(page)
        self._services, self._page, self._listed = services, page, listed
        self._selected, self._copies = selected, dict(copies or {})
        self._has_documents = any(command.key == selection_saver.FILES for command in commands)
        self.ask = selection_saver.SYSTEM_DIALOGS
        self.carry = _carry
        if dragged is not None:
            RowDrag(dragged).started.connect(partial(self._drag, dragged))
        self.bar = SelectionBar(services.look, commands, page)
        self.bar.wanted.connect(lambda key: self._do(key, selected()))
        self.bar.all_wanted.connect(lambda key: every(lambda ids: self._do(key, ids)))

    def save_xml(self) -> bool:
        """Save the XML of all selected rows where there are several; whether there are."""
        ids = self._selected()
        if not self._has_documents or not self._page.isVisible() or len(ids) < FEW:
            return False
        self._do(SavedForm.ZIP, ids)
        return True

    def show_counts(self, listed: int, selected: int, words: str = "") -> None:
        """So many rows are listed and selected; `words` say what the selected ones amount to."""
        self.bar.show_counts(listed, selected, words)
        self.several.emit(selected >= FEW)

    def copy_files(self, ids: array[int]) -> None:
        """Put the documents of these rows on the clipboard as files."""
        if self._is_too_many(ids):
            return
        opened, listed = self._services.opened, self._listed.list
        self._services.reader.ask("copy files", lambda: row_files.written(opened, listed, ids), self._have_files)

    def _have_files(self, paths: list[Path]) -> None:
        QGuiApplication.clipboard().setMimeData(row_files.as_data(paths))
        count = formatting.count(len(paths))
        self._services.notices.add(GOOD, t("Files copied: {count}.", count=count), topic="files.copy")

    def _drag(self, table: QTableView) -> None:
        ids = self._selected()
        if not ids or self._is_too_many(ids):
            return
        try:
            paths = row_files.written(self._services.opened, self._listed.list, ids)
        except Exception as error:
            self._services.faults.tell(error)
            return
        self.carry(table, row_files.as_data(paths))

    def _is_too_many(self, ids: array[int]) -> bool:
        if len(ids) <= row_files.MOST_ROWS:
            return False
        most = formatting.count(row_files.MOST_ROWS)
        text = t("More than {most} rows are selected. Save their XML as a ZIP or into a folder instead.", most=most)
        self._services.notices.add(INFO, text, topic="files.copy")
        return True

    def _do(self, key: str, ids: array[int]) -> None:
        copy = self.copy_files if key == selection_saver.FILES else self._copies.get(key)
        if copy is not None:
            copy(ids)
        else:
            selection_saver.save(self._services, self._page, self._listed, ids, SavedForm(key), self.ask)


def _carry(source: QWidget, data: QMimeData) -> None:
    """Drag it until it is dropped somewhere."""
    drag = QDrag(source)
    drag.setMimeData(data)
    drag.exec(Qt.DropAction.CopyAction)
