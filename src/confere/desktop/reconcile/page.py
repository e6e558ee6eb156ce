"""The page Reconcile: head, kinds of findings at the left, the list and both sides of what is chosen in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from confere.app.reconciliation.decisions import Acted
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingRow, FindingState, OrderLine
from confere.desktop.core.actions import Actions
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile import empty_reasons
from confere.desktop.reconcile.comparison.comparison_panel import ComparisonPanel, pop_up
from confere.desktop.reconcile.decisions import decision_commands
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.decisions.decision_dialogs import Deciders
from confere.desktop.reconcile.decisions.decision_writer import DecisionWriter
from confere.desktop.reconcile.decisions.page_acts import acts_of
from confere.desktop.reconcile.decisions.reason_chips import ReasonChips
from confere.desktop.reconcile.decisions.reviewers import Reviewers
from confere.desktop.reconcile.empty_state import Empty
from confere.desktop.reconcile.filters import FilterRow, FindingFilters
from confere.desktop.reconcile.findings_bar import FindingsBar
from confere.desktop.reconcile.findings_table import FindingList
from confere.desktop.reconcile.footer import Footer
from confere.desktop.reconcile.group_list import GroupLine, GroupList, What
from confere.desktop.reconcile.page_layout import PageLayout, enter_list
from confere.desktop.reconcile.page_state import EVERY_ACCOUNT, ChosenAccount, PageState, gather
from confere.desktop.reconcile.run_header import RunHeader
from confere.desktop.reconcile.tables.near_miss_pages import ExplainedPage, SuggestionsPage
from confere.desktop.reconcile.tables.orders_page import OrdersPage
from confere.desktop.reconcile.tables.stock_page import StockPage
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.reconcile.tables.taxes_page import TaxesPage
from confere.desktop.reconcile.tables.ties_page import TiesPage
from confere.desktop.services import Services
from confere.errors import ArchiveMissing

_CALM_MS = 1500  # between two questions while a run fills the archive


class ReconcilePage(QWidget):
    """`paper_wanted` carries the access key of a document to be opened among the documents.

    `report_wanted` and `import_wanted` ask the window for a dialog, with the account in use.
    """

    paper_wanted = Signal(str)
    report_wanted = Signal(object)
    import_wanted = Signal(object)

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._actions = services, actions
        self._reader = TopicReader(self, services.reader, "reconcile", self._forgive)
        self._stale = True
        self._run: int | None = None
        # The entry to go to as soon as it is known, and the account, None for the one in use.
        self._wanted: tuple[What, str, str | None] | None = None
        self._chosen = ChosenAccount(services.memory, services.scope.company)
        self.standing = PageState()
        self.commands = decision_commands.make(self, services.look)
        self.writer = DecisionWriter(services, self._reader, self)
        self.head = RunHeader(services.look, actions)
        self.groups = GroupList(services.look)
        self.filters = FilterRow(services.look)
        self.findings = FindingList(services, self._reader)
        self.chips = ReasonChips(self)
        self.beside = ComparisonPanel(services, self._reader, self.commands, self.chips)
        self.footer = Footer(self.commands)
        self.selection = FindingsBar(services, self.findings)
        self.ties = TiesPage(services, self._reader)
        self.suggestions = SuggestionsPage(services, self._reader)
        self.explained = ExplainedPage(services, self._reader)
        self.orders = OrdersPage(services, self._reader)
        self.stock = StockPage(services, self._reader)
        self.taxes = TaxesPage(services, self._reader)
        self._tables: Mapping[What, TablePage[Any]] = {
            What.TIES: self.ties, What.SUGGESTIONS: self.suggestions, What.EXPLAINED: self.explained,
            What.TAXES: self.taxes}  # fmt: skip
        self.empty = Empty(services.look)
        self.deciders = Deciders(services, self.writer, self)
        self.reviewers = Reviewers(services, self.writer, self.deciders, self)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_CALM_MS)
        self._again.timeout.connect(self._calm)
        self._lay_out()
        self._connect()

    def arrive(self) -> None:
        """The page came to the front."""
        self._ask()
        if self.findings.rows and self._entry.what in (What.ALL, What.RULE):
            self.findings.table.setFocus()

    def archive_changed(self) -> None:
        """Something was written; look again, but not all the time."""
        self._stale = True
        if self.isVisible() and not self._again.isActive():
            self._ask()

    def show_rule(self, rule: str, account: str | None = None, state: FindingState = FindingState.OPEN) -> None:
        """Show a rule's findings, every rule's where it is empty: those that wait for a person, or those of `state`."""
        self.filters.show_filters(FindingFilters.with_state(state))
        self._go_to(What.RULE if rule else What.ALL, rule, account)

    def show_order(self, account: str, order_id: str) -> None:
        """Show an order of the account, of whatever month, with what is linked to it."""
        self.orders.look_for(order_id)
        self._go_to(What.ORDERS, "", account)

    def show_severity(self, severity: str, account: str | None = None) -> None:
        """Show the open findings of one severity, of whatever rule."""
        self.filters.show_filters(FindingFilters(states=(FindingState.OPEN.value,), severities=(severity,)))
        self._go_to(What.ALL, "", account)

    @property
    def account(self) -> str | None:
        """The account in use; where all are, the one of the current finding."""
        if self.standing.account != EVERY_ACCOUNT:
            return self.standing.account
        return row.account if (row := self.findings.table.current) is not None else None

    @property
    def _entry(self) -> GroupLine:
        return self.groups.current or GroupLine(What.ALL, "")

    @property
    def query(self) -> FindingQuery:
        """Which findings are to be listed."""
        rules = (self._entry.rule,) if self._entry.rule else ()
        scope = self._services.scope
        base = FindingFilter(scope.month, rules, run=self._run, company=scope.company)
        return self.filters.filters.query(self.standing.account or EVERY_ACCOUNT, base)

    # How it is built

    def _lay_out(self) -> None:
        self._nothing = Empty(self._services.look)
        places = PageLayout(
            self,
            self._services.memory,
            head=self.head,
            groups=self.groups,
            filters=self.filters,
            selection=self.selection.bar,
            findings=self.findings,
            none=self._nothing,
            orders=self.orders,
            beside=self.beside,
            tables=(*self._tables.values(), self.stock),
            footer=self.footer,
            empty=self.empty,
        )
        self.sides, self.heights = places.sides, places.heights
        self._lists, self._upper, self._right, self._bodies = places.lists, places.upper, places.right, places.bodies

    def _connect(self) -> None:
        services = self._services
        services.scope.changed.connect(self._scope_changed)
        self.head.account_chosen.connect(self._choose_account)
        self.head.run_chosen.connect(self._choose_run)
        self.head.report_wanted.connect(lambda: self.report_wanted.emit(self.standing.account or None))
        self.head.import_wanted.connect(self._import)
        self.groups.chosen.connect(self._go)
        self.groups.entered.connect(lambda: enter_list(self._right))
        self.filters.changed.connect(self._ask)
        self.findings.current.connect(self._current)
        self.findings.marked.connect(self._marked)
        self.findings.counted.connect(self._counted)
        table = self.findings.table
        table.entered_row.connect(lambda _: self.beside.take_keyboard())
        table.customContextMenuRequested.disconnect()
        table.customContextMenuRequested.connect(lambda place: pop_up(self.findings.table, self.commands, place))
        self.orders.order_chosen.connect(self._order_current)
        self.orders.write_wanted.connect(self._write_back)
        for page in (self.ties, self.suggestions, self.stock, self.beside):
            page.paper_wanted.connect(self.paper_wanted)
        self.beside.stock_wanted.connect(self._show_item)
        self.beside.order_wanted.connect(self._show_order)
        self.beside.link_act.connect(self._link_act)
        self.beside.shown.connect(self._enable)
        self.suggestions.accepted.connect(lambda pairs: self.deciders.link(self.suggestions.account, pairs))
        self.suggestions.chosen.connect(self._enable)
        self.chips.chosen.connect(lambda reason: self.deciders.explain_with(self.findings.selected, reason))
        self.ties.link_wanted.connect(self.deciders.link)
        self.ties.merge_wanted.connect(lambda account, tie: self.deciders.merge(account, tie.orders, tie.keys))
        self.writer.begun.connect(self.footer.undo.hide)
        self.writer.done.connect(self._done)
        self.writer.steps_changed.connect(partial(decision_commands.know_steps, self.commands))
        for which, act in acts_of(self).items():
            self.commands[which].triggered.connect(lambda _=False, act=act: act())
        self._enable()

    # Asking

    def _ask(self, *_: object) -> None:
        self._stale = False
        self._again.start()
        opened, company = self._services.opened, self._services.scope.company
        wanted, query = self._chosen.name, self.query
        self._reader.ask("standing", lambda: gather(opened, company, wanted, query), self._show)

    def _show(self, standing: PageState) -> None:
        if self._is_of_another_company(standing):
            return
        another = standing.account != self.standing.account
        if another or standing.owners != self.standing.owners:
            self.findings.show_companies(standing.owners)
        self.standing = standing
        if another:
            self._run = None
            self.writer.use(self.account)
        self.head.put(standing, self._run)
        self.groups.put(standing.entries)
        self.chips.put(standing.reasons)
        self.footer.say_signed(standing.signoff)
        wanted, self._wanted = self._wanted, None
        if wanted is not None and not self.groups.go_to(*wanted[:2]):
            self.groups.go_to(What.ALL)
        shows_order = self._entry.what is What.ORDERS and self.orders.looks_for_one
        if standing.has_run or (standing.account is not None and shows_order):
            self._bodies.setCurrentIndex(1)
            self._list()
        else:
            self._bodies.setCurrentWidget(self.empty)
            empty_reasons.say_yet(self.empty, standing, self._actions, self._import)
            self._enable()

    def _list(self) -> None:
        """What the entry at the left leads to."""
        match self._entry.what:
            case What.TIES | What.SUGGESTIONS | What.EXPLAINED | What.TAXES as what:
                table = self._tables[what]
                self._turn(table, lambda: table.show_for(self.account, self._services.scope.month))
            case What.STOCK:
                self._turn(self.stock, lambda: self.stock.show_for(self.account, None))
            case What.ORDERS:
                self._upper.setCurrentIndex(1)
                self._turn(self.heights, lambda: self.orders.show_for(self.account, self._services.scope.month))
                self._order_current(self.orders.table.current)
            case _:
                self._upper.setCurrentIndex(0)
                self._turn(self.heights, lambda: self.findings.ask(self.query))
        self.footer.count.setVisible(self._lists_findings)
        self._enable()

    @property
    def _lists_findings(self) -> bool:
        return self._bodies.currentIndex() == 1 and self._entry.what in (What.ALL, What.RULE)

    def _turn(self, page: QWidget, ask: Callable[[], None]) -> None:
        self._right.setCurrentWidget(page)
        ask()

    def _go_to(self, what: What, rule: str, account: str | None) -> None:
        """Go to an entry at the left when it is known how things stand for this account, None for the one in use."""
        if account is not None:
            self._chosen.put(account)
        self._run = None
        self._wanted = (what, rule, account)
        self._ask()

    def _is_of_another_company(self, standing: PageState) -> bool:
        """Whether the wanted account is none of the company in use: then every company is chosen, for all to see.

        What one company has bought another one has sold: its order is shown beside the document of both.
        """
        scope, account = self._services.scope, self._wanted[2] if self._wanted is not None else None
        known = any(entry.account == account for entry in standing.scopes)
        if account is None or known or scope.company is None or not standing.scopes:
            return False
        scope.choose_company(None)
        self._choose_account(account)
        return True

    def _go(self, _entry: GroupLine) -> None:
        """Somebody went to another entry at the left."""
        if self._bodies.currentIndex() == 1:
            self.beside.show_finding(None)
            self._list()

    def _counted(self, count: int) -> None:
        self.footer.say_listed(count, self.findings.awaiting_closing)
        self._marked()  # of a list that is put anew nobody hears that its rows are selected no more
        self._lists.setCurrentIndex(0 if count else 1)
        if count:
            return
        narrowed = self.filters.filters.is_any or self._run is not None
        empty_reasons.say_none(
            self._nothing,
            self.standing,
            self._services.scope.month,
            (lambda: self._choose_run(None)) if narrowed else None,
        )

    def _import(self) -> None:
        self.import_wanted.emit(self.account)

    def _calm(self) -> None:
        if self._stale and self.isVisible():
            self._ask()

    def _scope_changed(self) -> None:
        self._stale = True
        self._chosen.follow(self._services.scope.company)
        if self.isVisible():
            self._ask()

    def _choose_account(self, name: str) -> None:
        self._chosen.put(name)
        self._ask()

    def _choose_run(self, run: int | None) -> None:
        """Of a run everything that it touched is shown, whatever became of it."""
        self._run = run
        self.filters.show_filters(FindingFilters() if run is None else FindingFilters(states=()))
        self._ask()

    # What is chosen, and what is done with it

    def _current(self, row: FindingRow | None) -> None:
        if self._lists_findings:
            self.beside.show_finding(row)
        if self.standing.account == EVERY_ACCOUNT and row is not None:
            self.writer.use(row.account)
        self._enable()

    def _order_current(self, line: OrderLine | None) -> None:
        if self._entry.what is What.ORDERS:
            if line is None or self.account is None:
                self.beside.show_finding(None)
            else:
                self.beside.show_order(self.account, line.order.hub_id)

    def _show_order(self, order_id: str) -> None:
        if self.account is not None:
            self.beside.show_order(self.account, order_id)

    def _show_item(self, subject: str) -> None:
        """The table of goods, at the item that a finding is about."""
        self.stock.stand_on(subject)
        self.groups.go_to(What.STOCK)

    def _marked(self) -> None:
        self.footer.say_selected(sum(map(len, self.findings.table.selected_spans())))
        self._enable()

    def _enable(self) -> None:
        rows = self.findings.selected if self._lists_findings else ()
        decision_commands.enable(self.commands, rows, self.beside.side, walks=self._lists_findings)
        self.chips.allow(self._lists_findings)
        accepts = self._entry.what is What.SUGGESTIONS and bool(self.suggestions.chosen_pairs)
        self.commands[Command.ACCEPT].setEnabled(accepts)
        scope = self._services.scope
        self.commands[Command.SIGN].setEnabled(scope.company is not None and scope.month is not None)

    def _link_act(self, which: Command, links: object) -> None:
        if isinstance(links, tuple):
            if which is Command.CONFIRM:
                self.deciders.confirm(self.account, links)
            else:
                self.deciders.unlink(self.account, links)

    def _done(self, acted: Acted, can_be_undone: bool) -> None:
        """Written: what is shown is asked again at once. What was taken back leads to its row."""
        self.footer.tell(acted, can_be_undone=can_be_undone)
        is_listed = self._lists_findings and self.standing.account in (EVERY_ACCOUNT, acted.account)
        if acted.act is not None and not can_be_undone and acted.about and is_listed:
            place = acted.about[0]
            self.findings.wait_for(place.id)
            if self._entry.rule not in ("", place.rule):
                self._wanted = (What.RULE, place.rule, None)
        self._ask()

    def open_paper(self) -> None:
        side = self.beside.side
        keys = [entry.key for entry in side.papers if entry.row is not None] if side is not None else []
        if keys:
            self.paper_wanted.emit(keys[0])

    def write_shown(self) -> None:
        if (side := self.beside.side) is not None:
            self._write_back(tuple(entry.order_id for entry in side.orders))

    def _write_back(self, orders: tuple[str, ...]) -> None:
        self.deciders.ask_write_back(self.account, orders)

    def _forgive(self, error: Exception) -> None:
        if isinstance(error, ArchiveMissing):
            self._show(PageState())
        else:
            self._services.faults.tell(error)
