"""A dialog that takes the passphrase of encrypted backups, twice, and keeps it in the system's keyring."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from confere.app.backups import backup_passphrase
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FormField, text
from confere.desktop.widgets.notices import GOOD
from confere.system.messages import t


def passphrase_edit() -> QLineEdit:
    """A line for a passphrase, which is not shown."""
    edit = QLineEdit()
    edit.setEchoMode(QLineEdit.EchoMode.Password)
    edit.setMaxLength(1024)
    return edit


class PassphraseDialog(QDialog):
    """What is typed is kept for the copies that are made from now on; older ones keep their own."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.setWindowTitle(t("Passphrase of the backups"))
        self.setMinimumWidth(520)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(14)
        layout.addWidget(
            text(
                t(
                    "Some words that nobody guesses. Write it down and keep it away from this computer: without it "
                    "nobody can ever open an encrypted backup."
                ),
                "muted",
            )
        )
        self.first, self.again = passphrase_edit(), passphrase_edit()
        layout.addWidget(FormField(t("Passphrase"), self.first))
        layout.addWidget(FormField(t("The same passphrase again"), self.again))
        self.failure = text("", "bad", selectable=True)
        self.failure.hide()
        layout.addWidget(self.failure)
        layout.addStretch(1)
        self.save = QPushButton(t("Keep the passphrase"))
        layout.addWidget(buttons_of(self, self.save))
        for edit in (self.first, self.again):
            edit.textChanged.connect(self._check)
        self._check()
        self.first.setFocus()

    def accept(self) -> None:
        """Keep it; the keyring may have to ask, so that is not waited for here."""
        if not self.save.isEnabled():
            return
        self.save.setEnabled(False)
        opened, typed = self._services.opened, self.first.text()

        self._services.reader.write(
            lambda: backup_passphrase.keep(opened.archive().id, typed), self._kept, self._failed
        )

    def done(self, result: int) -> None:
        """Keep nothing of what was typed."""
        self.first.setText("")
        self.again.setText("")
        super().done(result)

    def _kept(self, _: object) -> None:
        self._services.notices.add(GOOD, t("The passphrase of the backups is kept."), topic="backup passphrase")
        super().accept()

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        if fault.is_bug:
            self._services.faults.tell(error)
        self.failure.setText(f"{fault.what} {fault.remedy}".strip())
        self.failure.show()
        self.save.setEnabled(True)

    def _check(self) -> None:
        typed = self.first.text()
        wrong = ""
        if 0 < len(typed.strip()) < backup_passphrase.SHORTEST:
            wrong = t("A passphrase for backups has at least {count} characters.", count=backup_passphrase.SHORTEST)
        elif self.again.text() and self.again.text() != typed:
            wrong = t("The two passphrases are not the same.")
        self.failure.setText(wrong)
        self.failure.setVisible(bool(wrong))
        self.save.setEnabled(bool(typed.strip()) and self.again.text() == typed and not wrong)
