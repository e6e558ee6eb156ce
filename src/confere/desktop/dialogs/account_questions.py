"""What is asked and said of an account that is connected or changed: where its token may go, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from confere.app.accounts import accounts, address_check
from confere.app.accounts.accounts import Account, AccountChange, NewAccount, Tested
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.desktop.services import Services
from confere.errors import HubAddressRefused
from confere.system.messages import ngettext, render, t
from confere.system.processes.cancellation import Stop
from confere.system.secrets.origin import origin_of

_ICON = 32


class TokenQuestion(QMessageBox):
    """Asks with both addresses; `answered` is called once with whether the token may go to the new one."""

    def __init__(
        self,
        services: Services,
        name: str,
        before: str,
        origin: str,
        answered: Callable[[bool], None],
        *,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setIconPixmap(services.look.picture("help", "accent", _ICON, self.devicePixelRatioF()))
        self.setWindowTitle(t("Another address"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(t("Send the token to {address}?", address=origin))
        self.setInformativeText(
            t(
                "The token of the account {name} was given for {before}. Send it to {address} only if the hub has "
                "moved there and you have the address from the hub itself.",
                name=name,
                before=before,
                address=origin,
            )
        )
        self.send = self.addButton(t("Send it there"), QMessageBox.ButtonRole.AcceptRole)
        self.keep = self.addButton(t("Do not send it"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.keep)
        self.setEscapeButton(self.keep)
        self._answered = answered
        self.finished.connect(self._finish)

    def _finish(self) -> None:
        self._answered(self.clickedButton() is self.send)
        self.deleteLater()


def tested_account(
    opened: OpenArchive, new: NewAccount, token: str | None, account: Account | None, allowed: str | None, stop: Stop
) -> Tested:
    """Ask the hub as `new` says. An account that is changed is tested with its own token: that of the address that is
    asked, or that of the origin `allowed`, which a person let go there."""
    if account is not None:
        address = allowed or address_check.normalise(new.address)
        token = opened.workspace.token_of(opened.archive(), replace(account, address=address))
    return accounts.probe(opened.workspace, new, token, stop=stop)


def changed_account(workspace: Workspace, name: str, change: AccountChange, confirmed: str) -> accounts.Changed:
    """Change the account, and let its token go to the origin that a person confirmed (empty for none)."""
    changed = accounts.change(workspace, name, change)
    if not confirmed or confirmed != origin_of(changed.account.address):
        return changed
    accounts.use_token_at(workspace, name, confirmed)
    return replace(changed, token_origin=None)


def tested_words(found: Tested) -> str:
    """What a test of the connection showed, in plain words."""
    if found.documents is None:
        said = t("The hub answers and takes the token.")
    else:
        said = ngettext(
            "The hub answers, takes the token and lists {count} document.",
            "The hub answers, takes the token and lists {count} documents.",
            found.documents,
        )
    return f"{said} {render(found.warning)}" if found.warning else said


def address_problem(text: str) -> str:
    """What is wrong with an address, or empty."""
    if not text:
        return t("Give the address as the hub shows it.")
    try:
        address_check.normalise(text)
    except HubAddressRefused as refused:
        return f"{render(refused.what)} {render(refused.remedy) if refused.remedy else ''}".strip()
    return ""


def platform_problem(text: str) -> str:
    """What is wrong with the name of a platform, or empty."""
    if not text:
        return t("Give the name of the platform.")
    if not (text.isascii() and text.isprintable()):
        return t("Use plain letters, digits and spaces: a request cannot carry others.")
    return ""
