"""Another data folder in the window: what is said before, the copy by a job, and the question where it is gone."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.maintenance import home_folder
from confere.desktop.core import actions
from confere.desktop.services import Services
from confere.desktop.settings.home import home_question
from confere.desktop.settings.home.home_dialog import HomeDialog
from confere.desktop.settings.home.home_question import HomeAnswer, HomeQuestion, usable_workspace
from confere.desktop.settings.page import SettingsPage
from confere.errors import HomeGone, UsageFault, message
from confere.system.folders import chosen_folder
from confere.system.paths import Home, HomeOrigin, find_home
from tests.desktop.settings.test_page import settle

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child's places cannot be another's")


@pytest.fixture(autouse=True)
def own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The places of the system are this test's own, for what it starts too."""
    monkeypatch.delenv("CONFERE_HOME", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def page(qtbot: QtBot, services: Services) -> SettingsPage:
    host = QWidget()
    qtbot.addWidget(host)
    page = SettingsPage(services, actions.make(host, services.look))
    qtbot.addWidget(page)
    page.show_section("archive")
    page.show()
    settle(qtbot, services)
    page.host = host  # type: ignore[attr-defined]
    return page


def dialog_of(qtbot: QtBot, page: SettingsPage, services: Services, folder: Path) -> HomeDialog:
    page.archive.home.button.click()
    dialog = page.archive.home.dialog
    assert isinstance(dialog, HomeDialog) and not dialog.use.isEnabled()
    dialog.folder.setText(str(folder))
    settle(qtbot, services)
    return dialog


def test_the_archive_is_copied_by_a_job_and_the_next_start_is_said(
    qtbot: QtBot, page: SettingsPage, services: Services, tmp_path: Path
) -> None:
    choice = page.archive.home
    assert "--home" in choice.said.text(), "the window of this test was opened on a folder that was named"
    target = tmp_path / "other" / "Confere"
    target.parent.mkdir()
    dialog = dialog_of(qtbot, page, services, target)
    assert "no archive in it yet" in dialog.judged.text() and dialog.copy.isEnabled()
    assert not dialog.usual.isVisible(), "nothing is remembered yet"
    dialog.copy.setChecked(True)
    with qtbot.waitSignal(services.jobs.ended, timeout=60_000):
        dialog.use.click()
    settle(qtbot, services)
    assert find_home().root == target
    assert (target / "archive.sqlite3").is_file() and services.workspace.home.archive.is_file()
    assert str(target) in choice.said.text()
    dialog = dialog_of(qtbot, page, services, target)
    assert "an archive in it" in dialog.judged.text() and not dialog.copy.isEnabled()
    assert dialog.usual.isVisible()
    dialog.usual.click()
    settle(qtbot, services)
    assert find_home().origin is HomeOrigin.USUAL


def test_a_folder_that_cannot_be_used_is_refused_with_the_reason(
    qtbot: QtBot, page: SettingsPage, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "photo.jpg").touch()
    dialog = dialog_of(qtbot, page, services, tmp_path / "photos")
    assert "holds other things" in dialog.judged.text() and not dialog.use.isEnabled()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "photos"))
    dialog.browse.click()
    settle(qtbot, services)
    assert dialog.folder.text() == str(tmp_path / "photos" / "Confere") and dialog.use.isEnabled()
    dialog.reject()


def test_the_choice_holds_the_window_says_so(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    chosen = chosen_folder.remember(services.workspace.home.root)
    object.__setattr__(services.workspace, "home", Home(chosen.path, HomeOrigin.CHOSEN, chosen))
    page.archive.home.ask()
    settle(qtbot, services)
    assert page.archive.home.said.text().startswith("This folder was chosen;")


def test_the_question_has_a_way_out_for_every_answer(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "drive" / "Confere"
    target.parent.mkdir()
    home_folder.choose(find_home(), target, copy=False)
    shutil.move(tmp_path / "drive", tmp_path / "unplugged")
    with pytest.raises(HomeGone) as gone:
        Workspace.at()
    answers: list[HomeAnswer] = []

    def answer(question: HomeQuestion) -> int:
        qtbot.addWidget(question)
        question.buttons[answers.pop(0)].click()
        return 0

    monkeypatch.setattr(home_question.HomeQuestion, "exec", answer)
    answers += [HomeAnswer.AGAIN, HomeAnswer.QUIT]
    assert usable_workspace(None, gone.value) is None and answers == []
    assert not (tmp_path / "drive").exists(), "nothing is made where the drive is not"
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "photo.jpg").touch()
    picked = iter(["", str(tmp_path / "photos")])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: next(picked))
    answers += [HomeAnswer.OTHER, HomeAnswer.OTHER]
    other = usable_workspace(None, gone.value)
    assert other is not None and other.home.root == tmp_path / "photos" / "Confere"
    answers += [HomeAnswer.USUAL]
    usual = usable_workspace(None, gone.value)
    assert usual is not None and usual.home.root == tmp_path / "data" / "Confere"
    target.parent.mkdir()
    home_folder.choose(find_home(), target, copy=False)
    answers += [HomeAnswer.AGAIN]
    again = usable_workspace(None, gone.value)
    assert again is not None and again.home.root == target, "the drive was connected"


def test_the_question_says_what_is_gone_and_why_a_choice_was_refused(qtbot: QtBot) -> None:
    refusal = UsageFault(message("{path} is a file, not a folder.", path="/x"))
    question = HomeQuestion(
        HomeGone(message("The data folder {path} that was chosen is not there.", path="/y")), refusal
    )
    qtbot.addWidget(question)
    texts = " ".join(label.text() for label in question.findChildren(QLabel))
    assert "/y" in texts and "/x" in texts
    question.reject()
    assert question.answer is HomeAnswer.QUIT
