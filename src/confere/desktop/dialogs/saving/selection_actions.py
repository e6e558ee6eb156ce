"""The bar of a list at work: what is selected in it, and what becomes of that or of all that is listed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from confere.desktop.dialogs.saving import selection_saver
from confere.desktop.dialogs.saving.selection_saver import SavableList
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.selection_bar import FEW, BarCommand, SelectionBar


class SelectionActions(QObject):
    """Belongs to `page`. `ask` says how a person is asked for a place.

    `selected` gives the archive's numbers of the selected rows; `every` hands those of all that is listed to whom it
    is given, at once or when they are read. `copies` are commands that save nothing, each with what it does.
    """

    def __init__(
        self,
        services: Services,
        page: QWidget,
        listed: SavableList,
        commands: Sequence[BarCommand],
        selected: Callable[[], array[int]],
        every: Callable[[Callable[[array[int]], None]], None],
        copies: Mapping[str, Callable[[array[int]], None]] | None = None,
    ) -> None:
        super().__init__(page)
        self._services, self._page, self._listed = services, page, listed
        self._selected, self._copies = selected, dict(copies or {})
        self.ask = selection_saver.SYSTEM_DIALOGS
        self.bar = SelectionBar(services.look, commands, page)
        self.bar.wanted.connect(lambda key: self._do(key, selected()))
        self.bar.all_wanted.connect(lambda key: every(lambda ids: self._do(key, ids)))

    def save_xml(self) -> bool:
        """Save the XML of all selected rows where there are several; whether there are."""
        ids = self._selected()
        if not self._page.isVisible() or len(ids) < FEW:
            return False
        self._do(SavedForm.ZIP, ids)
        return True

    def _do(self, key: str, ids: array[int]) -> None:
        copy = self._copies.get(key)
        if copy is not None:
            copy(ids)
        else:
            selection_saver.save(self._services, self._page, self._listed, ids, SavedForm(key), self.ask)
