"""The backups of the archive: which there are and whether they are whole, making one, and putting one back."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget

from confere.app.backups import backup_copies
from confere.app.backups.backup_copies import BackupCopy, BackupStatus, CopyState
from confere.app.labels.backup_labels import place_word, state_word
from confere.desktop.core.file_manager import open_folder
from confere.desktop.jobs import job_outcomes
from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.jobs.job_requests import accept_loss_order, backup_order, check_copies_order, drill_order
from confere.desktop.services import Services, keep, refusal
from confere.desktop.settings.backup_passphrase_dialog import PassphraseDialog
from confere.desktop.settings.restore_dialog import RestoreDialog
from confere.desktop.settings.setting_field import KeptText, read_whole
from confere.desktop.theme.measures import GAP, ROW
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.desktop.widgets.form import FieldWithButton, FormCard, FormField, set_rank, text
from confere.desktop.widgets.notices import BAD, GOOD, WARN
from confere.desktop.widgets.plain_text import as_tip
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import ConfereError, Message
from confere.system import formatting
from confere.system.folders import named_folder
from confere.system.messages import render, t
from confere.system.settings import (
    BACKUP_ALARM,
    BACKUP_ENCRYPTED,
    BACKUP_FOLDER,
    BACKUPS_DAILY,
    BACKUPS_MONTHLY,
    BACKUPS_WEEKLY,
    BACKUPS_YEARLY,
)

_PILLS = {
    CopyState.WHOLE: "good",
    CopyState.DAMAGED: "bad",
    CopyState.UNCHECKED: "neutral",
    CopyState.OTHER: "neutral",
}
_RANKS = {GOOD: "good", WARN: "warn", BAD: "bad"}
_ROWS = 3  # that are seen without scrolling


class BackupsCard(FormCard):
    """Copies are made and put back by jobs; how they ended is said here."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(t("Backups"), parent)
        self._services = services
        self.topic = f"settings.backups.{id(self)}"
        self.state: BackupStatus | None = None
        self.dialog: QDialog | None = None
        self.counted = text("…", selectable=True)
        self.counted.setAccessibleName(t("Backups"))
        self.body.addWidget(self.counted)
        self.tried = text("", "muted", selectable=True)
        self.tried.hide()
        self.body.addWidget(self.tried)
        self.table: Table[BackupCopy] = Table(
            "settings/backups",
            t("Copies of the archive"),
            _columns(),
            lambda copy: copy.path,
            services.look,
            services.memory,
            self,
        )
        self.table.setFixedHeight(ROW * (_ROWS + 1))
        self.body.addWidget(self.table)
        self._lay_out_acts()
        self._lay_out_settings()
        services.jobs.changed.connect(self._jobs_changed)
        services.jobs.ended.connect(self._job_ended)
        services.look.changed.connect(self._paint)
        self._paint()
        self._jobs_changed()

    def ask(self) -> None:
        """Look again which copies there are; nothing is read for that."""
        self._services.reader.ask(self.topic, partial(backup_copies.of_open, self._services.opened), self._show)

    def _lay_out_acts(self) -> None:
        self.back_up = QPushButton(t("Back up now"))
        self.back_up.clicked.connect(self.start_backup)
        self.restore = QPushButton(t("Restore from a backup…"))
        self.restore.clicked.connect(self.choose_backup)
        self.check = QPushButton(t("Check the copies"))
        self.check.setToolTip(as_tip(t("Reads every copy from beginning to end; only what was read whole counts.")))
        self.check.clicked.connect(self.start_check)
        self.drill = QPushButton(t("Try a restore"))
        tip = t("Restores the newest backup to a scratch place, verifies it there and removes it again.")
        self.drill.setToolTip(as_tip(tip))
        self.drill.clicked.connect(self.start_drill)
        self.accept_loss = QPushButton(t("Accept the loss…"))
        self.accept_loss.clicked.connect(self.confirm_loss)
        self.accept_loss.hide()
        self.open_backups = QPushButton(t("Open the backups"))
        self.open_backups.clicked.connect(lambda: open_folder(self._services.workspace.home.backups))
        self.body.addLayout(
            _row(self.back_up, self.restore, self.check, self.drill, self.open_backups, self.accept_loss)
        )
        self.backed_up = text("", selectable=True)
        self.backed_up.hide()
        self.body.addWidget(self.backed_up)

    def _lay_out_settings(self) -> None:
        services, settings = self._services, self._services.workspace.settings
        self.folder = QLineEdit()
        self.folder.setText(settings.get(BACKUP_FOLDER))
        self.folder.setClearButtonEnabled(True)
        browse = QPushButton(t("Choose…"))
        browse.setAccessibleName(t("Choose the second folder for backups"))
        browse.clicked.connect(self._browse)
        self.second = FormField(
            t("Second folder"),
            FieldWithButton(self.folder, browse),
            t("On another disk, a stick or a share: a backup beside the archive does not outlive the disk."),
        )
        self.folder.textEdited.connect(lambda typed: self.second.tell(refusal(BACKUP_FOLDER, typed.strip())))
        self.folder.editingFinished.connect(self._keep_folder)
        self.body.addWidget(self.second)
        self.encrypted = QCheckBox(t("Encrypt what goes into the second folder"))
        self.encrypted.setChecked(settings.get(BACKUP_ENCRYPTED))
        self.encrypted.toggled.connect(lambda on: keep(services, BACKUP_ENCRYPTED, on))
        self.passphrase = QPushButton(t("Passphrase…"))
        self.passphrase.clicked.connect(self._ask_passphrase)
        self.body.addLayout(_row(self.encrypted, self.passphrase))
        self._lay_out_kept()
        self.alarm_days = KeptText(
            services,
            BACKUP_ALARM,
            QLineEdit(),
            t("Warn when no whole backup is younger than so many days"),
            t("0: never."),
            read_whole,
        )
        self.body.addWidget(self.alarm_days)

    def _lay_out_kept(self) -> None:
        """Of how many days, weeks, months and years the newest backup stays."""
        self.kept: dict[str, KeptText] = {}
        for setting, title in (
            (BACKUPS_DAILY, t("Daily backups")),
            (BACKUPS_WEEKLY, t("Weekly backups")),
            (BACKUPS_MONTHLY, t("Monthly backups")),
            (BACKUPS_YEARLY, t("Yearly backups")),
        ):
            self.kept[setting.key] = KeptText(self._services, setting, QLineEdit(), title, "", read_whole)
        self.body.addLayout(_row(*self.kept.values()))
        hint = t(
            "Of so many days, weeks, months and years the newest backup is kept; others are removed when a new one is"
            " made. One that holds more than every newer one always stays, and so do copies made before an update of"
            " Confere."
        )
        self.body.addWidget(text(hint, "muted"))

    def start_backup(self) -> None:
        """Have checked copies made in the usual places."""
        if not self._services.jobs.has(JobKind.BACKUP):
            self.say(t("Running…"), "muted")
            self._services.jobs.start(backup_order())

    def start_check(self) -> None:
        """Have every copy read from beginning to end."""
        if not self._services.jobs.has(JobKind.BACKUP):
            self.say(t("Running…"), "muted")
            self._services.jobs.start(check_copies_order())

    def start_drill(self) -> None:
        """Have the newest backup restored to a scratch place and verified."""
        if not self._services.jobs.has(JobKind.BACKUP):
            self.say(t("Running…"), "muted")
            self._services.jobs.start(drill_order())

    def confirm_loss(self) -> None:
        """Ask whether it is right that the newest backup holds less than an older one."""
        box = QMessageBox(self.window())
        box.setWindowTitle(t("Accept the loss"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(t("Is it right that the newest backup holds less?"))
        box.setInformativeText(
            t(
                "The audit trail says that you accepted it. The warning goes, and the older backup is removed when its"
                " time has come. To see first what is missing, choose the older one in Restore from a backup…, Check"
                " the backup."
            )
        )
        accept = box.addButton(t("Accept"), QMessageBox.ButtonRole.DestructiveRole)
        leave = box.addButton(t("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(leave)
        box.setEscapeButton(leave)
        accept.clicked.connect(lambda: self._services.jobs.start(accept_loss_order()))
        self._open(box)

    def choose_backup(self) -> None:
        """Ask which backup is to take the archive's place; it is checked first."""
        copies = () if self.state is None else self.state.copies
        self._open(RestoreDialog(self._services, copies, self.window()))

    def say(self, sentence: str, rank: str) -> None:
        """What the last act came to."""
        self.backed_up.setText(sentence)
        set_rank(self.backed_up, rank)
        self.backed_up.setVisible(bool(sentence))

    def _show(self, state: BackupStatus) -> None:
        self.state = state
        words = "\n".join(map(render, state.alarms or (state.sentence,)))
        if state.second_folder is not None and not state.second_reachable:
            words += "\n" + t("The second folder {path} is not there just now.", path=str(state.second_folder))
        self.counted.setText(words)
        set_rank(self.counted, "warn" if state.alarm is not None else "")
        drilled = state.drill_sentence if state.drill is None or state.drill.passed else None
        self.tried.setText("" if drilled is None else render(drilled))
        self.tried.setVisible(drilled is not None)
        self.accept_loss.setVisible(state.loss is not None)
        self.table.put(state.copies)
        self.table.setVisible(bool(state.copies))
        self._jobs_changed()

    def _jobs_changed(self) -> None:
        jobs, opened = self._services.jobs, self._services.opened
        opened.is_brief = jobs.has(JobKind.RESTORE)
        there = opened.exists
        self.back_up.setEnabled(there and not jobs.has(JobKind.BACKUP))
        self.restore.setEnabled(not jobs.has(JobKind.RESTORE))
        for button in (self.check, self.drill, self.accept_loss):
            button.setEnabled(there and not jobs.has(JobKind.BACKUP))

    def _job_ended(self, outcome: JobOutcome) -> None:
        if outcome.order.kind not in (JobKind.BACKUP, JobKind.RESTORE):
            return
        if outcome.stopped:
            self.say(t("Stopped. Nothing was changed."), "muted")
        elif outcome.error is not None:
            self.say(f"{outcome.error.what} {outcome.error.remedy or ''}".strip(), "bad")
        else:
            kind, words = job_outcomes.told(outcome)
            self.say(words, _RANKS.get(kind, ""))
        self._jobs_changed()
        self.ask()

    def _browse(self) -> None:
        name = QFileDialog.getExistingDirectory(self, t("Choose the second folder for backups"), self.folder.text())
        if name:
            self.folder.setText(str(Path(name)))
            self._keep_folder()

    def _keep_folder(self) -> None:
        """Use it once it is known to be there, which a drive may be slow to tell; it is made in a folder that is."""
        typed = self.folder.text().strip()
        if typed == self._services.workspace.settings.get(BACKUP_FOLDER):
            self.second.tell("")
        elif not typed or refusal(BACKUP_FOLDER, typed):
            self._use_folder(typed, None)
        else:
            self._services.reader.write(partial(_prepared, Path(typed)), partial(self._use_folder, typed))

    def _use_folder(self, typed: str, found: Message | ConfereError | None) -> None:
        """`found` is what was made, or why it cannot be used: then the folder that was set stays.

        Nothing where another one was typed before the answer came.
        """
        if typed != self.folder.text().strip():
            return
        if isinstance(found, ConfereError):
            self.second.tell(" ".join(map(render, filter(None, (found.what, found.remedy)))))
            return
        self.second.tell(keep(self._services, BACKUP_FOLDER, typed))
        if found is not None:
            self.say(render(found), "muted")
        self.ask()

    def _ask_passphrase(self) -> None:
        self._open(PassphraseDialog(self._services, self.window()))

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._dialog_finished)
        dialog.open()

    def _dialog_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def _paint(self) -> None:
        for button, icon in (
            (self.back_up, "save"),
            (self.restore, "import"),
            (self.check, "check"),
            (self.drill, "retry"),
            (self.open_backups, "open"),
        ):
            button.setIcon(self._services.look.icon(icon))


def _prepared(folder: Path) -> Message | ConfereError | None:
    """Make it where it is not there, and look whether it can be written to; what was made, or what is wrong."""
    folder = folder.expanduser()
    try:
        was_made = named_folder.made(folder)
        named_folder.require_writable(folder)
    except ConfereError as error:
        return error
    return was_made


def _columns() -> tuple[TableColumn[BackupCopy], ...]:
    return (
        TableColumn("made", t("Date"), lambda copy: formatting.moment(copy.made_at), 125),
        TableColumn("size", t("Size"), lambda copy: formatting.size(copy.size), 80, right=True),
        TableColumn(
            "state", t("State"), lambda copy: state_word(copy.state), 110, pill=lambda copy: _PILLS[copy.state]
        ),
        TableColumn("encrypted", t("Encrypted"), lambda copy: t("yes") if copy.encrypted else t("no"), 85),
        TableColumn("documents", t("Documents"), _documents, 95, right=True),
        TableColumn("place", t("Where"), lambda copy: place_word(copy.place), 120),
        TableColumn("file", t("File"), lambda copy: copy.path.name, 120, stretches=True, tip=_path, copied=_path),
    )


def _path(copy: BackupCopy) -> str:
    return str(copy.path)


def _documents(copy: BackupCopy) -> str:
    return formatting.count(copy.documents) if copy.state is not CopyState.UNCHECKED else ""


def _row(*widgets: QWidget) -> FlowLayout:
    """Side by side, in more lines where there is no room for one."""
    row = FlowLayout(spacing=GAP)
    for widget in widgets:
        row.addWidget(widget)
    return row
