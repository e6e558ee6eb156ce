"""The help: every topic there, searched, opened at the page in use; the lists in it are what the program does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents.search import search_language
from confere.desktop.core import actions
from confere.desktop.core.actions import Action, Actions
from confere.desktop.dialogs import help_pages
from confere.desktop.dialogs.about import AboutDialog
from confere.desktop.dialogs.help import HelpWindow
from confere.desktop.services import Services
from confere.system import diagnostics
from confere.system.resources import resource


@pytest.fixture
def acts(qtbot: QtBot, services: Services) -> Iterator[Actions]:
    host = QWidget()
    qtbot.addWidget(host)
    yield actions.make(host, services.look)


@pytest.fixture
def window(qtbot: QtBot, services: Services, acts: Actions) -> HelpWindow:
    made = HelpWindow(services, acts)
    qtbot.addWidget(made)
    return made


def shown(window: HelpWindow) -> list[str]:
    return [window.topics.item(row).text() for row in range(window.topics.count())]


def test_every_topic_can_be_opened(window: HelpWindow) -> None:
    assert len(shown(window)) >= 11
    for topic in window._help.topics:
        window.open_at(topic.name)
        assert window.topic == topic.name
        assert window.topics.currentItem().text() == topic.title
        assert window.browser.toPlainText().startswith(topic.title)
        assert "{{" not in window.browser.toPlainText()


def test_every_page_has_a_topic_that_exists(window: HelpWindow) -> None:
    names = {topic.name for topic in window._help.topics}
    assert set(help_pages.TOPIC_OF.values()) <= names
    assert set(actions.PLACES) <= set(help_pages.TOPIC_OF)


def test_links_lead_to_topics_that_exist(window: HelpWindow) -> None:
    names = {topic.name for topic in window._help.topics}
    for topic in window._help.topics:
        linked = re.findall(r"\]\(([^)]*)\)", topic.markdown)
        assert {link.removeprefix("tema:") for link in linked} <= names
    window.open_at("comecar")
    window.browser.anchorClicked.emit(QUrl("tema:importar"))
    assert window.topic == "importar"


def test_the_search_finds_topics_without_accents(qtbot: QtBot, window: HelpWindow) -> None:
    window.open_at("comecar")
    qtbot.keyClicks(window.search, "inutilizacao")
    assert window.topic == "situacoes"
    assert "inutilização" in window.browser.toPlainText()
    window.search.setText("keyring")
    assert shown(window) == ["Connect an account", "Backup and where the data are"]
    assert window.topic == "conta"
    assert window.browser.textCursor().selectedText().lower() == "keyring"
    window.search.setText("xyzzy")
    assert shown(window) == []
    assert not window.nothing.isHidden()
    window.search.clear()
    assert len(shown(window)) >= 11
    assert window.nothing.isHidden()


def test_a_title_counts_more_than_a_word_in_the_text(window: HelpWindow) -> None:
    window.search.setText("import")
    assert len(shown(window)) > 1
    assert shown(window)[0] == "Import files"


def test_the_shortcuts_are_those_of_the_window(window: HelpWindow, acts: Actions) -> None:
    window.open_at("atalhos")
    text = window.browser.toPlainText()
    for act in Action:
        if acts[act].shortcuts():
            assert acts[act].text().rstrip("…") in text
    assert "F5" in text


def test_the_fields_are_those_of_the_search(window: HelpWindow) -> None:
    window.open_at("procurar")
    text = window.browser.toPlainText()
    for field in search_language.fields():
        assert field.example in text
        assert field.explanation in text


def test_a_language_without_help_says_that_it_is_in_portuguese(
    qtbot: QtBot, services: Services, acts: Actions, window: HelpWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.foreign.isHidden()
    folder_of = help_pages._folder
    monkeypatch.setattr(help_pages, "_folder", lambda code: None if code == "en" else folder_of(code))
    other = HelpWindow(services, acts)
    qtbot.addWidget(other)
    assert not other.foreign.isHidden()
    assert shown(other)[0] == "Começar"


def test_files_begin_with_a_heading_and_are_named_in_order() -> None:
    files = sorted(resource("help", "pt_BR").iterdir())
    for file in files:
        assert re.fullmatch(r"\d\d-[a-z-]+\.md", file.name)
        assert file.read_text(encoding="utf-8").startswith("# ")


def test_the_help_follows_the_palette(window: HelpWindow, services: Services) -> None:
    window.open_at("problemas")
    services.look.use("dark")
    assert services.look.colours.raised in window.browser.toHtml()


def test_the_place_of_the_window_comes_back(
    qtbot: QtBot, services: Services, acts: Actions, window: HelpWindow
) -> None:
    window.open_at("comecar")
    window.resize(640, 480)
    window.close()
    again = HelpWindow(services, acts)
    qtbot.addWidget(again)
    assert (again.width(), again.height()) == (640, 480)


def test_about_tells_versions_to_copy_and_no_path(qtbot: QtBot, services: Services) -> None:
    dialog = AboutDialog(services)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.copy_versions.click()
    copied = QGuiApplication.clipboard().text()
    assert f"confere {diagnostics.version()}" in copied
    assert "qt 6." in copied
    assert str(services.workspace.home.root) not in copied
    texts = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Lesser General Public License" in texts
    assert "MIT" in texts
    assert str(services.workspace.home.root) in texts
