"""What is chosen in dialogs and settings, or saved to a file, right before the window closes is written."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QCloseEvent
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts, preferences
from confere.app.accounts.accounts import NewAccount
from confere.app.backups import backup_passphrase
from confere.app.documents import browse
from confere.app.reconciliation import declarations
from confere.app.schedule import schedule_plan
from confere.desktop.core.actions import Action
from confere.desktop.details.pdf.pdf_maker import MadePdf, PdfRequest
from confere.desktop.details.pdf.pdf_page import PdfPage
from confere.desktop.dialogs.account import AccountDialog
from confere.desktop.dialogs.account_token import TokenDialog
from confere.desktop.dialogs.saving import save_xml
from confere.desktop.dialogs.saving.save_xml import Content
from confere.desktop.services import Services
from confere.desktop.settings.backup_passphrase_dialog import PassphraseDialog
from confere.desktop.settings.schedule_section import ScheduleSection
from confere.export.pdf.render import render
from confere.system.secrets import system_keyring
from tests.desktop.conftest import Made
from tests.desktop.dialogs.test_account import CNPJ, TOKEN, Ring, fill
from tests.desktop.reaching import open_main, settle
from tests.fiscal import made as paper
from tests.system.schedulers.programs_made import MadePrograms

Close = Callable[[], None]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch, _quiet_system: None) -> Ring:
    made = Ring()
    monkeypatch.setattr(system_keyring, "_backend", lambda: made)
    return made


@pytest.fixture
def close(services: Services) -> Iterator[Close]:
    """As the window closes: what is asked never comes to its turn, what is written is waited for."""
    gate = threading.Event()
    for number in range(2):  # as many as there are threads
        services.reader.ask(f"busy {number}", gate.wait, lambda _: None)
    held = threading.Event()
    services.reader.write(held.wait, lambda _: None)

    def close() -> None:
        threading.Timer(0, held.set).start()
        assert services.reader.finish_writes(60)

    yield close
    held.set()
    gate.set()


def add(services: Services) -> accounts.Account:
    return accounts.add(
        services.workspace, NewAccount("shop", "https://hub.example", "ERP", "production", ()), TOKEN
    ).account


def named(services: Services, name: str) -> accounts.Account:
    return next(entry for entry in accounts.every(services.workspace) if entry.name == name)


def test_an_account_that_is_added(qtbot: QtBot, services: Services, ring: Ring, request: pytest.FixtureRequest) -> None:
    dialog = AccountDialog(services)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not services.reader.busy)
    fill(dialog, "https://hub.example/v2/orders")
    close: Close = request.getfixturevalue("close")
    dialog.save.click()
    close()
    assert named(services, "shop").address == "https://hub.example/v2"
    assert ring.kept == {"shop": TOKEN}


def test_an_account_that_is_changed(qtbot: QtBot, services: Services, ring: Ring, close: Close) -> None:
    dialog = AccountDialog(services, add(services))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.address.setText("https://other.example/v2")
    dialog.tax_ids.lines[0].edit.setText(CNPJ)
    dialog._edited()
    dialog.save.click()
    close()
    assert named(services, "shop").address == "https://other.example/v2"


def test_a_token(qtbot: QtBot, services: Services, ring: Ring, request: pytest.FixtureRequest) -> None:
    dialog = TokenDialog(services, add(services))
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not services.reader.busy)
    qtbot.keyClicks(dialog.fields.edit, "another-token")
    close: Close = request.getfixturevalue("close")
    dialog.save.click()
    close()
    assert ring.kept == {"shop": "another-token"}


def test_an_account_that_is_removed(qtbot: QtBot, made: Made, ring: Ring, request: pytest.FixtureRequest) -> None:
    services = made.services
    add(services)
    main = open_main(qtbot, services)
    main.go_to(Action.SETTINGS)
    settle(qtbot, services)
    close: Close = request.getfixturevalue("close")
    main.settings.accounts._remove("shop")
    close()
    assert ring.kept == {}


def test_a_passphrase_and_one_that_is_refused_keeps_the_window(
    qtbot: QtBot, services: Services, monkeypatch: pytest.MonkeyPatch, close: Close
) -> None:
    kept: dict[str, str] = {}
    dialog = PassphraseDialog(services)
    qtbot.addWidget(dialog)
    dialog.show()
    for edit in (dialog.first, dialog.again):
        edit.setText("três mil")
    dialog.save.click()
    with pytest.raises(AssertionError):
        close()  # this machine has no keyring: it is not kept, and that is said
    assert dialog.failure.isVisible()
    monkeypatch.setattr(system_keyring, "read", lambda service, _user: kept.get(service))
    monkeypatch.setattr(system_keyring, "write", lambda service, _user, word: kept.update({service: word}))
    dialog.save.click()
    close()
    assert backup_passphrase.is_kept(services.opened.archive().id)


def test_the_schedule_although_the_hand_rests_only_now(
    qtbot: QtBot, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    MadePrograms(tmp_path / "programs", monkeypatch).put(
        "systemctl", {"is-enabled": (0, "enabled"), "show": (0, "ActiveState=active")}
    )
    section = ScheduleSection(services)
    qtbot.addWidget(section)
    section.show()
    section.arrive()
    qtbot.waitUntil(lambda: not services.reader.busy)
    close: Close = request.getfixturevalue("close")
    section.on.click()
    section.finish()
    close()
    assert schedule_plan.kept(services.workspace.home) is not None


def test_terms_that_were_typed_and_not_left(qtbot: QtBot, made: Made) -> None:
    services = made.services
    main = open_main(qtbot, services)
    main.go_to(Action.SETTINGS)
    main.settings.show_section("terms")
    settle(qtbot, services)
    terms = main.settings.terms
    terms.series.setFocus()
    qtbot.keyClicks(terms.series, f"{CNPJ}/55/7")
    before = preferences.every(services.opened)
    event = QCloseEvent()
    main.closeEvent(event)
    assert event.isAccepted()
    assert preferences.every(services.opened) != before


def test_a_declaration_that_is_revoked(qtbot: QtBot, made: Made, monkeypatch: pytest.MonkeyPatch, close: Close) -> None:
    from confere.desktop.settings.declarations_card import DeclaredCard

    revoked: list[int] = []
    monkeypatch.setattr(declarations, "revoke", lambda _workspace, number: revoked.append(number))
    card = DeclaredCard(made.services, "declared", lambda: None)
    qtbot.addWidget(card)
    card._revoke(7)
    close()
    assert revoked == [7]


def test_files(qtbot: QtBot, services: Services, tmp_path: Path, close: Close) -> None:
    (row,) = browse.first(services.opened, browse.DocumentQuery(), 1)
    page = PdfPage(services)
    qtbot.addWidget(page)
    for number in range(2):
        content = Content("XML", row.sha256, f"{number}.xml")
        save_xml.save(services, page, content, lambda _, path: tmp_path / path.name)
    key = paper.access_key()
    data = render(paper.nfe_proc(paper.note(key), paper.protocol(key)).encode(), 0).pdf
    page._made = MadePdf(PdfRequest("a", None, row.sha256, "authorized", "a.pdf"), data, True, "")
    page.ask_where = lambda _, path: tmp_path / path.name
    page.save()
    page.printing._to_file(data, tmp_path / "printed.pdf", [0])
    close()
    first, second = sorted(tmp_path.glob("*.xml"))
    assert first.read_bytes() == second.read_bytes() != b""
    assert (tmp_path / "a.pdf").read_bytes() == data
    assert (tmp_path / "printed.pdf").exists()
