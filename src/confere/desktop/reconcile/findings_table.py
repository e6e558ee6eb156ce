"""The findings of a group: read page by page beside the window, walked by keys, selected to be decided together."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from confere.app.archive_session import OpenArchive
from confere.app.labels.finding_labels import difference_sentence, finding_sentence, term_sentence
from confere.app.labels.reconciliation_labels import evidence_line, state_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingQuery, FindingRow
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.reconciliation_text import first_of, is_waiting, paper_name, state_pill
from confere.desktop.services import Services
from confere.desktop.widgets.card import label
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import ArchiveMissing
from confere.sales.findings import awaits_closing
from confere.system import formatting
from confere.system.messages import render, t

PAGE = 300
_MOST_FOLLOWED = 6000  # rows that are read so that the current finding stays in sight
_EVERY = -1  # all rows, when all of them are to be selected
_MONTH = 5  # the place of its column
_COMPANY = 11  # of one account it would say the same in every row
_QUIET_MS = 60  # arrow keys held down are not followed row by row


class FindingTable(Table[FindingRow]):
    """`all_wanted`: somebody selects everything, also what was not read yet."""

    all_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.all_wanted.emit()
        else:
            super().keyPressEvent(event)


class FindingList(QWidget):
    """`current` tells the finding that the keyboard stands on once the keys rest; `marked` that others are selected."""

    current = Signal(object)
    marked = Signal()
    counted = Signal(int)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._reader = services, reader
        self._query: FindingQuery | None = None
        self._is_whole = True
        self._is_asking_more = False
        self._wanted: int | None = None
        self._owners: dict[str, str] = {}  # by CNPJ and by account, whose it is
        self.table: FindingTable = FindingTable(
            "reconcile/findings",
            t("Findings"),
            _columns(self._sentence, self._owners),
            attrgetter("stored.id"),  # of thousands of rows whenever they are put anew
            services.look,
            services.memory,
            self,
        )
        self._nothing = label(t("Nothing matches these filters."), "muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(self.table)
        holder = QWidget()
        QVBoxLayout(holder).addWidget(self._nothing)
        self._layers.addWidget(holder)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._tell)
        # Thousands of rows are shown in one turn of the window and selected in the next.
        self._selecting = QTimer(self)
        self._selecting.setSingleShot(True)
        self._selecting.timeout.connect(self.table.selectAll)
        self.table.chosen.connect(self._quiet.start)
        self.table.selectionModel().selectionChanged.connect(self.marked)
        self.table.more_wanted.connect(self._more)
        self.table.all_wanted.connect(self._select_all)

    @property
    def rows(self) -> tuple[FindingRow, ...]:
        return self.table.rows_model.rows

    @property
    def awaiting_closing(self) -> int:
        """How many of the rows only the closing of their month lets be checked."""
        return sum(awaits_closing(row.finding.rule, row.stored.state) for row in self.rows)

    @property
    def is_following(self) -> bool:
        """Whether the keys do not rest yet, so that `current` may still come."""
        return self._quiet.isActive()

    @property
    def selected(self) -> tuple[FindingRow, ...]:
        """The selected findings, else the current one."""
        every = self.rows
        rows = tuple(chain.from_iterable(every[span.start : span.stop] for span in self.table.selected_spans()))
        current = self.table.current
        return rows or ((current,) if current is not None else ())

    def show_companies(self, owners: Mapping[str, str]) -> None:
        """Say in a first column whose each finding is, by CNPJ or else by its account; none where it is empty."""
        self._owners.clear()
        self._owners.update(owners)
        head = self.table.horizontalHeader()
        if owners and head.visualIndex(_COMPANY) != 0:
            head.moveSection(head.visualIndex(_COMPANY), 0)
        self.table.setColumnHidden(_COMPANY, not owners)

    def selected_ids(self) -> array[int]:
        """The numbers of what is selected, from the top."""
        every = self.rows
        return array("q", (every[number].id for number in self.table.selected_rows()))

    def ask_every(self, then: Callable[[array[int]], None]) -> None:
        """Hand `then` the numbers of all that is listed, read or not, when they are known."""
        query, opened = self._query, self._services.opened
        if query is not None:
            self._reader.ask("every number", lambda: queries.finding_ids(opened, query), then)

    def ask(self, query: FindingQuery) -> None:
        """List what `query` asks for; what is current stays so where it is still listed, and is gone to there."""
        is_another = query != self._query
        many = PAGE if is_another else max(PAGE, len(self.rows))
        current = self.table.current
        followed = None if current is None or not is_another else current.id
        self._query, self._is_asking_more = query, False
        # Of one month it would say the same in every row.
        self.table.setColumnHidden(_MONTH, query.wanted.period is not None)
        opened, listed = self._services.opened, self.rows
        self._reader.forget("more")
        self._selecting.stop()
        self._reader.ask(
            "findings",
            lambda: (_kept(_page_with(opened, query, many, followed), listed), queries.count(opened, query)),
            partial(self._have, followed),
            self._failed,
        )

    def _sentence(self, row: FindingRow) -> str:
        """The kind and the difference; of one kind the difference alone."""
        is_of_one_kind = self._query is not None and len(self._query.wanted.rules) == 1
        return difference_sentence(row) if is_of_one_kind else finding_sentence(row)

    def clear(self) -> None:
        """List nothing."""
        self._query = None
        self._reader.forget("findings")
        self._selecting.stop()
        self.table.put(())

    def stand_on(self, finding: int) -> None:
        """Go to this finding, now or as soon as it is read."""
        for place, row in enumerate(self.rows):
            if row.id == finding:
                self._wanted = None
                self.table.selectRow(place)
                return
        self._wanted = finding

    def wait_for(self, finding: int) -> None:
        """Go to this finding when the list is read next."""
        self._wanted = finding

    def step(self, way: int) -> None:
        """To the next finding, or the one before."""
        place = self.table.currentIndex().row() + way
        if 0 <= place < len(self.rows):
            self.table.selectRow(place)

    def _have(self, followed: int | None, found: tuple[Sequence[FindingRow], int]) -> None:
        rows, count = found
        place = self.table.currentIndex().row()
        self._is_whole = len(rows) >= count
        self.table.put(rows)
        self._layers.setCurrentIndex(0 if rows else 1)
        self.counted.emit(count)
        if self._wanted is not None:
            self.stand_on(self._wanted)
            self._wanted = None
        if followed is not None and self.table.current is not None and self.table.current.id == followed:
            self.table.scrollTo(self.table.currentIndex())
        if self.table.current is None and rows:
            # What was decided has left the list: the one after it has come to its place.
            self.table.selectRow(min(max(place, 0), len(rows) - 1))
        self._quiet.start()  # the same row may have other sides by now

    def _more(self) -> None:
        query = self._query
        if self._is_whole or self._is_asking_more or query is None:
            return
        self._is_asking_more = True
        opened, begin = self._services.opened, len(self.rows)
        self._reader.ask("more", lambda: (begin, queries.findings(opened, query, begin, PAGE)), self._have_more)

    def _have_more(self, found: tuple[int, Sequence[FindingRow]]) -> None:
        begin, rows = found
        self._is_asking_more = False
        if begin == len(self.rows):
            known = {row.id for row in self.rows}
            self._is_whole = len(rows) < PAGE
            self.table.rows_model.add([row for row in rows if row.id not in known])

    def _select_all(self) -> None:
        query = self._query
        if self._is_whole or query is None:
            self.table.selectAll()
            return
        opened, listed = self._services.opened, self.rows
        self._reader.ask("more", lambda: _kept(queries.findings(opened, query, 0, _EVERY), listed), self._have_every)

    def _have_every(self, rows: Sequence[FindingRow]) -> None:
        self._is_whole = True
        listed = self.rows
        if tuple(rows[: len(listed)]) == listed:
            self.table.rows_model.add(rows[len(listed) :])
        else:
            self.table.put(rows)
        self._selecting.start()

    def _tell(self) -> None:
        self.current.emit(self.table.current)

    def _failed(self, error: Exception) -> None:
        self.table.put(())
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)


def _page_with(opened: OpenArchive, query: FindingQuery, many: int, finding: int | None) -> Sequence[FindingRow]:
    """The first `many` findings of a query, and those up to `finding` where it comes not much later."""
    rows = queries.findings(opened, query, 0, many)
    if finding is None or len(rows) < many or any(row.id == finding for row in rows):
        return rows
    every = queries.finding_ids(opened, query)[:_MOST_FOLLOWED]
    return queries.findings(opened, query, 0, every.index(finding) + PAGE) if finding in every else rows


def _kept(rows: Sequence[FindingRow], listed: Sequence[FindingRow]) -> tuple[FindingRow, ...]:
    """`rows`, each that is listed as it is there: what is the same is told at once, without a look at its values.

    It is called beside the window, which would stand still meanwhile.
    """
    known = {row.id: row for row in listed}
    return tuple(old if (old := known.get(row.id)) == row and old is not None else row for row in rows)


def _columns(sentence: Callable[[FindingRow], str], owners: Mapping[str, str]) -> tuple[TableColumn[FindingRow], ...]:
    return (
        TableColumn("state", t("State"), state_of, 118, pill=state_pill, tip=_state_tip),
        TableColumn(
            "what", t("What"), sentence, 205, stretches=True, narrowest=130, tip=whole_evidence, copied=whole_evidence
        ),
        TableColumn(
            "orders",
            t("Orders"),
            lambda row: first_of(row.finding.orders),
            74,
            tip=lambda row: "\n".join(row.finding.orders),
            copied=lambda row: " ".join(row.finding.orders),
        ),
        TableColumn(
            "documents",
            t("Documents"),
            lambda row: first_of(tuple(map(paper_name, row.finding.keys))),
            84,
            tip=lambda row: "\n".join(row.finding.keys),
            copied=lambda row: " ".join(row.finding.keys),
        ),
        TableColumn("amount", t("Amount"), lambda row: formatting.money(row.finding.amount), 90, right=True),
        TableColumn("period", t("Month"), lambda row: formatting.month(row.finding.period), 70, rank=3),
        TableColumn("due", t("Due"), _due, 122, tip=_due_tip, pill=_due_pill, brief=_brief_due, rank=2),
        TableColumn("assignee", t("Assigned to"), lambda row: row.stored.assignee or "", 100, shown=False),
        TableColumn("since", t("Since"), _since, 86, tip=lambda row: formatting.moment(row.since), shown=False),
        TableColumn("note", t("Note"), lambda row: row.stored.note or "", 70, shown=False),
        TableColumn("rule", t("Rule"), lambda row: row.finding.rule, 60, shown=False),
        TableColumn(
            "company", t("Company"), lambda row: _company(row, owners), 116, shown=False, rank=1, widened_last=True
        ),
    )


def _company(row: FindingRow, owners: Mapping[str, str]) -> str:
    """Whose it is; where nothing tells, whose it may be."""
    names = ", ".join(owners.get(tax_id, tax_id) for tax_id in row.companies)
    return names or owners.get(row.account, row.account)


def state_of(row: FindingRow) -> str:
    """Its state in a word; of what a person settled, whether it has changed since."""
    word = state_word(row.stored.state)
    return t("{state}, changed", state=word) if row.stored.is_changed else word


def whole_evidence(row: FindingRow) -> str:
    """Everything that it says."""
    return evidence_line(row.finding.evidence) or render(row.title)


def _state_tip(row: FindingRow) -> str:
    parts = [state_of(row)]
    if row.resolved_by is not None:
        parts.append(render(row.resolved_by))
    if row.stored.is_changed:
        parts.append(t("Its amount or its evidence are others than when it was decided: look at it again."))
    if row.stored.is_stale:
        parts.append(t("Links were decided since it was computed; the next run computes it anew."))
    if row.stored.author:
        parts.append(t("{who}, {when}", who=row.stored.author, when=formatting.moment(row.changed_at)))
    return "\n".join(parts)


def _due(row: FindingRow) -> str:
    """The day that was agreed; else until when the note can be cancelled."""
    return formatting.date(row.stored.due_on) if row.stored.due_on else term_sentence(row)


def _brief_due(row: FindingRow) -> str:
    """The moment alone: the pill says that it is a term."""
    if row.stored.due_on or row.term is None or row.term.is_over:
        return _due(row)
    return f"{row.term.until:%d/%m %H:%M}"


def _due_pill(row: FindingRow) -> str:
    """A pill while the note can still be cancelled, and for a day that has passed."""
    if not is_waiting(row):
        return ""
    if row.stored.due_on:
        return "bad" if row.is_overdue else ""
    return "warn" if row.term is not None and not row.term.is_over else ""


def _due_tip(row: FindingRow) -> str:
    parts = [row.stored.assignee or "", formatting.date(row.stored.due_on), term_sentence(row)]
    if row.term is not None:
        parts.append(t("Some states take a cancellation later, up to 480 hours: ask the state's treasury."))
    return "\n".join(filter(None, parts))


def _since(row: FindingRow) -> str:
    return t("new") if row.is_new else formatting.date(row.since.date() if row.since is not None else None)
