"""The dialog "products from a file": what a file would write to the hub, the sending, and what did not go well."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from confere.desktop.catalog.push_tables import RowReport, planned_columns, planned_rows, report_columns, report_rows
from confere.desktop.jobs.catalog_results import PushJobResult
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_outcomes import told
from confere.desktop.jobs.job_requests import push_order, push_preview_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of, resize_on_screen
from confere.desktop.widgets.notices import GOOD
from confere.desktop.widgets.table import Table
from confere.errors import NC_
from confere.system import formatting
from confere.system.messages import ngettext, t

_SIZE: Final = (900, 620)
_FOLDER: Final = "catalog/folder"
_TEMPLATE: Final = "produtos.xlsx"


class PushDialog(QDialog):
    """Nothing is sent before its preview was shown. The jobs go on when it is closed; its preview does not.

    `looked` comes with every preview that is shown, `pushed` when the outcome of a sending is.
    """

    looked = Signal()
    pushed = Signal()

    def __init__(
        self, services: Services, accounts: Sequence[str], account: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._asked: JobRequest | None = None  # the preview or the sending whose end is waited for
        self._digest = ""  # of what is shown, where that is the preview of what is chosen and may be sent
        self.setWindowTitle(t("Products from a file"))
        resize_on_screen(self, *_SIZE)
        self.file = QLineEdit()
        self.file.setAccessibleName(t("File"))
        self.file.setPlaceholderText(t("One SKU a row: XLSX or CSV"))
        self.choose = QPushButton(t("Choose…"))
        self.template = QPushButton(t("Save an empty file…"))
        for button in (self.choose, self.template):
            button.setAutoDefault(False)
        self.account = QComboBox()
        self.account.setAccessibleName(t("Account"))
        for name in accounts:
            self.account.addItem(name, name)
        self.account.setCurrentIndex(max(0, self.account.findData(account)) if self.account.count() else -1)
        self.words = label(
            t("Choose the file: what it would create and change at the hub is shown here, and nothing is sent."),
            wraps=True,
        )
        look, memory = services.look, services.memory
        self.planned = Table("catalog/planned", t("What would be sent"), planned_columns(), lambda row: row.kind,
                             look, memory, self)  # fmt: skip
        self.rows: Table[RowReport] = Table(
            "catalog/rows", t("Rows that are not well"), report_columns(), lambda row: row, look, memory, self
        )
        self.report = QCheckBox(t("Write what became of each row to a spreadsheet beside the file"))
        self.report.setChecked(True)
        self.does = QPushButton(t("Send"))
        self._lay_out()
        self.choose.clicked.connect(self._choose)
        self.template.clicked.connect(self._save_template)
        self.file.editingFinished.connect(self._file_left)
        self.account.currentIndexChanged.connect(lambda _: self._ask())
        services.jobs.ended.connect(self._ended)
        self._show_nothing()

    def open_file(self, file: Path) -> None:
        """Look into this one."""
        self.file.setText(str(file))
        self.file.setModified(False)
        self._ask()

    def accept(self) -> None:
        """Send what is shown; the dialog stays until somebody closes it."""
        account, file = self.account.currentData(), self._path
        digest, self._digest = self._digest, ""
        if not digest or file is None or not account:
            return
        report = report_path(file) if self.report.isChecked() else None
        self._start(push_order(file, account, digest, report))
        self.words.setText(t("Sending… This window may be closed: the sending goes on, and can be stopped below."))
        self._enable()

    def done(self, result: int) -> None:
        asked, self._asked = self._asked, None
        if asked is not None and asked.kind is JobKind.PUSH_PREVIEW:
            self._services.jobs.stop(asked)
        super().done(result)

    @property
    def _path(self) -> Path | None:
        text = self.file.text().strip()
        return Path(text).absolute() if text else None

    def _ask(self) -> None:
        """Have the preview made, by a process of its own: it asks the hub for its catalog first."""
        account, file = self.account.currentData(), self._path
        if file is None or not account:
            return
        before, self._asked = self._asked, None
        if before is not None and before.kind is JobKind.PUSH_PREVIEW:
            self._services.jobs.stop(before)
        self._show_nothing()
        self.words.setText(t("Reading the file, and asking the hub for what it has…"))
        self._start(push_preview_order(file, account))

    def _start(self, order: JobRequest) -> None:
        self._asked = order
        self._services.jobs.start(order)

    def _ended(self, outcome: JobOutcome) -> None:
        if self._asked is None or outcome.order is not self._asked:
            return
        self._asked = None
        if outcome.error is not None:
            self._show_nothing()
            error = outcome.error
            self.words.setText(" ".join(filter(None, (error.what, error.remedy, error.hub_words))))
        elif isinstance(outcome.result, PushJobResult) and outcome.order.kind is JobKind.PUSH:
            self.show_pushed(outcome, outcome.result)
        elif isinstance(outcome.result, PushJobResult) and not outcome.stopped:
            self.show_preview(outcome.result)
        else:
            self.words.setText(t("It was stopped."))
        self._enable()
        (self.pushed if outcome.order.kind is JobKind.PUSH else self.looked).emit()

    def show_preview(self, result: PushJobResult) -> None:
        """What would be sent, or what must be corrected first."""
        planned = planned_rows(result.planned)
        self.planned.put(planned)
        self.planned.setVisible(bool(planned) or not result.faults)
        self.show_rows(result)
        total = result.planned.total
        self._digest = result.digest if total and not result.faults else ""
        count = formatting.count
        if result.faults:
            words = t("Rows that must be corrected first: {count}. Nothing was sent.", count=count(len(result.faults)))
        elif not total:
            words = t("The hub has everything as the file says: nothing is to be sent.")
        else:
            words = t(
                "Rows: {rows}. As the hub has them: {same}. What is below is written to the hub of {account}, in this "
                "order, and nothing else; what became of it is kept in the audit trail.",
                rows=count(result.lines),
                same=count(result.as_at_hub),
                account=self.account.currentText(),
            )
        if result.unused_columns:
            words += " " + t("Columns that mean nothing here: {columns}.", columns=", ".join(result.unused_columns))
        self.words.setText(words)
        many = ngettext("Send {count} thing", "Send {count} things", total)
        self.does.setText(many if total else t("Send"))
        self._enable()

    def show_pushed(self, outcome: JobOutcome, result: PushJobResult) -> None:
        """What the sending came to, and the rows that did not go well."""
        kind, words = told(outcome)
        self.planned.put(())
        self.planned.setVisible(not result.rows)
        self.does.setText(t("Send"))
        self.show_rows(result)
        if kind == GOOD:
            words = t("All is written, and the hub shows it so.") + " " + words
        if outcome.order.note.get("report") and not outcome.stopped:
            words += " " + t("Every row: {path}", path=str(outcome.order.note["report"]))
        self.words.setText(words)

    def _show_nothing(self) -> None:
        self._digest = ""
        self.planned.put(())
        self.planned.show()
        self.show_rows(PushJobResult())
        self.does.setText(t("Send"))
        self._enable()

    def show_rows(self, result: PushJobResult) -> None:
        """The rows that are not well; without any the table takes no room."""
        rows = report_rows(result)
        self.rows.put(rows)
        self.rows.setVisible(bool(rows))

    def _enable(self) -> None:
        """While something is sent nothing else can be chosen."""
        is_sending = self._asked is not None and self._asked.kind is JobKind.PUSH
        for widget in (self.file, self.choose, self.account, self.report):
            widget.setEnabled(not is_sending)
        self.does.setEnabled(bool(self._digest))

    def _choose(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self,
            t("Products from a file"),
            self._services.memory.text(_FOLDER),
            f"{t('Products')} (*.xlsx *.csv);;{t('All files')} (*)",
        )
        if name:
            self._services.memory.put(_FOLDER, str(Path(name).parent))
            self.open_file(Path(name))

    def _file_left(self) -> None:
        if self.file.isModified() and self.file.text().strip():
            self.open_file(Path(self.file.text().strip()))

    def _save_template(self) -> None:
        place = Path(self._services.memory.text(_FOLDER) or Path.home()) / _TEMPLATE
        name, _ = QFileDialog.getSaveFileName(self, t("Save an empty file"), str(place), "XLSX (*.xlsx)")
        if name:
            self.save_template(Path(name))

    def save_template(self, file: Path) -> None:
        """Write a file with every column explained."""
        from confere.app.catalog import push_files

        file = file if file.suffix.lower() == ".xlsx" else file.with_name(f"{file.name}.xlsx")
        try:
            push_files.write_template(file)
        except Exception as error:
            self._services.faults.tell(error)
            return
        self.words.setText(t("Saved: {path}. Fill it in, then choose it.", path=str(file)))

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(GAP)
        place.addWidget(self.file, 1)
        place.addWidget(self.choose)
        place.addWidget(self.template)
        form = QFormLayout()
        form.setHorizontalSpacing(WIDE_GAP)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(t("File"), place)
        form.addRow(t("Account"), self.account)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP + 4)
        layout.addLayout(form)
        layout.addWidget(self.words)
        layout.addWidget(self.planned, 2)
        layout.addWidget(self.rows, 3)
        layout.addWidget(self.report)
        box = buttons_of(self, self.does)
        box.button(QDialogButtonBox.StandardButton.Cancel).setText(t(NC_("window", "Close")))
        layout.addWidget(box)


def report_path(file: Path) -> Path:
    """Where the report of a file goes: beside it, under a name of its own."""
    return file.with_name(f"{file.stem}-{t('report')}.xlsx")
