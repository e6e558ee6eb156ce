"""What is done with saved searches and tags in the sidebar: shown, saved, renamed, removed, and brought back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from confere.app.documents.organize.saved_searches import Arranged
from confere.app.documents.organize.tags import Tag
from confere.desktop.core.actions import Action
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.shell.saved.saved_list import Kept
from confere.desktop.shell.window import MainWindow
from confere.desktop.widgets.notices import GOOD, WARN
from confere.errors import ArchiveMissing, ArchiveOlder, ConfereError
from confere.system.messages import ngettext, t

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from confere.app.documents.organize.saved_searches import SavedSearch
    from confere.app.documents.organize.tags import DeletedTag, RenamedTag
    from confere.desktop.documents.filters import DocumentFilters

_TOPIC = "saved"


class SavedCommands(QObject):
    """Belongs to one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._services = window, window.services
        self._reader = TopicReader(self, window.services.reader, "saved", self._failed)
        self._dialog: QDialog | None = None
        shown = window.sidebar.saved
        shown.opened.connect(self.open)
        shown.rename_wanted.connect(self.rename)
        shown.remove_wanted.connect(self.remove)
        window.actions_by_act[Action.SAVE_SEARCH].triggered.connect(self.save)
        window.services.watch.changed.connect(self.refresh)
        window.services.watch.vanished.connect(self.refresh)
        self.refresh()

    @property
    def dialog(self) -> QDialog | None:
        """The dialog that is open."""
        return self._dialog

    def refresh(self) -> None:
        """Ask the archive what there is."""
        from confere.app.documents.organize import saved_searches

        opened = self._services.opened
        if opened.exists:
            self._reader.ask("arranged", lambda: saved_searches.arranged(opened), self._show, self._not_shown)
        else:
            self._show(Arranged())

    def open(self, kept: Kept) -> None:
        """Show the documents of a saved search, or those that bear a tag; of the days in use where it keeps to none."""
        from confere.app.documents.organize import spelling
        from confere.desktop.documents import saved_filters

        window, scope = self._window, self._services.scope
        if isinstance(kept, Tag):
            window.go_to(Action.DOCUMENTS)
            self._search(spelling.clause("tag", kept.name), saved_filters.NOTHING)
            return
        try:
            wanted = saved_filters.opened(kept)
        except ConfereError as error:  # of this search: that the archive changed is no better news of it
            self._services.notices.add_fault(of_exception(error), topic=_TOPIC)
            return
        company = wanted.company or scope.company
        if wanted.every_month or wanted.month is not None:
            scope.choose(company, wanted.month)
        else:
            scope.choose_company(company)
        window.go_to(Action.DOCUMENTS)
        self._search(wanted.words, wanted.filters)

    def save(self) -> None:
        """Ask for a name for what the list of documents shows, and keep it."""
        from confere.app.documents.organize import saved_searches
        from confere.app.labels.labels import month_word
        from confere.desktop.dialogs.naming.save_search import SaveSearchDialog
        from confere.desktop.documents import saved_filters

        window, scope = self._window, self._services.scope
        if not self._services.opened.exists:
            self._services.notices.add(WARN, t("There is nothing to search yet: sync or import first."), topic=_TOPIC)
            return
        words = window.top.search.text().strip()
        filters = window.documents.chips.filters
        known = window.sidebar.saved.arranged.searches
        dialog = SaveSearchDialog(
            saved_searches.free_name(words, known) if words else "",
            [saved.name for saved in known],
            company=window.top.scope.company.text().replace("&&", "&") if scope.company else "",
            month=month_word(scope.month) if scope.month else "",
            is_any=bool(words) or filters.is_any,
            parent=window,
        )

        def chosen() -> None:
            kept = saved_filters.query_of(
                filters,
                scope.company if dialog.company.isChecked() else None,
                scope.month if dialog.month.isChecked() else None,
            )
            work = partial(
                saved_searches.save, self._services.workspace, dialog.name, words, kept, replace=dialog.replaces
            )
            self._write(work, self._saved)

        self._ask(dialog, chosen)

    def rename(self, kept: Kept) -> None:
        """Ask for another name."""
        from confere.app.documents.organize import saved_searches, tags
        from confere.desktop.dialogs.naming.name_dialog import NameDialog

        is_tag = isinstance(kept, Tag)
        title = t("Rename the tag") if is_tag else t("Rename the saved search")
        dialog = NameDialog(title, t("Rename"), kept.name, in_searches=is_tag, parent=self._window)
        change: Callable[..., object] = tags.rename if is_tag else saved_searches.rename
        workspace = self._services.workspace
        self._ask(dialog, lambda: self._write(partial(change, workspace, kept.name, dialog.name), self._renamed))

    def remove(self, kept: Kept) -> None:
        """Let it go, with a way back."""
        from confere.app.documents.organize import saved_searches, tags

        workspace = self._services.workspace
        if isinstance(kept, Tag):
            self._write(partial(tags.delete, workspace, kept.name), self._tag_gone)
        else:
            self._write(partial(saved_searches.remove, workspace, kept.name), self._search_gone)

    def _search(self, words: str, filters: DocumentFilters) -> None:
        window = self._window
        window.documents.show_search(words, filters)
        window.top.search.put(words)  # which asks for nothing else then

    def _show(self, arranged: Arranged) -> None:
        self._window.sidebar.saved.show_arranged(arranged)

    def _not_shown(self, error: Exception) -> None:
        """What is wrong with the archive is told by those who show more of it."""
        if not isinstance(error, ArchiveMissing | ArchiveOlder):
            self._failed(error)

    def _saved(self, saved: SavedSearch) -> None:
        self._services.notices.add(GOOD, t("Saved in the sidebar: {name}.", name=saved.name), topic=_TOPIC)
        self._changed()

    def _renamed(self, done: SavedSearch | RenamedTag) -> None:
        from confere.app.documents.organize.tags import RenamedTag

        if isinstance(done, RenamedTag) and done.searches:
            words = t("Saved searches changed with it: {names}.", names=", ".join(done.searches))
            self._services.notices.add(GOOD, words, topic=_TOPIC)
        self._changed()

    def _search_gone(self, saved: SavedSearch) -> None:
        from confere.app.documents.organize import saved_searches

        back = partial(saved_searches.bring_back, self._services.workspace, saved)
        self._told_gone(t("The saved search {name} was removed; no document changed.", name=saved.name), back)

    def _tag_gone(self, deleted: DeletedTag) -> None:
        from confere.app.documents.organize import tags

        back = partial(tags.bring_back, self._services.workspace, deleted)
        words = ngettext(
            "The tag {name} was let go; {count} document bore it.",
            "The tag {name} was let go; {count} documents bore it.",
            deleted.tag.documents,
            name=deleted.tag.name,
        )
        if deleted.searches:
            words += " " + t("Saved searches still name it: {names}.", names=", ".join(deleted.searches))
        self._told_gone(words, back)

    def _told_gone(self, words: str, back: Callable[[], object]) -> None:
        self._services.notices.add(
            GOOD, words, topic=_TOPIC, action=(t("Undo"), lambda: self._write(back, self._brought_back))
        )
        self._changed()

    def _brought_back(self, _: object) -> None:
        self._services.notices.withdraw(_TOPIC)
        self._changed()

    def _changed(self, _: object = None) -> None:
        self._services.watch.look()
        self.refresh()

    def _write(self, work: Callable[[], object], then: Callable[..., None]) -> None:
        self._reader.write(work, then)

    def _failed(self, error: Exception) -> None:
        self._services.faults.tell(error)

    def _ask(self, dialog: QDialog, chosen: Callable[[], None]) -> None:
        self._dialog = dialog
        dialog.accepted.connect(chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self._closed)
        dialog.open()

    def _closed(self) -> None:
        self._dialog = None
