"""Tags of the selected documents: the menu that puts them on and takes them off, and undo."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget

from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.documents.document_list import DocumentModel, DocumentTable
from confere.desktop.documents.totals_text import documents_text
from confere.desktop.services import Services
from confere.desktop.widgets.notices import GOOD
from confere.errors import ConfereError
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.documents.organize.tags import TagChange
    from confere.desktop.dialogs.naming.name_dialog import NameDialog

_LOOKED_AT: Final = 400  # selected rows whose tags the menu knows: it opens at once
_TOPIC: Final = "tags"


class TagCommands(QObject):
    """Belongs to `page`."""

    def __init__(self, services: Services, model: DocumentModel, table: DocumentTable, page: QWidget) -> None:
        super().__init__(page)
        self._services, self._model, self._table, self._page = services, model, table, page
        self._reader = TopicReader(self, services.reader, "documents.tags", services.faults.tell)
        self._last: tuple[TagChange, bool] | None = None  # and whether it put the tag on
        self.dialog: NameDialog | None = None
        undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), table)
        undo.setContext(Qt.ShortcutContext.WidgetShortcut)
        undo.activated.connect(self.undo)

    def menu(self, parent: QWidget) -> QMenu:
        """Every tag, checked where all selected rows bear it; and a new one."""
        from confere.app.documents.organize import tags

        menu = QMenu(t("Tags"), parent)
        ids = self._table.selected_ids()
        looked_at = list(ids[:_LOOKED_AT])
        try:
            known = tags.every(self._services.opened)
            borne = tags.borne(self._services.opened, looked_at)
        except ConfereError as error:
            self._services.faults.tell(error)
            known, borne = (), {}
        for tag in known:
            bearing = borne.get(tag.name, 0)
            title = tag.name
            if 0 < bearing < len(looked_at):
                title = t(
                    "{name} ({count} of {total})",
                    name=tag.name,
                    count=formatting.count(bearing),
                    total=formatting.count(len(looked_at)),
                )
            action = menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(bool(looked_at) and bearing == len(looked_at))
            action.triggered.connect(partial(self._toggled, tag.name, ids))
        if known:
            menu.addSeparator()
        menu.addAction(t("New tag…"), lambda: self.ask_new(ids))
        return menu

    def put(self, name: str, ids: array[int]) -> None:
        """Put the tag on these documents."""
        from confere.app.documents.organize import tags

        self._write(partial(tags.add, self._services.workspace, name, ids), self._was_put)

    def take_off(self, name: str, ids: array[int]) -> None:
        """Take the tag off these documents."""
        from confere.app.documents.organize import tags

        self._write(partial(tags.remove, self._services.workspace, name, ids), self._was_taken)

    def ask_new(self, ids: array[int]) -> None:
        """Ask for the name of a tag for these documents."""
        from confere.desktop.dialogs.naming.name_dialog import NameDialog

        dialog = NameDialog(t("New tag"), t("Put it on"), in_searches=True, parent=self._page.window())
        self.dialog = dialog
        dialog.accepted.connect(lambda: self.put(dialog.name, ids))
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self._closed)
        dialog.open()

    def undo(self) -> None:
        """Take the last change back, once."""
        from confere.app.documents.organize import tags

        if self._last is None:
            return
        (change, was_put), self._last = self._last, None
        self._write(partial(tags.take_back, self._services.workspace, change, was_put=was_put), self._taken_back)

    def _toggled(self, name: str, ids: array[int], checked: bool) -> None:
        (self.put if checked else self.take_off)(name, ids)

    def _was_put(self, change: TagChange) -> None:
        what = documents_text(len(change.ids))
        self._tell(change, True, t("Tag {name} put on: {what}.", name=change.tag.name, what=what))

    def _was_taken(self, change: TagChange) -> None:
        what = documents_text(len(change.ids))
        self._tell(change, False, t("Tag {name} taken off: {what}.", name=change.tag.name, what=what))

    def _tell(self, change: TagChange, was_put: bool, words: str) -> None:
        self._last = (change, was_put)
        self._services.notices.add(GOOD, words, topic=_TOPIC, action=(t("Undo"), self.undo))
        self._show()

    def _taken_back(self, _: TagChange) -> None:
        self._services.notices.withdraw(_TOPIC)
        self._show()

    def _show(self) -> None:
        """The rows on the screen at once; who lists by tags lists anew in its own time."""
        self._model.look_as(self._model.glance)
        self._services.watch.look()

    def _write(self, work: Callable[[], TagChange], then: Callable[[TagChange], None]) -> None:
        self._reader.write(work, then)

    def _closed(self) -> None:
        self.dialog = None
