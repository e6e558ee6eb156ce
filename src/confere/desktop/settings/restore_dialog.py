"""A dialog that puts a backup back: one is chosen, checked by a job, and only what was found whole can be restored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from confere.app.backups.backup_copies import BackupCopy
from confere.app.backups.restored_accounts import RestoredAccount, RestoredChange
from confere.app.labels.backup_labels import (
    account_lines,
    kept_line,
    loss_lines,
    loss_texts,
    place_word,
    replaces_damaged,
    state_word,
)
from confere.app.labels.labels import documents_word, events_word
from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.jobs.job_requests import restore_order
from confere.desktop.jobs.job_results import CopyFigures, RestoreJobResult
from confere.desktop.services import Services
from confere.desktop.settings.backup_passphrase_dialog import passphrase_edit
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FieldWithButton, FormField, set_rank, text
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import t

_ENCRYPTED = ".age"


class RestoreDialog(QDialog):
    """`copies` are those that are known; any other file can be named too."""

    def __init__(self, services: Services, copies: Sequence[BackupCopy], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._checked: Path | None = None  # what was found whole
        self.setWindowTitle(t("Restore from a backup"))
        self.setMinimumWidth(640)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(14)
        layout.addWidget(
            text(
                t(
                    "The backup is read from beginning to end first. The archive of now is not deleted: it stays "
                    "beside the restored one under another name."
                ),
                "muted",
            )
        )
        self.choice = QComboBox()
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for copy in copies:
            self.choice.addItem(_line(copy), str(copy.path))
        self.other = QPushButton(t("Another file…"))
        self.other.setAutoDefault(False)
        self.other.clicked.connect(self._browse)
        layout.addWidget(FormField(t("Backup"), FieldWithButton(self.choice, self.other)))
        self.passphrase = passphrase_edit()
        self.secret = FormField(t("Passphrase"), self.passphrase, t("Empty: the one that the keyring keeps."))
        layout.addWidget(self.secret)
        self.checked = text(t("Check the backup to see what it holds."), "muted", selectable=True)
        self.checked.setAccessibleName(t("What the check found"))
        layout.addWidget(self.checked)
        self.present = text("", selectable=True)
        self.present.hide()
        layout.addWidget(self.present)
        self.accounts = text("", selectable=True)
        self.accounts.setAccessibleName(t("Accounts of the backup"))
        self.accounts.hide()
        layout.addWidget(self.accounts)
        self.lost = text("", selectable=True)
        self.lost.setAccessibleName(t("What the backup lacks"))
        self.lost.hide()
        layout.addWidget(self.lost)
        layout.addStretch(1)
        self.restore = QPushButton(t("Restore"))
        self.buttons = buttons_of(self, self.restore)
        self.check = QPushButton(t("Check the backup"))
        self.check.setAutoDefault(False)
        self.check.clicked.connect(self.start_check)
        self.buttons.addButton(self.check, self.buttons.ButtonRole.ActionRole)
        layout.addWidget(self.buttons)
        self.choice.currentIndexChanged.connect(self._chosen_anew)
        self.passphrase.textChanged.connect(self._chosen_anew)
        services.jobs.ended.connect(self._job_ended)
        services.jobs.changed.connect(self._enable)
        self._chosen_anew()

    @property
    def chosen(self) -> Path | None:
        """The file that is meant."""
        data = self.choice.currentData()
        return Path(data) if data else None

    def start_check(self) -> None:
        """Have the chosen file read from beginning to end."""
        file = self.chosen
        if file is None or self._services.jobs.has(JobKind.RESTORE_PREVIEW):
            return
        _say(self.checked, t("The backup is being read…"), "muted")
        self._services.jobs.start(restore_order(file, self._typed(), preview=True))

    def accept(self) -> None:
        """Have it put into the archive's place; the job says how that ended."""
        file = self.chosen
        if file is None or file != self._checked:
            return
        self._services.jobs.start(restore_order(file, self._typed(), preview=False))
        super().accept()

    def done(self, result: int) -> None:
        """Keep nothing of what was typed."""
        self._services.jobs.ended.disconnect(self._job_ended)
        self._services.jobs.changed.disconnect(self._enable)
        self.passphrase.blockSignals(True)
        self.passphrase.setText("")
        super().done(result)

    def _typed(self) -> str:
        return self.passphrase.text() if self.secret.isVisible() else ""

    def _browse(self) -> None:
        folder = str(self._services.workspace.home.backups)
        name, _ = QFileDialog.getOpenFileName(
            self, t("Choose a backup"), folder, f"{t('Backups of Confere')} (*.sqlite3 *.age);;{t('All files')} (*)"
        )
        if name:
            self.choose(Path(name))

    def choose(self, file: Path) -> None:
        """Mean this file, known or not."""
        place = self.choice.findData(str(file))
        if place < 0:
            self.choice.addItem(str(file), str(file))
            place = self.choice.count() - 1
        self.choice.setCurrentIndex(place)

    def _chosen_anew(self) -> None:
        """What was checked was another file, or opened by another passphrase."""
        self._checked = None
        file = self.chosen
        self.secret.setVisible(file is not None and file.name.endswith(_ENCRYPTED))
        known = t("Check the backup to see what it holds.")
        _say(self.checked, t("There is no backup here yet: choose a file.") if file is None else known, "muted")
        self.present.hide()
        self.accounts.hide()
        self.lost.hide()
        self._enable()

    def _enable(self) -> None:
        jobs = self._services.jobs
        is_checking = jobs.has(JobKind.RESTORE_PREVIEW)
        self.check.setEnabled(self.chosen is not None and not is_checking)
        self.restore.setEnabled(self._checked is not None and self._checked == self.chosen and not is_checking)

    def _job_ended(self, outcome: JobOutcome) -> None:
        if outcome.order.kind is not JobKind.RESTORE_PREVIEW:
            return
        if outcome.error is not None:
            _say(self.checked, f"{outcome.error.what} {outcome.error.remedy or ''}".strip(), "bad")
        elif outcome.stopped or not isinstance(outcome.result, RestoreJobResult):
            _say(self.checked, t("Stopped. Nothing was changed."), "muted")
        elif self.chosen is not None and Path(outcome.result.file) == self.chosen:
            self._checked = self.chosen
            self._show(outcome.result)
        self._enable()

    def _show(self, found: RestoreJobResult) -> None:
        words = t("The backup is whole: {what}.", what=_holds(found.backup))
        if found.backup.older:
            words += " " + t("It is of an older Confere and is brought up to date.")
        _say(self.checked, words, "good")
        if not found.there:
            _say(self.present, t("There is no archive here now."), "muted")
        elif not found.present.archive_id:
            _say(self.present, replaces_damaged(found.lost), "warn")
        else:
            words = t("It takes the place of: {what}.", what=_holds(found.present))
            if not found.same_archive:
                words += " " + t("Careful: it is a backup of another archive than the one that is here.")
            _say(self.present, words, "" if found.same_archive else "warn")
        self.present.show()
        accounts = [
            RestoredAccount(each.name, each.address or None, each.present_address or None, each.disarmed)
            for each in found.accounts
        ]
        same = all(each.change is RestoredChange.SAME and not each.is_disarmed for each in accounts)
        _say(self.accounts, "\n".join(account_lines(accounts, "• ", there=found.there)), "" if same else "warn")
        self.accounts.setVisible(bool(accounts))
        if found.there:
            self._show_lost(found)

    def _show_lost(self, found: RestoreJobResult) -> None:
        lost = found.lost
        kept = kept_line(self._services.workspace.home.archive, comes_back=found.comes_back)
        _say(self.lost, "\n".join((*loss_lines(lost, "• "), kept)), "warn" if lost is None or loss_texts(lost) else "")
        self.lost.show()


def _line(copy: BackupCopy) -> str:
    state = state_word(copy.state)
    if copy.encrypted:
        state = t("{state}, encrypted", state=state)
    return t(
        "{moment} · {size} · {state} · {place}",
        moment=formatting.moment(copy.made_at),
        size=formatting.size(copy.size),
        state=state,
        place=place_word(copy.place),
    )


def _holds(figures: CopyFigures) -> str:
    newest = (
        formatting.moment(datetime.fromisoformat(figures.newest_run).astimezone(BRASILIA))
        if figures.newest_run
        else t("never")
    )
    return t(
        "{documents}, {events}, newest run {run}",
        documents=documents_word(figures.documents),
        events=events_word(figures.events),
        run=newest,
    )


def _say(label: QLabel, words: str, rank: str) -> None:
    label.setText(words)
    set_rank(label, rank)
