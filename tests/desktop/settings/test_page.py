"""The page Settings: what it shows is the archive's, what is changed holds at once, what makes no sense is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.authenticity import trust
from confere.desktop.core import actions
from confere.desktop.jobs.job import JobKind
from confere.desktop.services import Services
from confere.desktop.settings.page import SettingsPage
from confere.system import messages
from confere.system.settings import (
    APPEARANCE,
    BACKUPS_DAILY,
    EXPORT_FOLDER,
    EXPORT_NAME,
    HIDE_PEOPLE,
    HUB_RATE,
    LANGUAGE,
    Settings,
)
from tests.desktop.conftest import Made
from tests.fiscal.authenticity.issuing import issue

Open = Callable[[Services], SettingsPage]


@pytest.fixture
def open_page(qtbot: QtBot) -> Open:
    hosts: list[QWidget] = []  # nobody else holds them

    def open_page(services: Services) -> SettingsPage:
        host = QWidget()
        hosts.append(host)
        qtbot.addWidget(host)
        page = SettingsPage(services, actions.make(host, services.look))
        qtbot.addWidget(page)
        page.resize(1100, 740)
        page.show()
        settle(qtbot, services)
        return page

    return open_page


@pytest.fixture
def page(open_page: Open, services: Services) -> SettingsPage:
    return open_page(services)


@pytest.fixture
def folders() -> Iterator[list[str]]:
    """What was opened in the system's file manager."""
    found: list[str] = []

    class Opener(QObject):
        @Slot(QUrl)
        def opened(self, url: QUrl) -> None:
            found.append(url.toLocalFile())

    opener = Opener()
    QDesktopServices.setUrlHandler("file", opener, "opened")
    yield found
    QDesktopServices.unsetUrlHandler("file")


def settle(qtbot: QtBot, services: Services) -> None:
    """Wait for every answer."""
    qtbot.waitUntil(lambda: not services.reader.busy)


def saved(services: Services) -> Settings:
    """What another process would read."""
    return Settings(services.workspace.home.settings)


@pytest.mark.parametrize("section", ["terms", "archive", "names"])
def test_no_field_is_squashed_on_a_wide_screen(
    qtbot: QtBot, page: SettingsPage, services: Services, section: str
) -> None:
    page.resize(1900, 900)
    page.show_section(section)
    settle(qtbot, services)
    shown = getattr(page, section).widget()

    def squashed() -> list[str]:
        labels = [label for label in shown.findChildren(QLabel) if label.isVisible()]
        fields = [field for field in shown.findChildren(QLineEdit) if field.isVisible()]
        return [label.text() for label in labels if label.height() < label.heightForWidth(label.width())] + [
            field.text() for field in fields if field.height() < field.sizeHint().height()
        ]

    qtbot.waitUntil(lambda: not squashed())


def test_an_account_shows_what_the_archive_knows_of_it(page: SettingsPage) -> None:
    (card,) = page.accounts.cards.values()
    assert card.info.account.name == "demo-7-300"
    assert card.info.synced_at is not None
    texts = [label.text() for label in card.findChildren(type(card.result))]
    assert any("23.656.806/0001-38" in text for text in texts)
    assert "demonstration" in texts
    assert not card.buttons["token"].isEnabled()
    assert not page.accounts.empty.isVisible()


def test_an_empty_archive_says_what_an_account_needs(qtbot: QtBot, open_page: Open, made_empty: Made) -> None:
    page = open_page(made_empty.services)
    assert page.accounts.empty.isVisible()
    page.show_section("archive")
    settle(qtbot, made_empty.services)
    assert page.archive.values["days"].text() == "nothing yet"
    assert not page.archive.verify.isEnabled()
    page.show_section("names")
    settle(qtbot, made_empty.services)
    assert "invented" in page.names.editor.about_example.text()
    assert not made_empty.faults


def test_cards_stay_while_nothing_that_they_show_changes(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    card = page.accounts.cards["demo-7-300"]
    card.say("kept", "good")
    page.accounts.refresh()
    settle(qtbot, services)
    assert page.accounts.cards["demo-7-300"] is card
    accounts.add(services.workspace, NewAccount("shop", "https://hub.example", "ERP", "production"), None)
    page.accounts.refresh()
    settle(qtbot, services)
    assert list(page.accounts.cards) == ["demo-7-300", "shop"]


def test_the_demonstration_is_tested_with_its_own_hub(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    card = page.accounts.cards["demo-7-300"]
    card.buttons["test"].click()
    assert not card.buttons["test"].isEnabled()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert "takes the token" in card.result.text()
    assert card.buttons["test"].isEnabled()


def test_an_account_without_a_token_says_how_to_give_one(
    qtbot: QtBot, page: SettingsPage, services: Services, made: Made
) -> None:
    accounts.add(services.workspace, NewAccount("shop", "https://hub.example", "ERP", "production"), None)
    page.accounts.refresh()
    settle(qtbot, services)
    card = page.accounts.cards["shop"]
    card.buttons["test"].click()
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert "CONFERE_TOKEN_SHOP" in card.result.text()
    assert card.result.property("rank") == "bad"
    assert not made.faults


def test_removing_explains_first_and_keeps_the_documents(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    page.accounts.cards["demo-7-300"].buttons["remove"].click()
    box = page.accounts.dialog
    assert isinstance(box, QMessageBox)
    assert "documents stay" in box.informativeText()
    box.reject()
    settle(qtbot, services)
    assert "demo-7-300" in page.accounts.cards
    page.accounts.cards["demo-7-300"].buttons["remove"].click()
    box = page.accounts.dialog
    assert isinstance(box, QMessageBox)
    next(button for button in box.buttons() if button.text() == "Remove the account").click()
    qtbot.waitUntil(lambda: not page.accounts.cards and not services.reader.busy)
    assert page.accounts.empty.isVisible()
    page.show_section("archive")
    settle(qtbot, services)
    assert page.archive.values["documents"].text() != "0"


def test_an_account_that_is_added_appears(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    page.connect_account()
    dialog = page.accounts.dialog
    assert dialog is not None
    assert dialog.isVisible()
    accounts.add(services.workspace, NewAccount("shop", "https://hub.example", "ERP", "production"), None)
    dialog.accept()
    settle(qtbot, services)
    assert "shop" in page.accounts.cards
    assert page.accounts.dialog is None


def test_the_archive_is_described_and_its_folder_opened(
    qtbot: QtBot, page: SettingsPage, services: Services, folders: list[str]
) -> None:
    page.show_section("archive")
    settle(qtbot, services)
    values = {name: label.text() for name, label in page.archive.values.items()}
    assert values["place"] == str(services.workspace.home.archive)
    assert int(values["documents"].split(",")[0]) > 200
    assert values["days"].count("-") == 4
    assert "% of the" in values["size"]
    assert page.archive.backups.counted.text() == "No whole copy of the archive."
    page.archive.open.click()
    page.archive.backups.open_backups.click()
    home = services.workspace.home
    assert folders == [str(home.root).replace("\\", "/"), str(home.backups).replace("\\", "/")]


def test_verifying_and_backing_up_are_jobs_that_tell_what_they_found(
    qtbot: QtBot, page: SettingsPage, services: Services
) -> None:
    page.show_section("archive")
    settle(qtbot, services)
    page.archive.verify.click()
    assert services.jobs.has(JobKind.CHECK)
    assert not page.archive.verify.isEnabled()
    with qtbot.waitSignal(services.jobs.ended):
        page.archive.backups.back_up.click()
    qtbot.waitUntil(lambda: not services.jobs.busy)
    qtbot.waitUntil(lambda: page.archive.backups.counted.text() == "1 whole copy, made today.")
    assert "match their SHA-256" in page.archive.verified.text()
    assert page.archive.verified.property("rank") == "good"
    (copy,) = services.workspace.home.backups.glob("archive-copy-*.sqlite3")
    assert str(copy) in page.archive.backups.backed_up.text()
    assert page.archive.backups.backed_up.property("rank") == "good"
    assert page.archive.verify.isEnabled()


def test_icons_follow_the_look(page: SettingsPage, services: Services) -> None:
    """Else they would be dark on dark."""
    archive = page.archive
    for look in ("dark", "light"):
        services.look.use(look)
        for button, name in ((archive.open, "open"), (archive.verify, "check"), (archive.backups.back_up, "save")):
            assert button.icon().pixmap(16).toImage() == services.look.icon(name).pixmap(16).toImage()


def test_a_template_is_tried_while_it_is_typed(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    page.show_section("names")
    settle(qtbot, services)
    names = page.names.editor
    assert names.example.text().endswith(".xml")
    assert "archive" in names.about_example.text()
    assert {edit.cursorPosition() for edit in names.edits.values()} == {0}  # a long template is seen from its beginning
    names.edits["document"].setText("")
    qtbot.keyClicks(names.edits["document"], "{number:09}-{emitter}.xml")
    assert names.fields["document"].problem == ""
    last = names.example.text().rpartition("/")[2]
    assert len(last.lstrip("\u200b").partition("-")[0]) == 9
    assert saved(services).get(EXPORT_NAME) == "{number:09}-{emitter}.xml"
    names.edits["folder"].end(False)
    qtbot.keyClicks(names.edits["folder"], "/{state}")
    assert saved(services).get(EXPORT_FOLDER) == "{company}/{month}/{kind}/{direction}/{state}"
    names.reset.click()
    assert saved(services).get(EXPORT_FOLDER) == ""
    assert saved(services).get(EXPORT_NAME) == ""


def test_a_bad_template_is_said_under_its_field_and_not_kept(
    qtbot: QtBot, page: SettingsPage, services: Services
) -> None:
    page.show_section("names")
    settle(qtbot, services)
    edits = {"document": page.names.editor.edits["document"], "folder": page.names.editor.edits["folder"]}
    for which, typed, words in (
        ("document", "{nonsense}.xml", "nonsense"),
        ("document", "{key", "pairs"),
        ("document", "{key}.txt", ".xml"),
        ("document", "a/{key}.xml", "no folder"),
        ("folder", "{key}", "key"),
        ("folder", "a//b", "needs a name"),
        ("folder", "a\\b", "separated by /"),
        ("folder", "a:b", "a:b"),
    ):
        page.names.editor.reset.click()
        assert not edits[which].property("wrong")
        other = {"document": "folder", "folder": "document"}[which]
        edits[which].setText(typed)
        edits[which].textEdited.emit(typed)
        assert words in page.names.editor.fields[which].problem
        assert page.names.editor.fields[other].problem == ""
        assert edits[which].property("wrong") is True
        assert page.names.editor.example.text() == "—"
        assert saved(services).get(EXPORT_NAME) == ""
        assert saved(services).get(EXPORT_FOLDER) == ""


def test_a_placeholder_goes_where_one_was_typing(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    page.show_section("names")
    settle(qtbot, services)
    page.names.editor.edits["document"].setText("-{key}.xml")
    page.names.editor.edits["document"].setCursorPosition(0)
    page.names.editor.placeholders["number"].click()
    assert page.names.editor.edits["document"].text() == "{number}-{key}.xml"
    assert saved(services).get(EXPORT_NAME) == "{number}-{key}.xml"


def test_the_rate_is_kept_as_it_is_typed(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    edit = page.accounts.rate.edit
    for typed, kept in (("0,5", 0.5), ("0.25", 0.25)):
        edit.clear()
        qtbot.keyClicks(edit, typed)
        assert saved(services).get(HUB_RATE) == kept
        edit.editingFinished.emit()
        assert edit.text() == str(kept)


def test_a_bad_number_is_said_under_its_field(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    for field, setting, usual in (
        (page.accounts.rate, HUB_RATE, 10.0),
        (page.archive.backups.kept["backups_daily"], BACKUPS_DAILY, 7),
    ):
        kept = usual
        for number, typed in enumerate(("", "many", "0", "5000"), 6):
            field.edit.setText(typed)
            field.edit.textEdited.emit(typed)
            assert "0" in field.problem
            assert "hub_rate" not in field.problem
            assert saved(services).get(setting) == kept
            kept = number
            field.edit.setText(str(number))
            field.edit.textEdited.emit(str(number))
            assert field.problem == ""
            assert saved(services).get(setting) == kept


def test_the_appearance_is_used_and_kept(page: SettingsPage, services: Services) -> None:
    page.look.appearances["dark"].click()
    assert services.look.colours.is_dark
    assert saved(services).get(APPEARANCE) == "dark"
    services.look.use("light")  # as the shortcut does
    assert page.look.appearances["light"].isChecked()


def test_a_language_is_spoken_from_now_on(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    combo = page.look.language
    row = combo.findData("pt_BR")
    combo.setCurrentIndex(row)
    with qtbot.waitSignal(page.language_changed):
        combo.activated.emit(row)
    assert messages.language() == "pt_BR"
    assert saved(services).get(LANGUAGE) == "pt_BR"
    with qtbot.assertNotEmitted(page.language_changed, wait=50):
        combo.activated.emit(row)  # the same one again


def test_people_are_hidden_on_request(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    with qtbot.waitSignal(page.hiding_changed):
        page.look.hide_people.click()
    assert saved(services).get(HIDE_PEOPLE) is True
    assert json.loads(services.workspace.home.settings.read_text())["hide_people"] is True


def test_the_section_comes_back(open_page: Open, page: SettingsPage, services: Services) -> None:
    page.places["names"].click()
    assert page.section == "names"
    assert open_page(services).section == "names"


def test_a_page_that_is_gone_waits_for_no_answer(qtbot: QtBot, open_page: Open, services: Services, made: Made) -> None:
    page = open_page(services)
    page.accounts.refresh()
    leaving = page.accounts.leaving
    page.deleteLater()
    qtbot.waitUntil(lambda: leaving.is_set and not services.reader.busy)
    assert not made.faults


def test_every_control_has_a_name_and_is_reached_by_tab(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    for name in page.places:
        page.show_section(name)
        settle(qtbot, services)
        reached: set[QWidget] = set()
        widget: QWidget = page
        for _ in range(2000):
            widget = widget.nextInFocusChain()
            reached.add(widget)
        for kind in (QLineEdit, QComboBox, QAbstractButton):
            for control in page.findChildren(kind):
                if control.isVisible() and control.isEnabled():
                    text = control.text() if isinstance(control, QAbstractButton) else ""
                    assert control.accessibleName() or text, control
                    assert control in reached, control


def test_the_folders_of_certificates_and_schemas_are_made_and_opened(
    page: SettingsPage, services: Services, folders: list[str], qtbot: QtBot
) -> None:
    archive, home = page.archive, services.workspace.home
    assert not archive.trusted.isVisibleTo(page)
    archive.open_trust.click()
    archive.open_schemas.click()
    wanted = [home.root / trust.TRUST_FOLDER, home.root / trust.SCHEMA_FOLDER]
    assert [Path(folder) for folder in folders] == wanted
    assert all(folder.is_dir() for folder in wanted)
    (wanted[0] / "broken.pem").write_text("nothing of the kind")
    archive.refresh()
    settle(qtbot, services)
    assert archive.trusted.text() == "broken.pem holds something that is not a certificate."
    (wanted[0] / "broken.pem").write_bytes(issue("Raiz Nova").pem)
    archive.refresh()
    settle(qtbot, services)
    assert archive.trusted.text() == "Files of yours with certificates: 1."
