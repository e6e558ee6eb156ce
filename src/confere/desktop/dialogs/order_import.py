"""The dialog "import orders": a file, what its columns are taken for, its first rows, and what cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from confere.app.accounts import accounts
from confere.app.accounts.accounts import Account
from confere.app.orders import orders
from confere.app.orders.orders import (
    FIELD_WORDS,
    FIELDS,
    NOTHING,
    FileChoice,
    OrderFilePreview,
    RowProblem,
    parse_statuses_said,
    status_text,
    total_text,
)
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.dialogs.order_questions import OrderQuestions
from confere.desktop.jobs.job import JobRequest
from confere.desktop.jobs.job_requests import orders_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import clear, label
from confere.desktop.widgets.dialog_buttons import buttons_of, resize_on_screen
from confere.desktop.widgets.elided_labels import Elided
from confere.errors import ConfereError, Message
from confere.system import formatting
from confere.system.messages import render, t

_SIZE = (840, 660)
_EXAMPLES = 3  # values of a column that are shown
_PROBLEMS = 4  # that are told one by one
_FOLDER = "orders/folder"


class OrderImportDialog(QDialog):
    """`order` is the job to start once the dialog was accepted; the preview follows every change."""

    def __init__(self, services: Services, account: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._topic = f"orders.import.{id(self)}"
        self._preview: OrderFilePreview | None = None
        self._given: dict[str, str] = {}  # what a person said of columns
        self._combos: dict[str, QComboBox] = {}
        self.setWindowTitle(t("Import orders"))
        resize_on_screen(self, *_SIZE)
        self.file = QLineEdit()
        self.file.setAccessibleName(t("File"))
        self.file.setPlaceholderText(t("A spreadsheet of the marketplace: CSV or XLSX"))
        self.choose = QPushButton(t("Choose…"))
        self.choose.setAutoDefault(False)
        self.account = QComboBox()
        self.account.setAccessibleName(t("Account"))
        for entry in _accounts(services):
            self.account.addItem(entry.name, entry.name)
        self.account.setCurrentIndex(max(0, self.account.findData(account)) if self.account.count() else -1)
        self.sheet = QComboBox()
        self.sheet.setAccessibleName(t("Sheet"))
        self.sheet.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.summary = label(t("Choose the file: its columns and first rows are shown here."), wraps=True)
        self.problems = label("", "warn", wraps=True)
        self.questions = OrderQuestions(self._answer, self._ask)
        self.does = QPushButton(t("Import the orders"))
        self._lay_out()
        self.choose.clicked.connect(self._choose)
        self.file.editingFinished.connect(self._file_left)
        self.account.currentIndexChanged.connect(self._ask)
        self.sheet.activated.connect(self._ask)
        self._enable()

    @property
    def order(self) -> JobRequest | None:
        """None while the file cannot be read as orders, or what a column is has still to be told."""
        account = self.account.currentData()
        if self._preview is None or self._preview.reading.doubts or not account:
            return None
        mapping = {column: self._meaning(column) for column in self._preview.columns}
        return orders_order(
            Path(self.file.text()),
            account,
            mapping,
            self._preview.sheet if self._preview.sheets else "",
            statuses=self.questions.statuses,
            complete=self.questions.claim,
        )

    def open_file(self, file: Path) -> None:
        """Look into this one."""
        self.file.setText(str(file))
        self._given.clear()
        self.questions.forget()
        self._ask()

    def done(self, result: int) -> None:
        self._services.reader.forget(self._topic)
        super().done(result)

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(GAP)
        place.addWidget(self.file, 1)
        place.addWidget(self.choose)
        form = QFormLayout()
        form.setHorizontalSpacing(WIDE_GAP)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(t("File"), place)
        form.addRow(t("Account"), self.account)
        form.addRow(t("Sheet"), self.sheet)
        self._form = form
        form.setRowVisible(self.sheet, False)
        inside = QWidget()
        inside.setProperty("plain", True)
        self._grid = QGridLayout(inside)
        self._grid.setHorizontalSpacing(WIDE_GAP)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP + 4)
        layout.addLayout(form)
        layout.addWidget(self.summary)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.problems)
        layout.addWidget(self.questions)
        layout.addWidget(buttons_of(self, self.does))
        self.problems.hide()

    def _choose(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self,
            t("Import orders"),
            self._services.memory.text(_FOLDER),
            f"{t('Lists of orders')} (*.csv *.xlsx *.txt);;{t('All files')} (*)",
        )
        if name:
            self._services.memory.put(_FOLDER, str(Path(name).parent))
            self.open_file(Path(name))

    def _file_left(self) -> None:
        if self.file.isModified() and self.file.text().strip():
            self.file.setModified(False)
            self.open_file(Path(self.file.text().strip()))

    def _ask(self, *_: object) -> None:
        if not self.file.text().strip():
            return
        workspace, file = self._services.workspace, Path(self.file.text().strip())
        account, mapping = self.account.currentData(), dict(self._given)
        choice = FileChoice(mapping, parse_statuses_said(self.questions.statuses), self.sheet.currentData())
        self.summary.setText(t("Reading the file…"))
        self._services.reader.ask(
            self._topic,
            lambda: orders.preview(workspace, file, choice, account=account),
            self._have,
            self._failed,
        )

    def _have(self, found: OrderFilePreview) -> None:
        before = self._preview
        self._preview = found
        if before is None or before.columns != found.columns or before.rows != found.rows:
            self._fill(found)
        for column, combo in self._combos.items():
            combo.blockSignals(True)
            combo.setCurrentIndex(max(0, combo.findData(found.reading.mapping.get(column, NOTHING))))
            combo.blockSignals(False)
        self._fill_sheets(found)
        told = t(
            "Lines: {lines}. Orders: {orders}. What each column means can be changed; it is remembered.",
            lines=formatting.count(found.lines),
            orders=formatting.count(found.orders),
        )
        if found.reading.remembered:
            told += " " + t("Remembered from earlier files: {columns}.", columns=", ".join(found.reading.remembered))
        self.summary.setText(told)
        told_of_file = (
            problem_text(found.reading.problems),
            status_text(found.reading.unknown_statuses),
            total_text(found.reading.without_total, found.orders),
        )
        problems = [text for text in told_of_file if text]
        self.questions.show_file(found)
        self.problems.setText("\n".join(problems))
        self.problems.setVisible(bool(problems))
        self._enable()

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        if self._preview is None or not isinstance(error, ConfereError):
            clear(self._grid)
            self._combos.clear()
        self._preview = None
        self.questions.show_nothing()
        self.summary.setText("")
        self.problems.setText(f"{fault.what} {fault.remedy}".strip())
        self.problems.show()
        self._enable()
        if fault.is_bug:
            self._services.faults.tell(error)

    def _fill(self, found: OrderFilePreview) -> None:
        clear(self._grid)
        self._combos.clear()
        for place, title in enumerate((t("Column of the file"), t("First values"), t("Means"))):
            self._grid.addWidget(label(title, "muted"), 0, place)
        for number, column in enumerate(found.columns, 1):
            name = label(column)
            name.setMaximumWidth(220)
            self._grid.addWidget(name, number, 0)
            self._grid.addWidget(_examples(found.rows, number - 1), number, 1)
            combo = _meanings(column)
            combo.activated.connect(lambda _=0, column=column: self._said(column))
            name.setBuddy(combo)
            self._combos[column] = combo
            self._grid.addWidget(combo, number, 2)
        self._grid.setRowStretch(len(found.columns) + 1, 1)

    def _fill_sheets(self, found: OrderFilePreview) -> None:
        self._form.setRowVisible(self.sheet, len(found.sheets) > 1)
        if [self.sheet.itemData(place) for place in range(self.sheet.count())] != list(found.sheets):
            self.sheet.clear()
            for name in found.sheets:
                self.sheet.addItem(name, name)
        self.sheet.setCurrentIndex(self.sheet.findData(found.sheet))

    def _said(self, column: str) -> None:
        """A meaning that another column had goes to the one that was chosen last."""
        meaning = self._meaning(column)
        for other in self._combos:
            if other != column and meaning != NOTHING and self._meaning(other) == meaning:
                self._given[other] = NOTHING
        self._given[column] = meaning
        self._ask()

    def _answer(self, column: str, meaning: str) -> None:
        """What a doubtful column is."""
        self._given[column] = meaning
        self._ask()

    def _meaning(self, column: str) -> str:
        meaning: str = self._combos[column].currentData()
        return meaning

    def _enable(self) -> None:
        found = self._preview
        self.does.setEnabled(bool(found and found.orders and not found.reading.doubts and self.account.currentData()))


def problem_text(problems: Sequence[RowProblem]) -> str:
    """What cannot be read: the first lines of it, and how many there are."""
    if not problems:
        return ""
    lines = [t("Lines that cannot be read, and are left out: {count}.", count=formatting.count(len(problems)))]
    lines += [t("line {line}: {why}", line=entry.line, why=entry.reason) for entry in problems[:_PROBLEMS]]
    return "\n".join(lines)


def _accounts(services: Services) -> Sequence[Account]:
    return accounts.every(services.workspace) if services.opened.exists else ()


def _examples(rows: Sequence[Sequence[str]], place: int) -> QLabel:
    values = dict.fromkeys(row[place] for row in rows if place < len(row) and row[place].strip())
    made = Elided()
    made.setProperty("rank", "muted")
    made.setText(" · ".join(list(values)[:_EXAMPLES]))
    return made


def _meanings(column: str) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(t("Meaning of the column {column}", column=column))
    combo.addItem(t("not used"), NOTHING)
    for field, word in _known().items():
        combo.addItem(word, field)
    return combo


def _known() -> Mapping[str, str]:
    return {field: render(Message(FIELD_WORDS[field])) for field in FIELDS}
