"""The export dialog: first whether the month is complete, then what of it goes where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.documents import browse
from confere.app.labels.labels import month_word, profile_word, tax_id_word
from confere.app.packages import export, verdict
from confere.app.packages.export import ExportChoice, ExportPreview, PackageOptions, Split
from confere.app.packages.verdict import ExportVerdict
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.dialogs.package.name_templates import NameTemplatesDialog
from confere.desktop.dialogs.package.package_form import PackageForm, give_way
from confere.desktop.dialogs.package.verdict_card import AMBER, PLAIN, GroupTable, VerdictCard
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_requests import export_order, sync_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.dialog_buttons import resize_on_screen, submit_by_keys
from confere.desktop.widgets.form import text
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.documents.browse import Company, MonthCount

_SIZE = (1120, 600)  # all columns of what goes in
_TOPIC = "export: preview"
_TOPIC_CHOICES = "export: choices"


class ExportDialog(QDialog):
    """`order` is what to do once the dialog was accepted; the preview follows every change."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._previewed = ""  # the folder that the preview is of
        self.setWindowTitle(t("Export the month"))
        self.setMinimumSize(900, 520)  # what fits at 200 % on a screen of 1920 × 1080
        resize_on_screen(self, *_SIZE)
        self.company = QComboBox()
        self.company.setAccessibleName(t("Company"))
        self.month = QComboBox()
        self.month.setAccessibleName(t("Month"))
        self.profile = QComboBox()
        self.profile.setAccessibleName(t("What goes in"))
        for combo in (self.company, self.month, self.profile):
            give_way(combo)
        for name in export.PROFILES:
            self.profile.addItem(profile_word(name), name)
        self.profile.setCurrentIndex(max(0, self.profile.findData(ExportChoice(PackageOptions("")).profile)))
        self.folder = QLineEdit(services.memory.text("export/folder") or str(services.workspace.home.exports))
        self.folder.setAccessibleName(t("Folder"))
        choose = QPushButton(t("Choose…"))
        choose.setAutoDefault(False)  # Enter writes the package
        choose.clicked.connect(self._choose_folder)
        self.naming = QPushButton(t("Templates…"))
        self.naming.setAutoDefault(False)
        self.naming.setToolTip(as_tip(t("Names of folders and files in the package")))
        self.naming.clicked.connect(self._choose_names)
        self.made_as = PackageForm(services.memory, self)
        self.split = QCheckBox(t("One ZIP for each model (NF-e, NFC-e, CT-e)"))
        self.replace = QCheckBox(t("Replace a package that is there already"))
        self.with_not_authentic = QCheckBox(t("With what is not authentic"))
        self.card = VerdictCard(services.look)
        self.card.fetch_wanted.connect(self._fetch)
        self.groups = GroupTable("export/groups", services.look, services.memory)
        self.unfold = QToolButton()
        self.unfold.setProperty("look", "quiet")
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.unfold.setCheckable(True)
        self.unfold.setText(t("Names in the package"))
        self.unfold.toggled.connect(self._fold)
        self.blocked = text(t("There is a package already; choose another folder, or let it be replaced."), "warn")
        self.blocked.hide()
        self.names = QPlainTextEdit()
        self.names.setReadOnly(True)
        self.names.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.names.setAccessibleName(t("Names in the package"))
        self.names.setTabChangesFocus(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.write = QPushButton(t("Write the package"))
        self.write.setProperty("look", "primary")
        self.write.setEnabled(False)
        buttons.addButton(self.write, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._lay_out(choose, buttons)
        submit_by_keys(self, self.write)
        self.write.setDefault(True)  # only now: a button that is in no dialog yet becomes nobody's default
        self.company.currentIndexChanged.connect(self._ask_months)
        for signal in (
            self.month.currentIndexChanged,
            self.profile.currentIndexChanged,
            self.split.toggled,
            self.replace.toggled,
            self.with_not_authentic.toggled,
            self.made_as.changed,
        ):
            signal.connect(self._preview)
        self.folder.editingFinished.connect(self._folder_left)
        services.jobs.ended.connect(self._job_ended)
        services.look.changed.connect(self._paint)
        self._fold(False)
        self._ask_choices()

    @property
    def choice(self) -> ExportChoice | None:
        """What is chosen now; None while no month can be chosen."""
        month = self.month.currentData()
        if not month:
            return None
        options = PackageOptions(
            month=month,
            split=Split.MODEL if self.split.isChecked() else Split.ONE,
            replace=self.replace.isChecked(),
            with_not_authentic=self.with_not_authentic.isChecked(),
        )
        return self.made_as.applied(
            ExportChoice(
                options,
                company=self.company.currentData(),
                target=Path(self.folder.text()) if self.folder.text().strip() else None,
                profile=self.profile.currentData(),
            )
        )

    @property
    def order(self) -> JobRequest | None:
        choice = self.choice
        return None if choice is None else export_order(choice)

    def accept(self) -> None:
        self._services.memory.put("export/folder", self.folder.text().strip())
        self.made_as.keep()
        super().accept()

    def done(self, result: int) -> None:
        self._services.reader.forget(_TOPIC)
        self._services.reader.forget(_TOPIC_CHOICES)
        super().done(result)

    def _lay_out(self, choose: QPushButton, buttons: QDialogButtonBox) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(WIDE_GAP)
        form.setVerticalSpacing(GAP - 2)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(t("Company"), self.company)
        form.addRow(t("Month"), self.month)
        form.addRow(t("What goes in"), self.profile)
        place = QHBoxLayout()
        place.setSpacing(GAP)
        place.addWidget(self.folder, 1)
        place.addWidget(choose)
        form.addRow(t("Folder"), place)
        self.made_as.add_rows(form, self.naming)
        form.addRow("", self.split)
        form.addRow("", self.replace)
        form.addRow("", self.with_not_authentic)
        form.addRow("", self.made_as.with_pdf)
        form.addRow(self.blocked)
        left = QVBoxLayout()
        left.addLayout(form)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(GAP)
        right.addWidget(self.groups, 3)
        right.addWidget(self.unfold, 0, Qt.AlignmentFlag.AlignLeft)
        right.addWidget(self.names, 2)
        halves = QHBoxLayout()
        halves.setSpacing(WIDE_GAP)
        halves.addLayout(left, 2)
        halves.addLayout(right, 3)
        layout = QVBoxLayout(self)
        layout.setSpacing(WIDE_GAP - 4)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.addWidget(self.card)
        layout.addLayout(halves, 1)
        layout.addWidget(buttons)

    def _ask_choices(self) -> None:
        opened, company = self._services.opened, self._services.scope.company
        self.card.tell(t("Looking at the archive…"))
        self._services.reader.ask(
            _TOPIC_CHOICES,
            lambda: (browse.companies(opened), browse.months(opened, company)),
            self._have_choices,
            self._failed,
        )

    def _have_choices(self, found: tuple[Sequence[Company], Sequence[MonthCount]]) -> None:
        companies, months = found
        scope = self._services.scope
        self.company.blockSignals(True)
        self.company.addItem(t("Every company of the accounts"), None)
        for entry in companies:
            masked = tax_id_word(entry.tax_id)
            self.company.addItem(f"{entry.name} — {masked}" if entry.name else masked, entry.tax_id)
        self.company.setCurrentIndex(max(0, self.company.findData(scope.company)))
        self.company.blockSignals(False)
        self._fill_months(months, scope.month)

    def _ask_months(self) -> None:
        """Another company may have documents of other months."""
        opened, company = self._services.opened, self.company.currentData()
        self.write.setEnabled(False)
        self._services.reader.ask(
            _TOPIC_CHOICES, lambda: browse.months(opened, company), self._have_months, self._failed
        )

    def _have_months(self, months: Sequence[MonthCount]) -> None:
        self._fill_months(months, self.month.currentData())

    def _fill_months(self, months: Sequence[MonthCount], wanted: str | None) -> None:
        """Offer these; the wanted one is chosen where it is among them, else the newest."""
        self.month.blockSignals(True)
        self.month.clear()
        for count in months:
            self.month.addItem(month_word(count.month), count.month)
        self.month.setCurrentIndex(max(0, self.month.findData(wanted)) if months else -1)
        self.month.blockSignals(False)
        self._preview()

    def _preview(self) -> None:
        choice = self.choice
        self._previewed = self.folder.text()
        self.write.setEnabled(False)
        if choice is None:
            self._say(t("There is nothing to export yet: no document has a date."))
            return
        opened = self._services.opened
        self.card.tell(t("Looking at the archive…"))
        self._services.reader.ask(_TOPIC, lambda: verdict.verdict(opened, choice), self._have_verdict, self._failed)

    def _have_verdict(self, found: ExportVerdict) -> None:
        self.card.show_verdict(found)
        blocked = [entry for entry in found.previews if entry.existing and not self.replace.isChecked()]
        self.blocked.setVisible(bool(blocked))
        self.groups.put(found.groups)
        self.names.setPlainText("\n".join(line for entry in found.previews for line in name_lines(entry)))
        self.write.setText(t("Write the package") if found.is_complete else t("Write all the same"))
        self.write.setEnabled(bool(found.xml) and not blocked)

    def _say(self, sentence: str, kind: str = PLAIN) -> None:
        """Only a sentence: there is no package to speak of."""
        self.card.tell(sentence, kind=kind)
        self.groups.put(())
        self.names.clear()
        self.blocked.hide()
        self.write.setEnabled(False)

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        self._say(f"{fault.what} {fault.remedy}".strip(), AMBER)
        if fault.is_bug:
            self._services.faults.tell(error)

    def _fetch(self) -> None:
        """Bring what lacks; when that has ended the verdict is given anew."""
        self.card.fetch.setEnabled(False)
        self.card.fetch.setText(t("Downloading…"))
        if not self._services.jobs.has(JobKind.SYNC):
            self._services.jobs.start(sync_order())

    def _job_ended(self, outcome: JobOutcome) -> None:
        if outcome.order.kind is JobKind.SYNC and self.isVisible():
            self.card.fetch.setEnabled(True)
            self.card.fetch.setText(t("Download now"))
            self._preview()

    def _fold(self, shown: bool) -> None:
        self.names.setVisible(shown)
        self._paint()

    def _paint(self) -> None:
        self.unfold.setIcon(self._services.look.icon("down" if self.unfold.isChecked() else "right", "muted"))

    def _folder_left(self) -> None:
        """Enter says so each time: of a folder that was looked at already it is meant for the button."""
        if self.folder.text() != self._previewed:
            self._preview()

    def _choose_names(self) -> None:
        dialog = NameTemplatesDialog(self._services, self)
        dialog.finished.connect(self._preview)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, t("Folder for the package"), self.folder.text())
        if chosen:
            self.folder.setText(str(Path(chosen)))
            self._preview()


def name_lines(entry: ExportPreview) -> list[str]:
    """The package's path and the first names in it."""
    lines = [str(path) for path in entry.contents.paths]
    lines += [f"    {name}" for name in entry.names]
    if entry.contents.xml > len(entry.names):
        lines.append("    " + t("… and {count} more", count=formatting.count(entry.contents.xml - len(entry.names))))
    return lines
