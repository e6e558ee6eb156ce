"""A token typed in, and where it will be kept: the keyring, or a file where the system has no keyring."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.accounts import accounts
from confere.app.accounts.accounts import Account
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.dialogs.token_place import Keyring, keyring, token_words
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import submit_by_keys
from confere.desktop.widgets.form import FieldWithButton, FormField, text
from confere.desktop.widgets.notices import GOOD
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t
from confere.system.secrets import token_store
from confere.system.secrets.origin import origin_of


class TokenFields(QWidget):
    """The token, hidden unless asked for, and the file for it where there is no keyring."""

    changed = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._keyring: Keyring | None = None
        self._account = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        self.edit = QLineEdit()
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setMaxLength(4096)
        self.reveal = QToolButton()
        self.reveal.setProperty("look", "quiet")
        self.reveal.setCheckable(True)
        self.reveal.toggled.connect(self._show)
        self._show(False)
        self.token = FormField(
            t("Token"), FieldWithButton(self.edit, self.reveal), t("Looking for the system's keyring…")
        )
        layout.addWidget(self.token)
        self.path = QLineEdit()
        browse = QPushButton(t("Choose…"))
        browse.setAccessibleName(t("Choose the token file"))
        browse.setAutoDefault(False)  # Enter is for what the dialog is for
        browse.clicked.connect(self._browse)
        self.file = FormField(t("Token file"), FieldWithButton(self.path, browse))
        self.file.hide()
        layout.addWidget(self.file)
        self.edit.textEdited.connect(self.changed)
        self.path.textChanged.connect(self.changed)
        self._topic = f"keyring.{id(self)}"
        services.reader.ask(self._topic, keyring, self._found)

    @property
    def given(self) -> str | None:
        """The token that was typed, None without one."""
        return self.edit.text().strip() or None

    @property
    def path_given(self) -> Path | None:
        """The file that was named, where there is no keyring."""
        if self._keyring is None or self._keyring.is_there or not self.path.text().strip():
            return None
        return Path(self.path.text().strip()).expanduser()

    @property
    def problem(self) -> str:
        """What is wrong with the token, or empty. A missing one is for the dialog to say."""
        token = self.given or ""
        if not all(" " <= letter <= "~" for letter in token):
            return t("A token is one line of letters, digits and signs without accents; copy it again.")
        return ""

    @property
    def file_problem(self) -> str:
        """What is wrong with the file, or empty."""
        path = self.path_given
        if path is not None and path.is_dir():
            return t("{path} is a folder; name a file in it.", path=str(path))
        if self._keyring is not None and not self._keyring.is_there and self.given and path is None:
            return t("Name the file that the token is to be kept in.")
        return ""

    @property
    def is_enough(self) -> bool:
        """Whether there is a token, or with no keyring a way for Confere to find it later."""
        return self._keyring is not None and (self.given is not None or not self._keyring.is_there)

    def say_for(self, account: str) -> None:
        """The name of the account, which the ways around the keyring carry."""
        self._account = account.strip()
        self._explain()

    def forget(self) -> None:
        """Keep nothing of what was typed, the field's own undo included, and wait for nothing."""
        self.edit.setText("")
        self._services.reader.forget(self._topic)

    def _found(self, found: Keyring) -> None:
        self._keyring = found
        self.file.setVisible(not found.is_there)
        self._explain()
        self.changed.emit()

    def _explain(self) -> None:
        if self._keyring is None:
            return
        if self._keyring.is_there:
            self.token.set_hint(
                t("Kept in {name}: never in the archive, in a log or on a command line.", name=self._keyring.name)
            )
            return
        self.token.set_hint(t("{why} So the token needs a file that only you can read.", why=self._keyring.why))
        self.file.set_hint(
            t(
                "Confere writes the token there and closes the file to other users; a file that already holds it is "
                "fine too. Without a file Confere looks in the variable {variable} (weak: other programs of yours "
                "can read it).",
                variable=token_store.environment_name(self._account or t("name")),
            )
        )

    def _show(self, shown: bool) -> None:
        self.edit.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        words = t("Hide the token") if shown else t("Show the token")
        self.reveal.setIcon(self._services.look.icon("eye-off" if shown else "eye"))
        self.reveal.setToolTip(as_tip(words))
        self.reveal.setAccessibleName(words)

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self,
            t("Choose the token file"),
            str(self._services.workspace.home.root / "token.txt"),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if name:
            self.path.setText(name)


class TokenDialog(QDialog):
    """Another token for an account that is there already, or the one that it has for where the account is now.

    `token_origin` is where its token was given for, None where this machine has none.
    """

    def __init__(
        self, services: Services, account: Account, parent: QWidget | None = None, token_origin: str | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._account = account
        self.setWindowTitle(t("Token of the account {name}", name=account.name))
        self.setMinimumWidth(520)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(14)
        layout.addWidget(
            text(t("The new token takes the place of the one before. Nothing else of the account changes."), "muted")
        )
        layout.addWidget(
            text(t("It is sent to this address alone: {address}", address=account.address), selectable=True)
        )
        self.go_there = QPushButton(t("Use the token that is here"))
        self.go_there.hide()
        if token_origin is not None and token_origin != origin_of(account.address):
            layout.addWidget(
                text(
                    t(
                        "The token that is here was given for {before}. If the hub has moved and the address above is "
                        "right, it can be used there too.",
                        before=token_origin,
                    ),
                    "warn",
                )
            )
            self.go_there.setAutoDefault(False)
            self.go_there.show()
            self.go_there.clicked.connect(self._move)
            layout.addWidget(self.go_there, 0, Qt.AlignmentFlag.AlignLeft)
        self.fields = TokenFields(services)
        self.fields.say_for(account.name)
        layout.addWidget(self.fields)
        self.failure = text("", "bad", selectable=True)
        self.failure.hide()
        layout.addWidget(self.failure)
        layout.addStretch(1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(t("Cancel"))
        self.save = self.buttons.addButton(t("Keep the token"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setProperty("look", "primary")
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        layout.addWidget(self.buttons)
        submit_by_keys(self, self.save)
        self.fields.changed.connect(self._check)
        self._check()
        self.fields.edit.setFocus()

    def done(self, result: int) -> None:
        """The token does not outlive the dialog."""
        self.fields.forget()
        super().done(result)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Be high enough for what is explained, which depends on the keyring."""
        wanted = self.heightForWidth(self.width())
        if self.isVisible() and self.height() < wanted:
            self.resize(self.width(), wanted)

    def _check(self) -> None:
        self.fields.token.tell(self.fields.problem)
        self.fields.file.tell(self.fields.file_problem)
        given = self.fields.given is not None or self.fields.path_given is not None
        self.save.setEnabled(given and not self.fields.problem and not self.fields.file_problem)
        self._fit()

    def _save(self) -> None:
        self.save.setEnabled(False)
        work = partial(
            accounts.set_token, self._services.workspace, self._account.name, self.fields.given, self.fields.path_given
        )
        self._services.reader.write(work, self._kept, self._failed)

    def _move(self) -> None:
        self.go_there.setEnabled(False)
        work = partial(accounts.use_token_at, self._services.workspace, self._account.name, self._account.address)
        self._services.reader.write(work, self._moved, self._failed)

    def _moved(self, place: str | None) -> None:
        self._kept(place or "")

    def _kept(self, place: str) -> None:
        self._services.notices.add(
            GOOD,
            t("The token of the account {name} is kept {place}.", name=self._account.name, place=token_words(place)),
            topic="account",
        )
        self.accept()

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        if fault.is_bug:
            self._services.faults.tell(error)
        self.failure.setText(f"{fault.what} {fault.remedy}".strip())
        self.failure.show()
        self.go_there.setEnabled(True)
        self._check()  # and be high enough for it
        self.save.setFocus()  # which was disabled meanwhile, so that Cancel had the keyboard
