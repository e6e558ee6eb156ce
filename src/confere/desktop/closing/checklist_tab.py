"""The tab Checklist of the page Closing: what was looked at of a company and a month, line by line with its proof."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import WORST_FIRST, ChecklistLine, CompanyChecklist, LineState, OfficeChecklist
from confere.app.labels.checklist_labels import line_title, month_state_word, state_word
from confere.desktop.closing.line_row import PILLS, ChecklistRow
from confere.desktop.closing.office_table import OfficeTable
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, clear, focus_kept, label
from confere.errors import ArchiveMissing
from confere.system import formatting
from confere.system.messages import t

_NOTHING, _OFFICE, _COMPANY, _WHY = range(4)


class ChecklistTab(QWidget):
    """With several companies and none chosen a table of all, else the lines of one.

    `state_changed` has the word for the state of the month and the kind of its pill; `closing_changed` the words for
    its closing and for what lacks of a month that is closed, empty where it is not; `remedy_wanted` the line whose
    button was pressed and the company, `paper_wanted` the key of a document, `company_wanted` the company to be
    chosen (empty: all).
    """

    state_changed = Signal(str, str)
    closing_changed = Signal(str, str)
    remedy_wanted = Signal(object, str)
    paper_wanted = Signal(str)
    company_wanted = Signal(str)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "checklist", self._failed)
        self.shown: OfficeChecklist | None = None
        self._open: set[tuple[str, str]] = set()  # lines whose proof is shown, by code and account
        self._has_several = False
        self.rows: tuple[ChecklistRow, ...] = ()
        self.office = OfficeTable(services)
        self.office.company_wanted.connect(self.company_wanted)
        self._summary = label("", "muted", wraps=True)
        self._office_summary = label("", "muted", wraps=True)
        self._why = label("", "muted", wraps=True)
        self._why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.everybody = button(t("All companies"), lambda: self.company_wanted.emit(""), "link")
        self._lay_out()

    def show_scope(self, company: str | None, month: str | None) -> None:
        """Ask what is known of this company (None for all) and month (`YYYY-MM`)."""
        opened = self._services.opened
        if not opened.exists:
            self._say(t("There is nothing to check yet: connect an account or import documents."))
            return
        if month is None:
            self._reader.forget("check")
            self._say(t("Choose a month above: the checklist is of one month."))
            return
        self._reader.ask("check", lambda: check_month(opened, month, company), self._show)

    def _lay_out(self) -> None:
        self._lines = QVBoxLayout()
        self._lines.setSpacing(GAP - 2)
        content = QWidget()
        content.setProperty("plain", True)
        column = QVBoxLayout(content)
        column.setContentsMargins(WIDE_GAP + 4, GAP, WIDE_GAP + 4, WIDE_GAP)
        column.setSpacing(GAP)
        head = QHBoxLayout()
        head.addWidget(self._summary, 1)
        head.addWidget(self.everybody)
        column.addLayout(head)
        column.addLayout(self._lines)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(content)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table = QWidget()
        room = QVBoxLayout(table)
        room.setContentsMargins(0, 0, 0, 0)
        room.setSpacing(0)
        words = QVBoxLayout()
        words.setContentsMargins(WIDE_GAP + 4, GAP, WIDE_GAP + 4, GAP)
        words.addWidget(self._office_summary)
        room.addLayout(words)
        room.addWidget(self.office, 1)
        self._layers = QStackedLayout(self)
        for layer in (QWidget(), table, scroll, self._why):
            self._layers.addWidget(layer)

    def _show(self, found: OfficeChecklist) -> None:
        self.shown = found
        chosen = self._services.scope.company
        if not found.companies:
            self._say(t("There is no company here: connect an account or import documents."))
            return
        if chosen is None and len(found.companies) > 1:
            self._show_office(found)
            return
        if chosen is None:
            self._has_several = False
        self._show_company(found.companies[0])

    def _show_office(self, found: OfficeChecklist) -> None:
        self._has_several = True
        self.office.put_office(found)
        complete = sum(company.is_complete for company in found.companies)
        self._office_summary.setText(
            t(
                "{complete} of {count} companies are complete. The worst stand first; a click or Enter shows what"
                " lacks.",
                complete=formatting.count(complete),
                count=formatting.count(len(found.companies)),
            )
        )
        self._layers.setCurrentIndex(_OFFICE)
        state = LineState.OK if complete == len(found.companies) else found.companies[0].state
        self.state_changed.emit(month_state_word(state), PILLS[state])
        closed, count = sum(company.closed_at is not None for company in found.companies), len(found.companies)
        words = t("closed: {closed} of {count}", closed=formatting.count(closed), count=formatting.count(count))
        self.closing_changed.emit(words if closed else "", "")

    def _show_company(self, company: CompanyChecklist) -> None:
        with focus_kept(self):
            clear(self._lines)
            rows = []
            for line in company.lines:
                is_open = (line.code, line.account) in self._open
                row = ChecklistRow(self._services.look, line, is_open=is_open)
                row.remedy_wanted.connect(lambda line, owner=company.tax_id: self.remedy_wanted.emit(line, owner))
                row.paper_wanted.connect(self.paper_wanted)
                row.copy_wanted.connect(_copy)
                row.folded.connect(self._folded)
                self._lines.addWidget(row)
                rows.append(row)
            self.rows = tuple(rows)
        self._summary.setText(_summary(company))
        self.everybody.setVisible(self._services.scope.company is not None and self._has_several)
        self._layers.setCurrentIndex(_COMPANY)
        self.state_changed.emit(month_state_word(company.state), PILLS[company.state])
        if company.closed_at is None:
            self.closing_changed.emit("", "")
        else:
            day = formatting.date(company.closed_at.date())
            self.closing_changed.emit(t("closed on {day}", day=day), _lacks(company))

    def _folded(self, line: ChecklistLine, is_open: bool) -> None:
        (self._open.add if is_open else self._open.discard)((line.code, line.account))

    def _say(self, why: str) -> None:
        self.shown = None
        self._why.setText(why)
        self._layers.setCurrentIndex(_WHY)
        self.state_changed.emit("", "neutral")
        self.closing_changed.emit("", "")

    def _failed(self, error: Exception) -> None:
        if isinstance(error, ArchiveMissing):
            self._say(t("There is nothing to check yet: connect an account or import documents."))
        else:
            self._services.faults.tell(error)


def _summary(company: CompanyChecklist) -> str:
    states = [line.state for line in company.lines]
    numbers = ((state, states.count(state)) for state in WORST_FIRST)
    counted = (f"{state_word(state)}: {formatting.count(number)}" for state, number in numbers if number)
    documents = t("Documents of the month: {count}", count=formatting.count(company.documents))
    return " · ".join((documents, *counted))


def _lacks(company: CompanyChecklist) -> str:
    """The lines that keep the month from being complete, by their titles."""
    lines = [line for line in company.lines if line.state in (LineState.PROBLEM, LineState.NOT_CHECKED)]
    titles = dict.fromkeys(line_title(line.code) for line in lines)
    return t("pending: {lines}", lines=", ".join(titles)) if titles else ""


def _copy(line: ChecklistLine) -> None:
    QGuiApplication.clipboard().setText("\n".join(line.proof.names))
