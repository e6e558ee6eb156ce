"""One account as a card: what it is, how fresh, where its token is, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from confere.app.context import EMBEDDED
from confere.app.labels import labels
from confere.desktop.dialogs.token_place import token_words
from confere.desktop.settings.account_info import AccountInfo
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.form import FormCard, set_rank, text
from confere.desktop.widgets.plain_text import Label
from confere.system import formatting
from confere.system.messages import t


class AccountCard(FormCard):
    """`asked` names what a person wants of the account: change, token, test or remove."""

    asked = Signal(str, str)  # what, account

    def __init__(self, info: AccountInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.info = info
        account = info.account
        self.setAccessibleName(t("Account {name}", name=account.name))
        self.body.addLayout(_head(account.name, labels.environment_word(account.environment)))
        facts = QGridLayout()
        facts.setHorizontalSpacing(20)
        facts.setVerticalSpacing(6)
        facts.setColumnStretch(1, 1)
        for row, (title, value, rank) in enumerate(_facts(info)):
            name = Label(title)
            name.setProperty("rank", "muted")
            name.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            facts.addWidget(name, row, 0)
            facts.addWidget(text(value, rank, selectable=True), row, 1)
        self.body.addLayout(facts)
        self.result = text()
        self.result.hide()
        self.body.addWidget(self.result)
        self.buttons: dict[str, QPushButton] = {}
        row_of_buttons = QHBoxLayout()
        row_of_buttons.setSpacing(GAP)
        for what, title in (
            ("test", t("Test connection")),
            ("change", t("Change…")),
            ("token", t("Token…")),
            ("remove", t("Remove…")),
        ):
            button = QPushButton(title)
            button.setAccessibleName(t("{action} of the account {name}", action=title, name=account.name))
            button.clicked.connect(lambda _=False, what=what: self.asked.emit(what, self.info.account.name))
            row_of_buttons.addWidget(button)
            self.buttons[what] = button
        row_of_buttons.addStretch(1)
        self.body.addLayout(row_of_buttons)
        if account.environment == EMBEDDED:
            for what in ("change",) if info.standing is not None else ("change", "token"):
                self.buttons[what].setEnabled(False)
                self.buttons[what].setToolTip(t("The hub of the demonstration is part of Confere."))

    def say(self, sentence: str, rank: str = "") -> None:
        """What became of the last thing asked of this account."""
        self.result.setText(sentence)
        set_rank(self.result, rank)
        self.result.setVisible(bool(sentence))


def _head(name: str, environment: str) -> QHBoxLayout:
    head = QHBoxLayout()
    head.setSpacing(10)
    title = text(name, "heading")
    title.setWordWrap(False)
    head.addWidget(title)
    kind = text(environment, "muted")
    kind.setWordWrap(False)
    head.addWidget(kind)
    head.addStretch(1)
    return head


def _token(info: AccountInfo) -> str:
    """Where the token is, and the only address that it is sent to."""
    words = token_words(info.token)
    if info.standing is None or info.standing.origin is None:
        return words
    return t("{place}; for {origin} alone", place=words, origin=info.standing.origin)


def _facts(info: AccountInfo) -> list[tuple[str, str, str]]:
    """Title, value and rank of each line."""
    account = info.account
    establishments = "\n".join(
        labels.tax_id_word(entry.tax_id) + (f"  {entry.name}" if entry.name else "") for entry in account.establishments
    )
    is_demonstration = info.standing is None
    synced = t("never")
    if info.synced_at is not None:
        synced = formatting.moment(info.synced_at)
        if info.outcome not in (None, "done"):
            synced += f" ({labels.outcome_word(info.outcome)})"
    found = []
    if not is_demonstration:
        found += [(t("Address"), account.address, ""), (t("Platform"), account.platform, "")]
    found += [
        (t("Establishments"), establishments or t("not given"), "" if establishments else "muted"),
        (t("Token"), info.problem or _token(info), "bad" if info.problem else "" if info.token else "warn"),
        (t("Last sync"), synced, "" if info.synced_at else "muted"),
    ]
    if info.listed_until is not None:
        found.append((t("Listed up to"), formatting.moment(info.listed_until), ""))
    return found
