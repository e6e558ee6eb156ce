"""The page Documents: chips above, the list, what there is to do with its rows, and its sums for the status bar."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentRow, DocumentTotals
from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.dialogs.saving import selection_saver
from confere.desktop.dialogs.saving.selection_actions import SelectionActions
from confere.desktop.dialogs.saving.selection_saver import SavableList
from confere.desktop.documents import search_result
from confere.desktop.documents.clipboard import copy_keys, copy_rows
from confere.desktop.documents.columns import Glance
from confere.desktop.documents.document_list import DocumentModel, DocumentTable
from confere.desktop.documents.filter_chips import ChipRow
from confere.desktop.documents.filters import DocumentFilters
from confere.desktop.documents.row_menu import row_menu
from confere.desktop.documents.tag_commands import TagCommands
from confere.desktop.documents.totals_text import SUMS, documents_text, selection_text
from confere.desktop.jobs.job_requests import SavedList
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.long_list.empty_list import EmptyList
from confere.desktop.widgets.long_list.header_menu import fill_column_menu
from confere.desktop.widgets.long_list.totals_reader import Summing
from confere.desktop.widgets.menus import menu_of
from confere.errors import ArchiveMissing
from confere.system.messages import t
from confere.system.settings import HIDE_PEOPLE

if TYPE_CHECKING:
    from confere.app.documents.search.search_language import SearchProblem


class DocumentsPage(QWidget):
    """Lists what the scope, the search and the chips ask for together. It reads nothing until `arrive`."""

    selected = Signal(object)  # id of the current document, or None
    opened = Signal(int)
    totals_changed = Signal(str)
    problem_found = Signal(object)  # a SearchProblem or None
    search_cleared = Signal()  # the page dropped the search by itself

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._actions = actions
        self._reader = TopicReader(self, services.reader, "documents", self._forgive)
        self._text = self._understood = ""  # what was typed, and what of it was last understood
        self._own: frozenset[str] | None = None
        self._is_dirty = True
        self._is_behind = False  # the archive was written to while another page was in front
        self._wanted_id: int | None = None
        self._elsewhere: DocumentQuery | None = None  # lists nothing, though other months would
        self._sums = Summing(SUMS, services.opened, self._reader, self)
        self._columns: QToolButton
        self.model = DocumentModel(services.opened, services.reader, services.faults, services.look, self)
        self.chips = ChipRow(services.look, self)
        self.table = DocumentTable(self.model, services.look, services.memory, self)
        self._result = search_result.SearchResult(self.model, self.table, services.opened, self._reader)
        self.selection = SelectionActions(
            services,
            self,
            SavableList(SavedList.DOCUMENTS, documents_text, t("documents")),
            (*selection_saver.document_commands(), selection_saver.table_command(), selection_saver.keys_command()),
            self.table.selected_ids,
            lambda then: then(self.table.listed_ids()),
            {selection_saver.KEYS: partial(copy_keys, services)},
            self.table,
        )
        self.tags = TagCommands(services, self.model, self.table, self)
        ways = ((actions[Action.IMPORT_FILES].text(), Action.IMPORT_FILES), (t("Go to the overview"), Action.OVERVIEW))
        self.empty = EmptyList(
            services.look,
            "documents",
            t("There are no documents yet"),
            t("Sync an account, or import XML files, ZIP files or folders."),
            [(words, actions[act]) for words, act in ways],
            self,
        )
        self._lay_out()
        self._connect()

    # What the window calls

    def arrive(self) -> None:
        """The page came to the front."""
        if self._is_dirty or self._hides_people() != self.model.glance.hide_people:
            self._ask()
        elif self._is_behind:
            self._look_again()
        if self.model.ids:
            self.table.setFocus()

    def archive_changed(self) -> None:
        """The archive was written to, or came or went."""
        if self.isVisible():
            self._look_again()
        else:
            self._is_behind = True

    def _look_again(self) -> None:
        """What is listed stays in its place while it is asked for anew."""
        self._is_behind = False
        if self.model.ids and self._services.opened.exists:
            self.model.refresh()
            opened = self._services.opened
            self._reader.ask("own", lambda: browse.own_tax_ids(opened), self._owners_renewed)
        else:
            self._own = None
            self._ask()

    def search(self, text: str) -> None:
        """List what `text` asks for in the search language."""
        if text != self._text:
            self._text = text
            self._ask()

    def set_filters(self, filters: DocumentFilters) -> None:
        """Choose these on the chips; the month of a day comes into use where the days in use leave it out."""
        self.chips.show_filters(filters)
        if filters.day is not None:
            self._services.scope.include(filters.day)
        self._ask()

    def show_only(self, **chosen: Any) -> None:
        """Fields of `DocumentFilters` by name; every other filter and the search are dropped."""
        self._drop_search()
        self.set_filters(DocumentFilters(**chosen))

    def show_search(self, text: str, filters: DocumentFilters) -> None:
        """List what `text` asks for within these filters, instead of what was asked for before."""
        self._text = text
        self.set_filters(filters)

    def select_document(self, document_id: int) -> bool:
        """Stand on this document; whether it is listed. One that is still being listed is stood on when it comes."""
        found = self.table.stand_on(document_id)
        self._wanted_id = None if found or self.model.is_settled else document_id
        return found

    def stand_on_result(self) -> None:
        """Stand on what the search found: on the first row that shows what was typed, else on the first."""
        if self._text:
            self._result.look_for(is_listed=self._own is not None)

    def follow(self, document_id: int) -> None:
        """Stand where the details went by themselves. Told back to them when the keys rest, it would overtake a
        further step that was made meanwhile."""
        if self.table.stand_on(document_id, quietly=True):
            self._wanted_id = None
        else:
            self.select_document(document_id)

    def copy_rows(self) -> None:
        """Copy the selected rows as tab-separated text."""
        copy_rows(self._services, self.table.selected_ids(), self.table.visible_columns(), self.model.glance)

    def copy_keys(self) -> None:
        """Copy the access keys of the selected rows."""
        copy_keys(self._services, self.table.selected_ids())

    @property
    def totals_hint(self) -> str:
        """What the sum leaves out, for a tooltip."""
        return self._sums.hint

    @property
    def selected_id(self) -> int | None:
        return self.table.current_id

    # How it is built

    def _lay_out(self) -> None:
        self._columns = QToolButton(self)
        self._columns.setProperty("look", "quiet")
        self._columns.setProperty("beside", "chips")
        self._columns.setToolTip(t("Columns"))
        self._columns.setAccessibleName(t("Columns"))
        self._columns.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = menu_of(self._columns)
        menu.aboutToShow.connect(self._fill_columns)
        self._columns.setMenu(menu)
        bar = QHBoxLayout()
        bar.setContentsMargins(GAP + 4, GAP, GAP, GAP)
        bar.addWidget(self.chips, 1)
        bar.addWidget(self._columns, 0, Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.selection.bar)
        layout.addWidget(self._stack, 1)
        self.setTabOrder(self._columns, self.selection.bar.buttons["xml"])  # as it is seen: the bars, then the list
        self.setTabOrder(self.selection.bar.every, self.table)
        self._paint()

    def _connect(self) -> None:
        services, model, table = self._services, self.model, self.table
        services.scope.changed.connect(self._scope_changed)
        services.look.changed.connect(self._paint)
        self.chips.changed.connect(self._ask)
        self.chips.wanted.connect(self._ask_choices)
        self.empty.clear_wanted.connect(self._clear_all)
        self.empty.every_month_wanted.connect(lambda: services.scope.choose(services.scope.company, None))
        model.modelReset.connect(self._show_rows)
        model.settled.connect(self._settled)
        self._sums.changed.connect(self.totals_changed)
        self._sums.selection_changed.connect(self._say_selected)
        table.selected.connect(self.selected)
        table.opened.connect(self.opened)
        table.chosen.connect(self._chosen)
        table.customContextMenuRequested.connect(self._show_menu)
        table.header_menu_wanted.connect(self._show_header_menu)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_rows)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._services.memory.save()

    # Asking

    def _ask(self, *_: object) -> None:
        """List anew what is asked for now."""
        self._is_dirty = self._is_behind = False
        if self._own is None:
            opened = self._services.opened
            self._reader.ask("own", lambda: browse.own_tax_ids(opened), self._owners_known, self._no_owners)
            return
        query, problem = self._query()
        self.problem_found.emit(problem)
        self.model.ask(query, self._glance(query))

    def _owners_known(self, own: frozenset[str]) -> None:
        self._own = own
        self._ask()

    def _owners_renewed(self, own: frozenset[str]) -> None:
        """An account came or went: whose counterparty is whose may have changed."""
        if own != self._own:
            self._own = own
            self.model.look_as(self._glance(self.model.query))

    def _no_owners(self, error: Exception) -> None:
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)
        self.model.clear()
        self._settled()

    def _query(self) -> tuple[DocumentQuery, SearchProblem | None]:
        scope, arrangement = self._services.scope, self.table.arrangement
        base = DocumentQuery(
            company=scope.company,
            from_day=scope.first_day,
            to_day=scope.last_day,
            sort=arrangement.sort,
            descending=arrangement.descending,
        )
        base = self.chips.filters.within(base)
        query, problem, self._understood = search_result.narrowed(base, self._text, self._understood)
        return query, problem

    def _glance(self, query: DocumentQuery) -> Glance:
        own = frozenset((query.company,)) if query.company is not None else self._own or frozenset()
        return Glance(own, query.company, self._hides_people())

    def _hides_people(self) -> bool:
        return self._services.workspace.settings.get(HIDE_PEOPLE)

    def _settled(self) -> None:
        """All ids are here: what they amount to, and where there are none, why."""
        if self._wanted_id is not None:
            self.table.stand_on(self._wanted_id)
            self._wanted_id = None
        self._show_rows()
        if not self.model.ids:
            self._explain_nothing()
            return
        self._sums.sum_listed(self.model.query)
        self._chosen()

    def _ask_choices(self) -> None:
        opened = self._services.opened
        query, _ = self._query()
        self._reader.ask("choices", lambda: browse.choices(opened, query), self.chips.offer)

    def _chosen(self) -> None:
        self._sums.sum_selected(self.table.selected_ids())

    def _say_selected(self, count: int, totals: DocumentTotals | None) -> None:
        words = "" if totals is None else selection_text(totals)
        self.selection.show_counts(len(self.model.ids), count, words)

    def _forgive(self, error: Exception) -> None:
        """An archive that went while it was asked is shown as such by the list."""
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)

    # Nothing to list

    def _show_rows(self) -> None:
        if self.model.ids:
            self._stack.setCurrentWidget(self.table)

    def _explain_nothing(self) -> None:
        self._sums.sum_nothing()
        narrowed = bool(self._text) or self.chips.filters.is_any
        scope = self._services.scope
        if not self._services.opened.exists or not (narrowed or scope.company or scope.first_day):
            self._show_nothing(nothing_here=True, narrowed=False, elsewhere=False)
            return
        query = self.model.query
        # What was known is said again until it is known anew: a sync asks every second.
        self._show_nothing(nothing_here=False, narrowed=narrowed, elsewhere=query == self._elsewhere)
        if scope.first_day is None:
            return
        wider = replace(query, from_day=None, to_day=None)
        if self.chips.filters.day is not None or wider == query:
            return
        opened = self._services.opened
        self._reader.ask(
            "elsewhere",
            lambda: browse.first(opened, wider, 1),
            partial(self._looked_elsewhere, query, narrowed),
        )

    def _looked_elsewhere(self, query: DocumentQuery, narrowed: bool, rows: tuple[DocumentRow, ...]) -> None:
        self._elsewhere = query if rows else None
        if query == self.model.query and not self.model.ids:
            self._show_nothing(nothing_here=False, narrowed=narrowed, elsewhere=bool(rows))

    def _show_nothing(self, *, nothing_here: bool, narrowed: bool, elsewhere: bool) -> None:
        if nothing_here:
            self.empty.nothing_here()
        else:
            in_a_month = self._services.scope.first_day is not None
            self.empty.nothing_found(narrowed=narrowed, in_a_month=in_a_month, elsewhere=elsewhere)
        self._stack.setCurrentWidget(self.empty)

    def _clear_all(self) -> None:
        self._drop_search()
        self.set_filters(DocumentFilters())
        self.table.setFocus()

    def _drop_search(self) -> None:
        if self._text:
            self._text = self._understood = ""
            self.search_cleared.emit()

    # Menus and manners

    def _scope_changed(self) -> None:
        scope, filters = self._services.scope, self.chips.filters
        if filters.day is not None and not scope.has_day(filters.day):
            self.chips.show_filters(replace(filters, day=None))  # of the month or period that was left
        if self.isVisible():
            self._ask()
        else:
            self._is_dirty = True

    def _fill_columns(self) -> None:
        fill_column_menu(self._columns.menu(), self.table)

    def _show_header_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_column_menu(menu, self.table)
        menu.popup(place)

    def _show_menu(self, place: QPoint) -> None:
        menu = self.context_menu()
        if menu is not None:
            menu.popup(self.table.viewport().mapToGlobal(place))

    def context_menu(self) -> QMenu | None:
        """What can be done with the selected rows; None where nothing is selected."""
        current = self.table.current_id
        if current is None:
            return None
        look, opens = self._services.look, partial(self.opened.emit, current)
        return row_menu(self, look, self._actions, opens, self.copy_rows, self.tags)

    def _paint(self) -> None:
        self._columns.setIcon(self._services.look.icon("columns", "muted"))
