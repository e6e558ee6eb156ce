"""Connects commands, pages and jobs of the main window: who asks for what, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from confere.desktop.core import activity_sections, error_reporting
from confere.desktop.core.actions import PLACES, TABS, Action
from confere.desktop.core.file_manager import open_file, open_folder
from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.jobs.job_requests import demo_order, reconcile_order, reindex_order, sync_order, upgrade_order
from confere.desktop.overview.page_requests import NOT_AUTHENTIC
from confere.desktop.services import Services
from confere.desktop.shell import file_drop
from confere.desktop.shell.dialog_opener import Dialogs
from confere.desktop.shell.job_commands import JobCommands
from confere.desktop.shell.last_sync import LastSyncText
from confere.desktop.shell.navigation import Navigation
from confere.desktop.shell.saved.saved_commands import SavedCommands
from confere.desktop.shell.search.search_commands import SearchCommands
from confere.desktop.shell.tray import RunNotices
from confere.desktop.shell.verify_scheduler import Checking
from confere.desktop.shell.window import MainWindow
from confere.desktop.theme.theme import FIXED_DARK, FIXED_LIGHT
from confere.desktop.widgets.notices import OF_ARCHIVE, WARN
from confere.errors import ArchiveOlder, ConfereError
from confere.system.messages import t
from confere.system.settings import APPEARANCE

# Where the activity has what failed in a job; of others the run itself says it.
_FAILED_IN = {
    JobKind.SYNC: activity_sections.FAILED,
    JobKind.DEMO: activity_sections.FAILED,
    JobKind.IMPORT: activity_sections.UNREADABLE,
}
_TOLD_BY_WHO_ORDERED = (JobKind.VERIFY, JobKind.PUSH_PREVIEW)
_TOLD_BY_SETTINGS = (JobKind.CHECK, JobKind.BACKUP, JobKind.RESTORE_PREVIEW)  # its page shows their results itself


class WindowController(QObject):
    """Belongs to one window; holds no state beside what is open now."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._services = window.services
        self._dialogs = Dialogs(window.services, window.actions_by_act, window)
        self._navigation = Navigation(window)
        self._commands = JobCommands(window.services, window.actions_by_act, window)
        self._fresh = LastSyncText(window.services, window.status.say_fresh, self)
        self._checking = Checking(window.services, lambda: self._navigation.to_documents(NOT_AUTHENTIC), self)
        self._runs = RunNotices(window.services, window.go_to, window)
        self.saved = SavedCommands(window)
        self._search = SearchCommands(window)
        self._document = ""
        self._totals = ""
        self._file = self._services.opened.file
        self._upgraded: tuple[int, int] | None = None  # the file for which a job was started: never twice
        self._in_trouble = False  # the archive's file was told to be at fault
        self._details_behind = False  # the archive was written to while another place was in use
        self._connect_commands()
        self._connect_pages()
        self._connect_jobs()
        self._fresh.ask()
        self._bring_up_to_date()
        self._runs.ask()
        window.details.prepare()
        window.top.suggester.prepare()

    def arrived(self, place: Action) -> None:
        """A place was gone to: its page asks for what it shows."""
        window = self._window
        if place is Action.DOCUMENTS:
            window.documents.arrive()
            if self._details_behind:
                self._details_behind = False
                window.details.refresh()
        elif (live := window.stack.live(place)) is not None:
            live.arrive()
        if place is Action.DOCUMENTS:
            window.status.say_totals(self._totals, window.documents.totals_hint)
        elif (page := window.long_list) is not None:
            window.status.say_totals(page.totals, page.totals_hint)
        else:
            window.status.say_totals("")
        self._say_title(self._document)

    def _connect_commands(self) -> None:
        window, services = self._window, self._services
        act = window.actions_by_act
        for place in PLACES:
            act[place].triggered.connect(lambda _=False, place=place: window.go_to(place))
        for tab, name in TABS.items():
            act[tab].triggered.connect(partial(self._turn_to, name))
        act[Action.SEARCH].triggered.connect(self._navigation.to_search)
        act[Action.COPY_KEY].triggered.connect(self._copy_key)
        act[Action.SYNC].triggered.connect(self._sync)
        act[Action.RETRY].triggered.connect(lambda: services.jobs.start(sync_order(only_failed=True)))
        act[Action.STOP].triggered.connect(services.jobs.stop_all)
        act[Action.IMPORT_FILES].triggered.connect(lambda: file_drop.choose_files(services, window))
        act[Action.IMPORT_FOLDER].triggered.connect(lambda: file_drop.choose_folder(services, window))
        act[Action.IMPORT_ORDERS].triggered.connect(lambda: self._dialogs.import_orders())
        act[Action.RECONCILE_NOW].triggered.connect(self._reconcile)
        act[Action.EXPORT].triggered.connect(self._dialogs.export)
        act[Action.VERIFY].triggered.connect(self._checking.order)
        act[Action.APPEARANCE].triggered.connect(self._other_appearance)
        act[Action.DETAILS].triggered.connect(self._navigation.toggle_details)
        act[Action.PALETTE].triggered.connect(self._dialogs.palette)
        act[Action.HELP].triggered.connect(self._show_help)
        act[Action.ABOUT].triggered.connect(self._dialogs.about)
        act[Action.QUIT].triggered.connect(window.close)

    def _connect_pages(self) -> None:
        window = self._window
        window.documents.totals_changed.connect(self._say_totals)
        window.documents.selected.connect(self._selected)
        window.documents.opened.connect(self._opened)
        window.details.shown.connect(self._say_title)
        window.details.list_wanted.connect(lambda: window.spread_document(False))
        window.details.navigated.connect(window.documents.follow)
        window.details.save_rows_of(window.documents.selection)
        window.details.order_wanted.connect(self._navigation.to_order)
        window.stack.made.connect(self._connect_page)
        window.arrived.connect(self.arrived)

    def _connect_page(self, place: Action, _page: object) -> None:
        """A page that was made just now."""
        window, navigation = self._window, self._navigation
        match place:
            case Action.OVERVIEW:
                window.overview.documents_wanted.connect(navigation.to_documents)
                window.overview.demo_wanted.connect(self._demo)
                window.overview.account_wanted.connect(self._add_account)
                window.overview.activity_wanted.connect(navigation.to_activity)
                window.overview.place_wanted.connect(window.go_to)
                window.overview.backups_wanted.connect(navigation.to_backups)
                window.overview.findings_wanted.connect(navigation.to_grave_findings)
                window.overview.rule_wanted.connect(navigation.to_rule)
            case Action.ORDERS:
                window.details.save_rows_of(window.orders.selection)
                window.orders.paper_wanted.connect(navigation.to_paper)
                window.orders.reconcile_wanted.connect(navigation.to_order_in_reconcile)
                window.orders.totals_changed.connect(self._say_list)
            case Action.CATALOG:
                window.catalog.documents_wanted.connect(navigation.to_documents_with)
                window.catalog.order_wanted.connect(navigation.to_order)
                window.catalog.finding_wanted.connect(navigation.to_finding)
                window.catalog.totals_changed.connect(self._say_list)
            case Action.RECONCILE:
                window.details.save_rows_of(window.reconcile.selection)
                window.reconcile.paper_wanted.connect(navigation.to_paper)
                window.reconcile.report_wanted.connect(self._dialogs.report)
                window.reconcile.import_wanted.connect(self._dialogs.import_orders)
            case Action.CLOSING:
                window.closing.remedy_wanted.connect(navigation.to_remedy)
                window.closing.paper_wanted.connect(navigation.to_paper)
                window.closing.finding_wanted.connect(navigation.to_finding)
                window.closing.bridge.paper_wanted.connect(navigation.to_paper)
                window.closing.bridge.order_wanted.connect(navigation.to_order)
                window.closing.bridge.unowned_wanted.connect(navigation.to_orders_of_no_company)
            case Action.ACTIVITY:
                window.activity.unreadable.show_wanted.connect(navigation.to_paper)
                window.activity.not_believed.show_wanted.connect(navigation.to_paper)
            case Action.SETTINGS:
                window.settings.language_changed.connect(window.rebuild_wanted)
                window.settings.hiding_changed.connect(self._hiding_changed)

    def _demo(self) -> None:
        self._services.jobs.start(demo_order())

    def _connect_jobs(self) -> None:
        services = self._services
        services.jobs.ended.connect(self._job_ended)
        services.watch.changed.connect(self._archive_changed)
        services.watch.vanished.connect(self._archive_vanished)
        services.faults.told.connect(self._fault_told)
        self._commands.refresh()

    # -- details ----------------------------------------------------------------------------------

    def _selected(self, document_id: object) -> None:
        if isinstance(document_id, int):
            self._window.details.show_document(document_id)
        else:
            self._window.details.clear()

    def _opened(self, document_id: int) -> None:
        self._window.spread_document(True)
        self._window.details.show_document(document_id)
        self._window.details.take_keyboard()

    def _say_title(self, document: str) -> None:
        """The window's title names the document, so that the list of open windows does too."""
        self._document = document
        here = document if document and self._window.place is Action.DOCUMENTS else ""
        self._window.setWindowTitle(f"{here} — Confere" if here else "Confere")

    def _copy_key(self) -> None:
        """Of what one is in: the rows of the list, or the document that its details have walked to."""
        if self._window.place is not Action.DOCUMENTS:
            return
        details = self._window.details
        focused = self._window.focusWidget()
        if focused is not None and details.isAncestorOf(focused) and details.current is not None:
            details.header.copy_key()
        else:
            self._window.documents.copy_keys()

    def _turn_to(self, tab: str, _checked: bool = False) -> None:
        """A page of the document, with the keyboard in it."""
        details = self._window.details
        self._window.go_to(Action.DOCUMENTS)
        details.show()
        details.show_tab(tab)
        focus_first(details.tabs.currentWidget())

    def _hiding_changed(self) -> None:
        self._window.details.refresh()

    def _say_totals(self, text: str) -> None:
        self._totals = text
        if self._window.place is Action.DOCUMENTS:
            self._window.status.say_totals(text, self._window.documents.totals_hint)

    def _say_list(self, text: str) -> None:
        page = self._window.long_list
        if page is not None and self.sender() is page:
            self._window.status.say_totals(text, page.totals_hint)

    # -- jobs ------------------------------------------------------------------------------------------------

    def _sync(self) -> None:
        if not self._services.opened.exists:
            self._add_account()
        elif not self._services.jobs.has(JobKind.SYNC):
            self._services.jobs.start(sync_order())

    def _reconcile(self) -> None:
        """The account that the page speaks of, else all; the month in use, else every one."""
        page = self._window.stack.known(Action.RECONCILE)
        account = self._window.reconcile.standing.account if page is not None else None
        self._services.jobs.start(reconcile_order((account,) if account else (), self._services.scope.month))

    def _add_account(self) -> None:
        self._dialogs.add_account(self._window.top.refresh)

    def _job_ended(self, outcome: JobOutcome) -> None:
        from confere.desktop.jobs import job_outcomes

        notices = self._services.notices
        if outcome.order.kind in _TOLD_BY_WHO_ORDERED:
            pass
        elif outcome.error is not None:
            notices.add_fault(error_reporting.of_rendered(outcome.error), topic=outcome.order.kind)
        elif outcome.order.kind not in _TOLD_BY_SETTINGS or self._window.place is not Action.SETTINGS:
            kind, text = job_outcomes.told(outcome)
            notices.add(kind, text, topic=outcome.order.kind, action=self._next_step(outcome, kind))
        if outcome.order.kind is JobKind.UPGRADE and outcome.done:
            self._in_trouble = True  # the same file, and another archive
        self._services.watch.look()
        self._archive_changed()

    def _next_step(self, outcome: JobOutcome, kind: str) -> tuple[str, Callable[[], None]] | None:
        from confere.desktop.jobs import job_outcomes

        folder = job_outcomes.folder_of(outcome)
        if folder:
            return t("Open the folder"), partial(open_folder, Path(folder))
        report = job_outcomes.reports(outcome)
        if report:
            return t("Open the report"), partial(open_file, Path(report))
        if outcome.order.kind is JobKind.RECONCILE and self._window.place is not Action.RECONCILE:
            return t("Show the findings"), partial(self._window.go_to, Action.RECONCILE)
        if outcome.order.kind is JobKind.UPGRADE and job_outcomes.read_by_older(outcome):
            return t("Read again"), lambda: self._services.jobs.start(reindex_order())
        if kind == WARN and outcome.order.kind not in _TOLD_BY_SETTINGS:
            return t("Show what failed"), partial(self._show_failed, outcome.order.kind)
        return None

    def _show_failed(self, kind: JobKind) -> None:
        self._navigation.to_activity(_FAILED_IN.get(kind, activity_sections.RUNS))
        self._window.go_to(Action.ACTIVITY)

    # -- the archive -----------------------------------------------------------------------------------------

    def _archive_changed(self) -> None:
        file = self._services.opened.file
        if file != self._file or self._in_trouble:
            if file != self._file:
                self._services.memory.drafts.clear()  # the numbers that they are about are another archive's
            self._file = file
            self._bring_up_to_date()
        window = self._window
        self._commands.refresh()
        window.top.refresh()
        self._fresh.ask()
        window.documents.archive_changed()
        self._details_behind = window.place is not Action.DOCUMENTS
        if window.place is Action.DOCUMENTS:
            window.details.refresh()
        elif (live := window.stack.live(window.place)) is not None:
            live.archive_changed()

    def _archive_vanished(self) -> None:
        """Say so, and show what an empty folder shows; put back in its place it is seen again."""
        self._services.opened.close()
        self._archive_changed()
        try:
            self._services.opened.archive()
        except ConfereError as error:
            self._services.faults.tell(error)

    def _fault_told(self, fault: error_reporting.Fault) -> None:
        self._services.notices.add_fault(fault)
        self._in_trouble = self._in_trouble or fault.of_archive

    def _bring_up_to_date(self) -> None:
        """An archive of an older release cannot be read before a job has changed it, with a copy kept."""
        if not self._services.opened.exists:
            return
        try:
            self._services.opened.archive()
        except ArchiveOlder:
            if self._upgraded != self._file:
                self._upgraded = self._file
                self._services.jobs.start(upgrade_order())
        except ConfereError as error:
            self._services.faults.tell(error)
        else:
            self._in_trouble = False
            self._upgraded = None
            self._services.notices.withdraw(OF_ARCHIVE)

    # -- the rest --------------------------------------------------------------------------------------------

    def _other_appearance(self) -> None:
        look, settings = self._services.look, self._services.workspace.settings
        look.use(FIXED_LIGHT if look.colours.is_dark else FIXED_DARK)
        try:
            settings.set(APPEARANCE, look.appearance)
            settings.save()
        except Exception as error:
            self._services.faults.tell(error)

    def _show_help(self) -> None:
        self._dialogs.help(self._about())

    def _about(self) -> Action:
        """What somebody is at: a page of the details, the search box, or else the place."""
        window = self._window
        focused = window.focusWidget()
        if focused is window.top.search:
            return Action.SEARCH
        if focused is not None and window.place is Action.DOCUMENTS and window.details.isAncestorOf(focused):
            return next(act for act, name in TABS.items() if name == window.details.tab)
        return window.place


def connected_window(services: Services) -> MainWindow:
    """A window with everything connected, as it was left the last time."""
    window = MainWindow(services)
    WindowController(window)  # belongs to the window
    services.look.apply_styles()
    window.restore()
    return window


def focus_first(page: QWidget) -> None:
    """Give the keyboard to the first thing in `page` that takes it."""
    found: QWidget | None = page.nextInFocusChain()
    while found is not None and found is not page and page.isAncestorOf(found):
        if found.focusPolicy() & Qt.FocusPolicy.TabFocus and found.isVisible() and found.isEnabled():
            found.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        found = found.nextInFocusChain()
    page.setFocus(Qt.FocusReason.ShortcutFocusReason)
