"""The dialog that connects an account, or changes one: fields checked as they are filled in, tested before kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from confere.app.accounts import accounts, address_check
from confere.app.accounts.accounts import Account, AccountChange, NewAccount, Tested
from confere.app.context import PRODUCTION, SANDBOX
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.dialogs.account_questions import (
    TokenQuestion,
    address_problem,
    changed_account,
    platform_problem,
    tested_account,
    tested_words,
)
from confere.desktop.dialogs.account_tax_ids import TaxIds
from confere.desktop.dialogs.account_token import TokenFields
from confere.desktop.jobs.job import JobKind, JobRequest
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import keep_on_screen, submit_by_keys
from confere.desktop.widgets.form import FormField, set_rank, text
from confere.desktop.widgets.notices import GOOD, INFO
from confere.system.messages import t
from confere.system.processes.cancellation import Stop
from confere.system.secrets.origin import origin_of

_WIDTH = 660
_AROUND = 110  # margins, and a line or two for what a test says
_NAME, _ADDRESS, _PLATFORM, _TAX_IDS, _TOKEN, _FILE = "name", "address", "platform", "tax_ids", "token", "file"


class AccountDialog(QDialog):
    """Without an account it adds one. `saved` names the account once it is in the archive; the dialog closes then.

    `token_origin` is where the account's token was given for: before it goes to another address a person is asked.
    """

    saved = Signal(str)

    def __init__(
        self,
        services: Services,
        account: Account | None = None,
        parent: QWidget | None = None,
        token_origin: str | None = None,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._account = account
        self._token_origin = token_origin
        self._confirmed = ""  # the other origin that a person let the token go to
        self.question: TokenQuestion | None = None
        self._topic = f"account.{id(self)}"
        self._stop: Stop | None = None
        self._touched: set[str] = set()
        self._busy = False
        self._before: QWidget | None = None  # what had the keyboard before the hub was asked
        self._is_tested = False  # as the fields stand now
        self.setWindowTitle(
            t("Connect an account") if account is None else t("Change the account {name}", name=account.name)
        )
        self.setMinimumWidth(620)
        self.name = QLineEdit(account.name if account else "")
        self.environment = QComboBox()
        self.environment.addItem(t("Production"), PRODUCTION)
        self.environment.addItem(t("Test environment of the hub"), SANDBOX)
        if account is not None:
            self.environment.setCurrentIndex(max(self.environment.findData(account.environment), 0))
        self.address = QLineEdit(account.address if account else "")
        self.address.setPlaceholderText("https://api.example.com/v2")
        self.platform = QLineEdit(account.platform if account else "")
        owners = [entry.tax_id for entry in account.establishments] if account else []
        self.tax_ids = TaxIds(services.look, owners)
        self.token = TokenFields(services) if account is None else None
        for fixed in (self.name, self.environment):
            fixed.setEnabled(account is None)
        self._fields = self._make_fields()
        self.result_text = text("", "muted", selectable=True)
        self.result_text.hide()
        self.test = QPushButton(services.look.icon("link"), t("Test connection"))
        self.test.setAutoDefault(False)
        self.needed = text("", "muted")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(t("Cancel"))
        self.save = self.buttons.addButton(t("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setProperty("look", "primary")
        self._lay_out()
        submit_by_keys(self, self.save)
        self.save.setDefault(True)  # only now: a button that is in no dialog yet becomes nobody's default
        self._connect()
        self._check()
        (self.name if account is None else self.address).setFocus()

    @property
    def given(self) -> NewAccount:
        """What the fields say."""
        return NewAccount(
            name=self.name.text().strip(),
            address=self.address.text().strip(),
            platform=self.platform.text().strip(),
            environment=str(self.environment.currentData()),
            tax_ids=self.tax_ids.values,
            token_file=self.token.path_given if self.token else None,
        )

    def done(self, result: int) -> None:
        """End what is still being asked, and keep no token."""
        if self._stop is not None:
            self._stop.set()
        self._services.reader.forget(self._topic)
        if self.token is not None:
            self.token.forget()
        super().done(result)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Be high enough for every field, where the screen is; only then does the form scroll."""
        width = max(self.width(), _WIDTH)
        form = self.form.heightForWidth(width - 2 * WIDE_GAP)
        wanted = form + self.save.sizeHint().height() + _AROUND
        highest = int(self.screen().availableGeometry().height() * 0.92)
        if self.height() < min(wanted, highest):
            self.resize(width, min(wanted, highest))
            keep_on_screen(self)

    def _make_fields(self) -> dict[str, FormField]:
        fields = {
            _NAME: FormField(t("Name"), self.name, t("What you call it, such as the company's name.")),
            _ADDRESS: FormField(t("Address of the hub"), self.address),
            _PLATFORM: FormField(
                t("Platform"), self.platform, t("What the hub wants in its header “platform”; it comes with the token.")
            ),
            _TAX_IDS: FormField(
                t("CNPJ of its establishments"),
                self.tax_ids,
                t("Whose months are exported, and which documents are incoming or outgoing. Letters are allowed."),
            ),
        }
        if self.token is not None:
            fields[_TOKEN], fields[_FILE] = self.token.token, self.token.file
        else:
            fields[_NAME].set_hint(t("Name and environment stay: the documents that are here hang on them."))
        return fields

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("plain", True)
        form = QVBoxLayout(inside)
        form.setContentsMargins(0, 0, 12, 0)
        form.setSpacing(14)
        form.addLayout(_side_by_side(self._fields[_NAME], FormField(t("Environment"), self.environment)))
        form.addLayout(_side_by_side(self._fields[_ADDRESS], self._fields[_PLATFORM]))
        form.addWidget(self._fields[_TAX_IDS])
        if self.token is not None:
            form.addWidget(self.token)
        form.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.form = inside
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(12)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.result_text)
        foot = QHBoxLayout()
        foot.addWidget(self.test)
        foot.addWidget(self.needed, 1)
        foot.addWidget(self.buttons)
        layout.addLayout(foot)

    def _connect(self) -> None:
        for edit, which in ((self.name, _NAME), (self.address, _ADDRESS), (self.platform, _PLATFORM)):
            edit.textEdited.connect(self._edited)
            edit.editingFinished.connect(partial(self._left, which))
        self.environment.currentIndexChanged.connect(self._edited)
        self.tax_ids.changed.connect(self._edited)
        self.tax_ids.finished.connect(partial(self._left, _TAX_IDS))
        if self.token is not None:
            self.token.changed.connect(self._edited)
            self.token.edit.editingFinished.connect(partial(self._left, _TOKEN))
            self.token.path.editingFinished.connect(partial(self._left, _FILE))
        self.test.clicked.connect(self.test_connection)
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)

    def _edited(self) -> None:
        self._is_tested = False
        if self.token is not None:
            self.token.say_for(self.name.text())
            self._fit()
        self.result_text.hide()  # it spoke of other values
        self._check()

    def _left(self, which: str) -> None:
        """A field that was left is one whose problem is told from then on."""
        self._touched.add(which)
        self._check()

    def _problems(self) -> dict[str, str]:
        """What is wrong or lacks, by field."""
        new = self.given
        found = {
            _NAME: "" if new.name else t("Give it a name."),
            _ADDRESS: address_problem(new.address),
            _PLATFORM: platform_problem(new.platform),
            _TAX_IDS: self.tax_ids.problem,
        }
        if self.token is not None:
            found[_TOKEN] = self.token.problem or ("" if self.token.is_enough else t("Paste the token."))
            found[_FILE] = self.token.file_problem
        return {name: problem for name, problem in found.items() if problem}

    def _check(self) -> None:
        problems = self._problems()
        for name, field in self._fields.items():
            field.tell(problems.get(name, "") if name in self._touched else "")
        if _TAX_IDS in self._touched:
            self.tax_ids.show_problems()
        lacking = [self._title(name) for name in problems if name not in self._touched]
        self.needed.setText(t("Still needed: {fields}", fields=", ".join(lacking)) if lacking else "")
        self.save.setEnabled(not problems and not self._busy)
        has_token = self.token is None or self.token.given is not None or self.token.path_given is not None
        self.test.setEnabled(not problems and has_token and not self._busy)

    def _title(self, name: str) -> str:
        return {
            _NAME: t("name"),
            _ADDRESS: t("address"),
            _PLATFORM: t("platform"),
            _TAX_IDS: t("CNPJ"),
            _TOKEN: t("token"),
            _FILE: t("token file"),
        }[name]

    def _set_busy(self, busy: bool) -> None:
        """While it is busy the fields rest; afterwards the keyboard is where it was, not on what came next."""
        if busy:
            self._before = self.focusWidget()
        self._busy = busy
        self.form.setEnabled(not busy)
        self._check()
        if not busy and self._before is not None:
            self._before.setFocus()

    def test_connection(self) -> None:
        """Ask the hub with what the fields say; nothing is kept."""
        if self._is_elsewhere:
            self._ask_of_token(self.test_connection, lambda: self._say(t("The hub was not asked."), "muted"))
            return
        self._say(t("Asking the hub…"), "muted")
        self._set_busy(True)
        self._stop = Stop()
        token = self.token.given if self.token else None
        account, allowed = self._account, self._token_origin if self._confirmed == self._origin else None
        work = partial(tested_account, self._services.opened, self.given, token, account, allowed, self._stop)
        self._services.reader.ask(self._topic, work, self._tested, self._failed)

    def _tested(self, found: Tested) -> None:
        self._is_tested = True
        self._set_busy(False)
        self.save.setFocus()  # what comes after a test: Enter saves
        self._say(tested_words(found), "warn" if found.warning else "good")

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the address is of another place than the token was given for, and nobody let it go there."""
        return self._token_origin not in (None, self._origin) and self._confirmed != self._origin

    @property
    def _origin(self) -> str:
        return origin_of(address_check.normalise(self.given.address))

    def _ask_of_token(self, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """Ask once, with both addresses, whether the token may go to the new one."""
        origin = self._origin

        def answered(may_go: bool) -> None:
            self.question = None
            if may_go:
                self._confirmed = origin
            (yes if may_go else no)()

        self.question = TokenQuestion(
            self._services, self.given.name, self._token_origin or "", origin, answered, parent=self
        )
        self.question.open()

    def _save(self) -> None:
        if self._problems() or self._busy:
            return
        if self._is_elsewhere:
            self._ask_of_token(self._keep, self._keep)
        else:
            self._keep()

    def _keep(self) -> None:
        self._say(t("Saving…"), "muted")
        self._set_busy(True)
        workspace, new = self._services.workspace, self.given
        if self._account is None:
            token = self.token.given if self.token else None
            self._services.reader.write(partial(accounts.add, workspace, new, token), self._added, self._failed)
        else:
            change = AccountChange(new.address, new.platform, new.tax_ids)
            work = partial(changed_account, workspace, self._account.name, change, self._confirmed)
            self._services.reader.write(work, self._changed, self._failed)

    def _added(self, found: accounts.Added) -> None:
        name = found.account.name
        jobs = self._services.jobs
        order = JobRequest(JobKind.SYNC, t("Sync of {account}", account=name), ("sync", "--account", name))
        self._services.notices.add(
            GOOD if self._is_tested else INFO,
            t("The account {name} is connected.", name=name)
            if self._is_tested
            else t("The account {name} is saved. Its connection was not tested: the first sync will show.", name=name),
            topic="account",
            action=(t("Sync now"), partial(jobs.start, order)),
        )
        self._end(name)

    def _changed(self, found: accounts.Changed) -> None:
        name = found.account.name
        said = t("The account {name} was changed.", name=name)
        if found.lists_again:
            said += " " + t("Its next sync lists the hub from the beginning, since it is at another address.")
        if found.token_origin is not None:
            said += " " + t(
                "Its token was given for {before} and is not sent to the new address; “Token…” changes that.",
                before=found.token_origin,
            )
        self._services.notices.add(GOOD if found.token_origin is None else INFO, said, topic="account")
        self._end(name)

    def _end(self, name: str) -> None:
        self._busy = False
        self.saved.emit(name)
        self.accept()

    def _failed(self, error: Exception) -> None:
        self._set_busy(False)
        fault = of_exception(error)
        if fault.is_bug:
            self._services.faults.tell(error)
        self._say(f"{fault.what} {fault.remedy}".strip(), "bad")

    def _say(self, sentence: str, rank: str) -> None:
        self.result_text.setText(sentence)
        set_rank(self.result_text, rank)
        self.result_text.show()


def _side_by_side(*fields: FormField) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(WIDE_GAP)
    for place, field in enumerate(fields):
        row.addWidget(field, 3 if place == 0 else 2, Qt.AlignmentFlag.AlignTop)
    return row
