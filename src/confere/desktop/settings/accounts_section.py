"""Accounts at hubs: each as a card, with ways to add, change, test and remove them; and how fast hubs are asked."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QMessageBox, QPushButton, QVBoxLayout, QWidget

from confere.app.accounts import accounts
from confere.app.accounts.accounts import Tested
from confere.app.context import EMBEDDED
from confere.desktop.core.actions import SECTIONS
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.dialogs.account import AccountDialog
from confere.desktop.dialogs.account_questions import tested_words
from confere.desktop.dialogs.account_token import TokenDialog
from confere.desktop.services import Services
from confere.desktop.settings.account_card import AccountCard
from confere.desktop.settings.account_info import AccountInfo, gather
from confere.desktop.settings.setting_field import KeptText, read_decimal
from confere.desktop.widgets.form import FormCard, SettingsSection, text
from confere.desktop.widgets.notices import GOOD
from confere.errors import Message
from confere.system.messages import render, t
from confere.system.processes.cancellation import Stop
from confere.system.settings import HUB_RATE

_CALM_MS = 1500  # while a sync writes, the archive changes all the time
_ICON = 32


class AccountsSection(SettingsSection):
    """The list follows the archive, and stays as it is (with the focus in it) while nothing that it shows changes."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(render(Message(SECTIONS["accounts"].title)), parent)
        self._services = services
        self.topic = f"settings.accounts.{id(self)}"
        self.test_topic = f"{self.topic}.test"
        self.leaving = Stop()
        self._shown: tuple[AccountInfo, ...] | None = None
        self.cards: dict[str, AccountCard] = {}
        self.dialog: QDialog | None = None
        self._testing = ""
        head = QHBoxLayout()
        head.addWidget(
            text(t("Each account is a seller's access to a hub; its documents are synced from there."), "muted"), 1
        )
        self.add = QPushButton(t("Add an account…"))
        self.add.setProperty("look", "primary")
        self.add.clicked.connect(self.add_account)
        head.addWidget(self.add, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self._list = QVBoxLayout()
        self._list.setSpacing(self.body.spacing())
        self.body.addLayout(self._list)
        self.empty = FormCard(t("No account yet"))
        self.empty.body.addWidget(
            text(
                t(
                    "You need the hub's address, the name of the platform and a token; the hub gives you all three. "
                    "Without an account you can still import files."
                )
            )
        )
        self.empty.hide()
        self.body.addWidget(self.empty)
        pace = FormCard(t("How fast hubs are asked"))
        self.rate = KeptText(
            services,
            HUB_RATE,
            QLineEdit(),
            t("Requests a second, at most"),
            t("Hubs allow about 10. A hub that asks to slow down is obeyed whatever stands here."),
            read_decimal,
        )
        pace.body.addWidget(self.rate)
        self.body.addWidget(pace)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_CALM_MS)
        self._later.timeout.connect(self.refresh)

    def arrive(self) -> None:
        self.refresh()

    def archive_changed(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def refresh(self) -> None:
        """Ask for the accounts again."""
        self._services.reader.ask(self.topic, partial(gather, self._services.opened), self._show)

    def add_account(self) -> None:
        """Open the dialog for a new account."""
        self._open(AccountDialog(self._services, parent=self.window()))

    def ask_for(self, what: str, name: str) -> None:
        """Change, test or remove the account, or give it another token."""
        card = self.cards[name]
        match what:
            case "change":
                self._open(AccountDialog(self._services, card.info.account, self.window(), card.info.token_origin))
            case "token":
                self._open(TokenDialog(self._services, card.info.account, self.window(), card.info.token_origin))
            case "test":
                self._test(card)
            case "remove":
                self._confirm_removal(card.info)

    def _show(self, found: tuple[AccountInfo, ...]) -> None:
        if found == self._shown:
            return
        self._shown = found
        focused = self._focused()
        for card in self.cards.values():
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = {}
        for info in found:
            card = AccountCard(info)
            card.asked.connect(self.ask_for)
            self._list.addWidget(card)
            self.cards[info.account.name] = card
        self.empty.setVisible(not found)
        self._enable_tests()
        name, what = focused
        if name in self.cards:
            self.cards[name].buttons[what].setFocus()

    def _focused(self) -> tuple[str, str]:
        """Which button of which card has the focus, so that it has it again on the new one."""
        for name, card in self.cards.items():
            for what, button in card.buttons.items():
                if button.hasFocus():
                    return name, what
        return "", ""

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._dialog_finished)
        dialog.open()

    def _dialog_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
        self.refresh()

    def _test(self, card: AccountCard) -> None:
        """One at a time: a hub that does not answer must not take every thread from the lists."""
        name = card.info.account.name
        self._testing = name
        self._enable_tests()
        starting = card.info.account.environment == EMBEDDED
        card.say(t("Starting the demonstration's hub and asking it…") if starting else t("Asking the hub…"), "muted")
        work = partial(accounts.test, self._services.workspace, name, stop=self.leaving)
        self._services.reader.ask(self.test_topic, work, self._tested, self._test_failed)

    def _tested(self, found: Tested) -> None:
        self._say_tested(tested_words(found), "warn" if found.warning else "good")

    def _test_failed(self, error: Exception) -> None:
        fault = of_exception(error)
        if fault.is_bug:
            self._services.faults.tell(error)
        self._say_tested(f"{fault.what} {fault.remedy}".strip(), "bad")

    def _say_tested(self, sentence: str, rank: str) -> None:
        card = self.cards.get(self._testing)
        self._testing = ""
        self._enable_tests()
        if card is not None:
            card.say(sentence, rank)

    def _enable_tests(self) -> None:
        for card in self.cards.values():
            card.buttons["test"].setEnabled(not self._testing)

    def _confirm_removal(self, info: AccountInfo) -> None:
        name = info.account.name
        box = QMessageBox(self.window())
        box.setIconPixmap(self._services.look.picture("help", "accent", _ICON, self.devicePixelRatioF()))
        box.setWindowTitle(t("Remove an account"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(t("Remove the account {name}?", name=name))
        box.setInformativeText(
            t(
                "Its documents stay in the archive, as the law asks. It is no longer synced, and its token is deleted "
                "from the keyring. Added again under the same name and address, it goes on where it was."
            )
        )
        remove = box.addButton(t("Remove the account"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(t("Keep it"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        remove.clicked.connect(partial(self._remove, name))
        self._open(box)

    def _remove(self, name: str) -> None:
        self._services.reader.write(
            partial(accounts.remove, self._services.workspace, name), partial(self._removed, name)
        )

    def _removed(self, name: str, _forgotten: bool) -> None:
        self._services.notices.add(
            GOOD, t("The account {name} was removed. Its documents are still here.", name=name), topic="account"
        )
        self.refresh()
