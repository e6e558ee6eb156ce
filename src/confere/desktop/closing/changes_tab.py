"""The tab Changes of the page Closing: who closed the month, and what changed since, with its effect on the taxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from confere.app.closing import changes as use_case
from confere.app.closing import close_month
from confere.app.closing.changes import ChangesOfMonth, DocumentChange, EffectPlace, FindingChange
from confere.app.closing.close_month import ClosePreview
from confere.app.labels import closing_labels
from confere.app.labels.labels import month_word, tax_id_word
from confere.app.reconciliation import queries
from confere.desktop.closing.close_dialog import CloseDialog, ReopenDialog
from confere.desktop.core import clipboard_rows
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.jobs.job import JobKind
from confere.desktop.jobs.job_requests import close_order, reopen_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, label
from confere.desktop.widgets.dialog_buttons import keep_draft
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import ArchiveMissing, NotInArchive
from confere.fiscal import access_keys
from confere.system import formatting
from confere.system.messages import t

_PILLS: Final = {
    "arrived": "warn", "gone": "bad", "cancelled": "bad", "state": "warn", "other_bytes": "warn", "corrected": "info",
    "event": "info", "reread": "neutral", "relinked": "neutral", "rejudged": "neutral",
    "terms": "neutral", "coverage": "neutral",
}  # fmt: skip


_COMPANY: Final = 3  # the column's place
_MOST_LINES: Final = 3  # companies of which each has a line of its own above and below the table


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change as the table has it; `kind` is what weighs most of it, `cents` its effect on the sum. `finding` is the
    fingerprint of one, or what else names the row; `number` is the finding's in lists, 0 where there is none."""

    company: str
    kind: str
    kinds: str
    name: str
    issued_on: str
    value: int | None
    cents: int
    taxes: str
    detail: str
    key: str
    finding: str = ""
    number: int = 0


class ChangesTab(QWidget):
    """`paper_wanted` has the key of a document that is to be opened, `finding_wanted` the row of a finding."""

    paper_wanted = Signal(str)
    finding_wanted = Signal(object)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "closing changes", self._failed)
        self._company: str | None = None
        self._month: str | None = None
        self._open: tuple[bool, bool] = (False, False)  # whether any company's month is closed, whether any is open
        self._head = label("", wraps=True, selectable=True)
        self._sums = label("", "muted", wraps=True, selectable=True)
        self._nothing = label("", "muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.close_button = button(t("Close the month…"), self._ask_close, "primary")
        self.reopen_button = button(t("Open again…"), self._ask_reopen)
        self.table: Table[ChangeRow] = Table(
            "closing/changes", t("Changes since the month was closed"), _columns(), _identity,
            services.look, services.memory, self,
        )  # fmt: skip
        self.copy_button = button(t("Copy"), self.table.copy, "", t("Copy the changes as a table for a spreadsheet"))
        self.table.entered_row.connect(self._open_row)
        services.jobs.changed.connect(self._say_buttons)
        self._lay_out()
        self._put((), "")

    def show_scope(self, company: str | None, month: str | None) -> None:
        """Ask what changed in this company's month (`YYYY-MM`), or in all companies'."""
        if (company, month) != (self._company, self._month):
            self._put((), "")
        self._company, self._month = company, month
        self.table.setColumnHidden(_COMPANY, company is not None)
        opened = self._services.opened
        if month is None:
            self._put(
                (),
                t("Choose a month above: a closing is one month's.")
                if opened.exists
                else t("There is nothing to close yet."),
            )
            return
        self._reader.ask("changes", lambda: use_case.changes(opened, month, company), self._have)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, GAP)
        head.setSpacing(GAP)
        head.addWidget(self._head, 1)
        for made in (self.copy_button, self.reopen_button, self.close_button):
            head.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
        filled = QWidget()
        inside = QVBoxLayout(filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.table, 1)
        self._sums.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        inside.addWidget(self._sums)
        empty = QWidget()
        QVBoxLayout(empty).addWidget(self._nothing)
        layers = QWidget()
        self._layers = QStackedLayout(layers)
        self._layers.addWidget(empty)
        self._layers.addWidget(filled)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(layers, 1)

    def _have(self, months: tuple[ChangesOfMonth, ...]) -> None:
        self._head.setText(_head_words(months))
        self._open = (any(month.is_closed for month in months), not all(month.is_closed for month in months))
        rows = [row for month in months for row in _rows(month)]
        self._put(rows, "" if rows else t("Nothing changed since the month was closed."), keeps_head=True)
        self._sums.setText(_effects_words([month for month in months if month.changes.count]))

    def _put(self, rows: Sequence[ChangeRow], nothing: str, *, keeps_head: bool = False) -> None:
        if not keeps_head:
            self._head.setText("")
            self._open = (False, True)
        self.table.put(rows)
        self._nothing.setText(nothing)
        self._layers.setCurrentIndex(1 if rows else 0)
        self.copy_button.setVisible(bool(rows))
        if rows:
            self.table.choose_first()
        self._say_buttons()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, NotInArchive):
            self._put(
                (),
                t(
                    "This month was never closed. Closing it keeps what was filed, so that what comes or changes later"
                    " is told here, with its effect on the taxes."
                ),
            )
        elif isinstance(error, ArchiveMissing):
            self._put((), t("There is nothing to close yet."))
        else:
            self._services.faults.tell(error)

    def _say_buttons(self) -> None:
        is_closed, is_open = self._open
        free = self._month is not None and self._services.opened.exists and not self._services.jobs.has(JobKind.CLOSE)
        self.close_button.setVisible(is_open or not is_closed)
        self.close_button.setEnabled(free)
        self.reopen_button.setVisible(is_closed)
        self.reopen_button.setEnabled(free)

    def _ask_close(self) -> None:
        month, company, opened = self._month, self._company, self._services.opened
        if month is not None:
            self._reader.ask(
                "preview",
                lambda: close_month.preview(opened, month, company, close_month.lacking(opened)),
                partial(self._have_preview, company, month),
                self._services.faults.tell,
            )

    def _have_preview(self, company: str | None, month: str, previews: tuple[ClosePreview, ...]) -> None:
        """What is shown is what is closed, whatever is chosen above by then."""
        if not previews or (company, month) != (self._company, self._month):
            return
        dialog = CloseDialog(previews, self._services.memory, self)
        keep_draft(dialog, self._services.memory.drafts, ("close", month, company), dialog.preparer, dialog.reviewer)
        if dialog.exec():
            self._services.jobs.start(
                close_order(
                    month,
                    company,
                    preparer=dialog.preparer.text(),
                    reviewer=dialog.reviewer.text(),
                    incomplete=dialog.incomplete,
                )
            )

    def _ask_reopen(self) -> None:
        month, company = self._month, self._company
        if month is None:
            return
        dialog = ReopenDialog(month, self)
        keep_draft(dialog, self._services.memory.drafts, ("reopen", month, company), dialog.reason)
        if dialog.exec():
            self._services.jobs.start(reopen_order(month, company, dialog.why))

    def _open_row(self, row: ChangeRow) -> None:
        if row.number:
            number, opened = row.number, self._services.opened
            self._reader.ask(
                "finding",
                lambda: queries.finding(opened, number),
                self.finding_wanted.emit,
                self._services.faults.tell,
            )
        elif row.key:
            self.paper_wanted.emit(row.key)


def _columns() -> tuple[TableColumn[ChangeRow], ...]:
    return (
        TableColumn("kind", t("What changed"), lambda row: row.kinds, 150, pill=lambda row: _PILLS[row.kind]),
        TableColumn("name", t("Document"), lambda row: row.name, 120, copied=lambda row: row.key or row.name),
        TableColumn("issued", t("Issued"), lambda row: formatting.date(row.issued_on or None), 92, rank=2),
        TableColumn("company", t("Company"), lambda row: tax_id_word(row.company), 146, rank=1),
        TableColumn(
            "value", t("Value"), lambda row: formatting.money(row.value), 108, right=True,
            copied=lambda row: clipboard_rows.money(row.value),
        ),
        TableColumn(
            "effect", t("Effect"), lambda row: closing_labels.signed_money(row.cents) if row.cents else "", 118,
            right=True, copied=lambda row: clipboard_rows.money(row.cents),
        ),
        TableColumn("taxes", t("Taxes"), lambda row: row.taxes, 200, stretches=True),
        TableColumn("detail", t("Detail"), lambda row: row.detail, 170),
    )  # fmt: skip


def _identity(row: ChangeRow) -> tuple[str, str, str]:
    return row.company, row.finding or row.kind, row.key or row.name


def _rows(month: ChangesOfMonth) -> list[ChangeRow]:
    return [
        *(_of_document(month.act.company, change) for change in month.changes.documents),
        *(_of_finding(month.act.company, change) for change in month.changes.findings),
        *(
            _of_basis(
                month.act.company,
                "terms",
                f"{term.account}: {closing_labels.term_name(term.name)}",
                " → ".join(closing_labels.term_value(term.name, value) for value in (term.before, term.after)),
            )
            for term in month.terms
        ),
        *(
            _of_basis(
                month.act.company,
                "coverage",
                f"{stretch.account}: {closing_labels.axis_word(stretch.axis)}",
                closing_labels.coverage_text(stretch),
            )
            for stretch in month.coverage
        ),
    ]


def _of_basis(company: str, kind: str, name: str, detail: str) -> ChangeRow:
    """What the closing stood on and is otherwise now; it changes no sum."""
    return ChangeRow(
        company, kind, closing_labels.kind_word(kind), name, "", None, 0, "", detail, "", f"{name} {detail}"
    )


def _of_document(company: str, change: DocumentChange) -> ChangeRow:
    document = change.document
    return ChangeRow(
        company,
        change.kinds[0],
        closing_labels.kind_word(change.kinds[0]),
        _name(document.key) or document.paper,
        document.issued_on,
        document.total,
        change.total,
        closing_labels.amounts_text(change.taxes),
        "; ".join(filter(None, (closing_labels.kinds_text(change.kinds[1:]), closing_labels.detail_text(change)))),
        document.key or "",
    )


def _of_finding(company: str, change: FindingChange) -> ChangeRow:
    return ChangeRow(
        company,
        "rejudged",
        closing_labels.finding_name(change),
        closing_labels.about_text(change, _name),
        "",
        change.finding.amount,
        0,
        "",
        closing_labels.finding_text(change),
        change.keys[0] if change.keys else "",
        change.finding.fingerprint,
        change.number or 0,
    )


def _name(key: str | None) -> str:
    """`NF-e 1/1234`, by what the key says."""
    parts = access_keys.parse(key) if key else None
    return f"{parts.model_name} {parts.series}/{parts.number}" if parts else key or ""


def _head_words(months: Sequence[ChangesOfMonth]) -> str:
    """Who closed the month of each company; of many companies only how many, and the last."""
    if len(months) <= _MOST_LINES:
        return "\n".join(map(_closed_words, months))
    last = max((month.act for month in months), key=lambda act: act.at)
    return t(
        "{month} is closed for {closed} of {count} companies, the last on {moment} by {actor}. Choose a company above"
        " to see its names and its hash of the chain.",
        month=month_word(last.month),
        closed=formatting.count(sum(month.is_closed for month in months)),
        count=formatting.count(len(months)),
        moment=closing_labels.moment_text(last.at),
        actor=last.actor,
    )


def _effects_words(months: Sequence[ChangesOfMonth]) -> str:
    """The effect of what changed, by company; of many companies added up."""
    if len(months) <= _MOST_LINES:
        return "\n".join(
            _effect_words(tax_id_word(month.act.company), month.changes.total, month.changes.taxes) for month in months
        )
    taxes: dict[EffectPlace, Counter[str]] = {}
    for month in months:
        for place, amounts in month.changes.taxes.items():
            taxes.setdefault(place, Counter()).update(amounts)
    return _effect_words(t("All companies"), sum(month.changes.total for month in months), taxes)


def _closed_words(month: ChangesOfMonth) -> str:
    act = month.act
    parts = [
        t(
            "{company}: {month} closed on {moment} by {actor}",
            company=tax_id_word(act.company),
            month=month_word(act.month),
            moment=closing_labels.moment_text(act.at),
            actor=act.actor,
        )
    ]
    if act.names.preparer:
        parts.append(t("prepared by {name}", name=act.names.preparer))
    if act.names.reviewer:
        parts.append(t("reviewed by {name}", name=act.names.reviewer))
    if act.is_incomplete:
        parts.append(t("incomplete"))
    parts.append(t("hash of the chain {head}", head=month.head))
    if month.reopened is not None:
        parts.append(closing_labels.reopened_text(month.reopened))
    return " · ".join(parts)


def _effect_words(company: str, total: int, taxes: Mapping[EffectPlace, Mapping[str, int]]) -> str:
    amounts = closing_labels.amounts_text(taxes)
    words = t(
        "{company}: effect on the sum of documents {total}",
        company=company,
        total=closing_labels.signed_money(total),
    )
    return f"{words} · {amounts}" if amounts else words
