"""The account dialog: fields checked while filled in, a hub asked before anything is kept, no token left behind."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.desktop.dialogs.account import AccountDialog
from confere.desktop.dialogs.account_tax_ids import TaxIds, masked, problem_of
from confere.desktop.dialogs.account_token import TokenDialog
from confere.desktop.services import Services
from confere.errors import SecretUnavailable
from confere.system.secrets import system_keyring
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.desktop.conftest import Made

TOKEN = "tok-3n-that-is-no-real-one"
CNPJ = "11222333000181"


class Ring:
    """A keyring of this test alone."""

    priority = 5.0
    name = "Test keyring"

    def __init__(self) -> None:
        self.services: dict[tuple[str, str], str] = {}

    @property
    def kept(self) -> dict[str, str]:
        return {user: token for (_, user), token in self.services.items()}

    def get_password(self, service: str, user: str) -> str | None:
        return self.services.get((service, user))

    def set_password(self, service: str, user: str, token: str) -> None:
        self.services[service, user] = token

    def delete_password(self, service: str, user: str) -> None:
        del self.services[service, user]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch, _quiet_system: None) -> Ring:
    made = Ring()
    monkeypatch.setattr(system_keyring, "_backend", lambda: made)
    return made


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=120, seed=7)) as found:
        yield found


@pytest.fixture
def told(services: Services) -> list[str]:
    found: list[str] = []
    services.notices.added.connect(lambda notice: found.append(notice.text))
    return found


Open = Callable[..., AccountDialog]


@pytest.fixture
def open_dialog(qtbot: QtBot, services: Services) -> Open:
    def open_dialog(account: accounts.Account | None = None, token_origin: str | None = None) -> AccountDialog:
        dialog = AccountDialog(services, account, token_origin=token_origin)
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitUntil(lambda: not services.reader.busy)
        return dialog

    return open_dialog


def fill(dialog: AccountDialog, address: str, token: str = TOKEN, tax_id: str = CNPJ) -> None:
    dialog.name.setText("shop")
    dialog.address.setText(address)
    dialog.platform.setText("ERP")
    dialog.tax_ids.lines[0].edit.setText(tax_id)
    assert dialog.token is not None
    dialog.token.edit.setText(token)
    dialog._edited()


def test_a_cnpj_is_masked_while_it_is_typed(qtbot: QtBot, services: Services) -> None:
    box = TaxIds(services.look)
    qtbot.addWidget(box)
    box.show()
    edit = box.lines[0].edit
    qtbot.keyClicks(edit, "12abc34501de35")
    assert edit.text() == "12.ABC.345/01DE-35"
    assert box.values == ("12ABC34501DE35",)
    assert box.problem == ""
    edit.setCursorPosition(3)  # behind the first point
    qtbot.keyClicks(edit, "7")
    assert edit.text() == "12.7AB.C34/501D-E3"
    assert edit.cursorPosition() == 4


def test_several_that_are_pasted_become_several_lines(qtbot: QtBot, services: Services) -> None:
    box = TaxIds(services.look)
    qtbot.addWidget(box)
    box.show()
    edit = box.lines[0].edit
    edit.insert("")
    services_text = "11.222.333/0001-81\t11.444.777/0001-61, 529.982.247-25"
    edit.setText(services_text)
    edit.textEdited.emit(services_text)
    assert box.values == (CNPJ, "11444777000161", "52998224725")
    assert [line.edit.text() for line in box.lines] == ["11.222.333/0001-81", "11.444.777/0001-61", "529.982.247-25"]
    box.lines[1].gone.emit(box.lines[1])
    assert box.values == (CNPJ, "52998224725")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", ""),
        (CNPJ, ""),
        ("529.982.247-25", ""),
        ("11222333000182", "check digits"),
        ("11.222", "14 characters"),
    ],
)
def test_what_is_wrong_with_a_cnpj_is_said(text: str, wrong: str) -> None:
    found = problem_of(text)
    assert (wrong in found) if wrong else not found


def test_masks_stop_where_the_typing_does() -> None:
    assert [masked(text) for text in ("", "1", "112", "11222333", "112223330001")] == [
        "",
        "1",
        "11.2",
        "11.222.333",
        "11.222.333/0001",
    ]


def test_save_waits_for_good_values_and_problems_stand_under_their_fields(open_dialog: Open, ring: Ring) -> None:
    dialog = open_dialog()
    assert not dialog.save.isEnabled()
    assert "name" in dialog.needed.text()
    fill(dialog, "http://hub.example", tax_id="11222333000182")
    for which in ("address", "tax_ids"):
        dialog._left(which)
    assert "https" in dialog._fields["address"].problem
    assert "check digits" in dialog._fields["tax_ids"].problem
    assert dialog.address.property("wrong") is True
    assert not dialog.save.isEnabled()
    fill(dialog, "https://hub.example")
    assert dialog._fields["address"].problem == ""
    assert dialog.address.property("wrong") is False
    assert dialog.save.isEnabled()
    assert dialog.needed.text() == ""


def test_a_real_hub_is_asked_before_anything_is_kept(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, hub: RunningHub
) -> None:
    dialog = open_dialog()
    fill(dialog, hub.address, hub.token, tax_id=str(hub.info["companies"][0]["cnpj"]))
    dialog.test.click()
    assert not dialog.save.isEnabled()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert "takes the token" in dialog.result_text.text()
    assert "documents" in dialog.result_text.text()
    assert dialog.result_text.property("rank") == "good"
    assert dialog.save.isEnabled()
    assert [entry.name for entry in accounts.every(services.workspace)] == ["demo-7-300"]
    assert not ring.kept


def test_a_cnpj_of_another_company_is_doubted(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, hub: RunningHub
) -> None:
    dialog = open_dialog()
    fill(dialog, hub.address, hub.token)
    dialog.test.click()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert "11.222.333/0001-81" in dialog.result_text.text()
    assert dialog.result_text.property("rank") == "warn"


def test_a_wrong_token_says_so(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, hub: RunningHub, made: Made
) -> None:
    dialog = open_dialog()
    fill(dialog, hub.address, "no-such-token")
    dialog.test.click()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert "token" in dialog.result_text.text()
    assert dialog.result_text.property("rank") == "bad"
    assert "no-such-token" not in dialog.result_text.text()
    assert not made.faults
    fill(dialog, hub.address, hub.token)
    assert not dialog.result_text.isVisible()  # it spoke of the other token


def test_an_account_is_added_with_its_token_in_the_keyring(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, told: list[str]
) -> None:
    dialog = open_dialog()
    assert dialog.token is not None
    assert "Test keyring" in dialog.token.token._hint.text()
    assert not dialog.token.file.isVisible()
    fill(dialog, "https://hub.example/v2/orders")
    with qtbot.waitSignal(dialog.saved) as saved:
        dialog.save.click()
    assert saved.args == ["shop"]
    assert ring.kept == {"shop": TOKEN}
    found = next(entry for entry in accounts.every(services.workspace) if entry.name == "shop")
    assert (found.address, found.platform, found.environment) == ("https://hub.example/v2", "ERP", "production")
    assert [entry.tax_id for entry in found.establishments] == [CNPJ]
    assert told == ["The account shop is saved. Its connection was not tested: the first sync will show."]
    assert not dialog.isVisible()
    assert dialog.token.edit.text() == ""
    assert not dialog.token.edit.isUndoAvailable()


def test_without_a_keyring_the_token_goes_into_a_private_file(
    qtbot: QtBot, services: Services, open_dialog: Open, tmp_path: Path
) -> None:
    dialog = open_dialog()
    assert dialog.token is not None
    assert dialog.token.file.isVisible()
    fill(dialog, "https://hub.example")
    assert "no keyring" in dialog.token.token._hint.text()
    assert "CONFERE_TOKEN_SHOP" in dialog.token.file._hint.text()
    assert not dialog.save.isEnabled()  # the token has no place yet
    file = tmp_path / "shop token.txt"
    dialog.token.path.setText(str(file))
    with qtbot.waitSignal(dialog.saved):
        dialog.save.click()
    assert file.read_text().strip() == TOKEN
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o077 == 0
    stored = b"".join(path.read_bytes() for path in services.workspace.home.root.rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored


def test_the_token_shows_only_when_asked(open_dialog: Open, ring: Ring) -> None:
    dialog = open_dialog()
    assert dialog.token is not None
    edit = dialog.token.edit
    assert edit.echoMode() is edit.EchoMode.Password
    dialog.token.reveal.click()
    assert edit.echoMode() is edit.EchoMode.Normal
    assert dialog.token.reveal.accessibleName() == "Hide the token"
    dialog.reject()
    assert edit.text() == ""


def test_a_name_that_is_taken_is_told_and_can_be_mended(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring
) -> None:
    dialog = open_dialog()
    fill(dialog, "https://hub.example")
    dialog.name.setText("demo-7-300")
    dialog._edited()
    dialog.save.click()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert "demo-7-300" in dialog.result_text.text()
    assert dialog.isVisible()
    assert dialog.save.isEnabled()
    assert dialog.token is not None
    assert dialog.token.edit.text() == TOKEN


def test_an_account_is_changed(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, told: list[str]
) -> None:
    new = NewAccount("shop", "https://hub.example", "ERP", "production", (CNPJ,))
    account = accounts.add(services.workspace, new, TOKEN).account
    dialog = open_dialog(account, "https://hub.example")
    assert not dialog.name.isEnabled()
    assert not dialog.environment.isEnabled()
    assert dialog.token is None
    dialog.address.setText("https://other.example/v2")
    dialog.tax_ids._add("11444777000161")
    dialog._edited()
    dialog.save.click()
    with qtbot.waitSignal(dialog.saved):
        answer(dialog, may_go=False)
    found = next(entry for entry in accounts.every(services.workspace) if entry.name == "shop")
    assert found.address == "https://other.example/v2"
    assert {entry.tax_id for entry in found.establishments} == {CNPJ, "11444777000161"}
    assert "from the beginning" in told[0]
    assert "given for https://hub.example and is not sent to the new address" in told[0]
    assert services.workspace.token_of(services.opened.archive(), account) == TOKEN
    with pytest.raises(SecretUnavailable):
        services.workspace.token_of(services.opened.archive(), found)


@pytest.mark.parametrize("may_go", [True, False])
def test_before_a_token_goes_to_another_address_a_person_is_asked(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, hub: RunningHub, told: list[str], may_go: bool
) -> None:
    new = NewAccount("shop", "https://hub.example", "ERP", "sandbox", ())
    account = accounts.add(services.workspace, new, hub.token).account
    dialog = open_dialog(account, "https://hub.example")
    dialog.address.setText(hub.address)
    dialog._edited()
    dialog.test.click()
    assert dialog.question is not None
    said = dialog.question.text() + dialog.question.informativeText()
    assert "https://hub.example" in said
    assert hub.address.removesuffix("/v2") in said
    answer(dialog, may_go)
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert dialog.result_text.property("rank") == ("good" if may_go else "muted")
    dialog.save.click()
    if not may_go:
        answer(dialog, may_go=False)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    found = next(entry for entry in accounts.every(services.workspace) if entry.name == "shop")
    if may_go:
        assert services.workspace.token_of(services.opened.archive(), found) == hub.token
        assert "is not sent" not in told[0]
    else:
        with pytest.raises(SecretUnavailable):
            services.workspace.token_of(services.opened.archive(), found)


def answer(dialog: AccountDialog, may_go: bool) -> None:
    assert dialog.question is not None
    (dialog.question.send if may_go else dialog.question.keep).click()


def test_the_token_that_is_here_is_used_at_the_new_address_on_one_click(
    qtbot: QtBot, services: Services, ring: Ring, told: list[str]
) -> None:
    accounts.add(services.workspace, NewAccount("shop", "https://hub.example", "ERP", "production", ()), TOKEN)
    moved = accounts.change(services.workspace, "shop", accounts.AccountChange(address="https://other.example/v2"))
    dialog = TokenDialog(services, moved.account, token_origin=moved.token_origin)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert dialog.go_there.isVisible()
    with qtbot.waitSignal(dialog.accepted):
        dialog.go_there.click()
    assert services.workspace.token_of(services.opened.archive(), moved.account) == TOKEN
    assert told == ["The token of the account shop is kept in the system's keyring."]


def test_an_account_that_is_changed_is_tested_with_the_token_it_has(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, hub: RunningHub
) -> None:
    new = NewAccount("shop", hub.address, "ERP", "sandbox", ())
    account = accounts.add(services.workspace, new, hub.token).account
    dialog = open_dialog(account, hub.address.removesuffix("/v2"))
    dialog.platform.setText("another")
    dialog._edited()
    dialog.test.click()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert dialog.result_text.property("rank") == "good"


def test_another_token_takes_the_place_of_the_first(
    qtbot: QtBot, services: Services, ring: Ring, told: list[str]
) -> None:
    new = NewAccount("shop", "https://hub.example", "ERP", "production", ())
    account = accounts.add(services.workspace, new, TOKEN).account
    dialog = TokenDialog(services, account)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert not dialog.save.isEnabled()
    qtbot.keyClicks(dialog.fields.edit, "another-token")
    with qtbot.waitSignal(dialog.accepted):
        dialog.save.click()
    assert ring.kept == {"shop": "another-token"}
    assert told == ["The token of the account shop is kept in the system's keyring."]
    assert dialog.fields.edit.text() == ""


def test_a_token_that_went_into_a_file_is_found_there_again(qtbot: QtBot, services: Services, tmp_path: Path) -> None:
    new = NewAccount("shop", "https://hub.example", "ERP", "production", ())
    account = accounts.add(services.workspace, new, None).account
    dialog = TokenDialog(services, account)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert dialog.height() >= dialog.heightForWidth(dialog.width())  # room for what is said of the file
    qtbot.keyClicks(dialog.fields.edit, TOKEN)
    assert not dialog.save.isEnabled()
    dialog.fields.path.setText(str(tmp_path / "token"))
    with qtbot.waitSignal(dialog.accepted):
        dialog.save.click()
    found = next(entry for entry in accounts.every(services.workspace) if entry.name == "shop")
    assert services.workspace.token_of(services.opened.archive(), found) == TOKEN


def test_a_dialog_that_is_closed_stops_asking(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, stopped = threading.Event(), threading.Event()

    def probe(*_: object, stop: object) -> None:
        began.set()
        while not stop.wait(0.01):  # type: ignore[attr-defined]
            pass
        stopped.set()

    monkeypatch.setattr(accounts, "probe", probe)
    dialog = open_dialog()
    fill(dialog, "https://hub.example")
    dialog.test.click()
    qtbot.waitUntil(began.is_set)
    dialog.reject()
    qtbot.waitUntil(lambda: stopped.is_set() and not services.reader.busy)


def test_every_control_has_a_name_and_is_reached_by_tab(open_dialog: Open) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QWidget

    dialog = open_dialog()
    wanted = [
        control
        for kind in (QLineEdit, QComboBox, QAbstractButton)
        for control in dialog.findChildren(kind)
        if control.isVisible() and control.isEnabled() and control.objectName() != "qt_spinbox_lineedit"
    ]
    reached: set[QWidget] = set()
    widget: QWidget | None = dialog
    for _ in range(200):
        widget = widget.nextInFocusChain() if widget else None
        if widget is not None:
            reached.add(widget)
    for control in wanted:
        text = control.text() if isinstance(control, QAbstractButton) else ""
        assert control.accessibleName() or text, control
        assert control in reached, control


def test_after_a_test_enter_saves_and_after_a_refusal_the_keyboard_is_where_it_was(
    qtbot: QtBot, services: Services, open_dialog: Open, ring: Ring, hub: RunningHub
) -> None:
    """Its button was disabled meanwhile, so that Cancel, which comes next to it, had the keyboard."""
    dialog = open_dialog()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    fill(dialog, hub.address, "wrong-token")
    for token, stands in (("wrong-token", dialog.test), (hub.token, dialog.save)):
        assert dialog.token is not None
        dialog.token.edit.setText(token)
        dialog._edited()
        dialog.test.setFocus()
        qtbot.keyClick(dialog.test, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: not services.reader.busy and not dialog._busy)
        assert dialog.focusWidget() is stands
    saved: list[str] = []
    dialog.saved.connect(saved.append)
    qtbot.keyClick(dialog.save, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: saved == ["shop"])
