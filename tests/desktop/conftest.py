"""What the window's tests share: an offscreen Qt, a data folder synced from the sandbox, pictures of what failed."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.sandbox import demo
from confere.app.sandbox.sandbox import SandboxChoice
from confere.desktop.core.archive_watch import ArchiveWatch
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.error_reporting import Fault, Faults
from confere.desktop.core.scope import WindowScope
from confere.desktop.core.window_memory import Memory
from confere.desktop.details.pdf import pdf_maker
from confere.desktop.jobs.jobs import Jobs
from confere.desktop.services import Services
from confere.desktop.shell.overlay import notice_card
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.notices import Notices
from confere.errors import message
from confere.system import messages
from confere.system.secrets import system_keyring
from tests import own_configuration
from tests.desktop.once import made_once
from tests.desktop.patient import PatientBot
from tests.desktop.rooms import calm as calm
from tests.desktop.rooms import calm_folder as calm_folder
from tests.desktop.rooms import full_disk as full_disk
from tests.desktop.rooms import open_window as open_window
from tests.desktop.rooms import shop as shop

DOCUMENTS = 300
SEED = 7


@pytest.fixture(autouse=True)
def _quiet_system(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test touches the keyring of whoever runs it, nor leaves a language behind."""

    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    monkeypatch.setattr(system_keyring, "_backend", none)
    before = messages._Choice.code
    messages.set_language("en")
    yield
    messages._Choice.code = before


@pytest.fixture(autouse=True)
def _own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Copies of one archive have its id: what a test binds for one of them is for no other test."""
    own_configuration.use_copy(monkeypatch, tmp_path_factory.mktemp("own-configuration"))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """In place of pytest-qt's own."""
    return PatientBot(request)


@pytest.fixture
def no_pdfs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever only passes the PDF page starts no process for it, which would be stopped again at once."""
    monkeypatch.setattr(pdf_maker, "_PAUSE_MS", 3_600_000)


_tests_run = itertools.count(1)


@pytest.fixture(autouse=True)
def _tidy_on_this_thread() -> Iterator[None]:
    """As the window does it (`tidying`): a widget that a reader thread collects takes the process down."""
    gc.disable()
    yield
    gc.collect(2 if next(_tests_run) % 25 == 0 else 1)


@pytest.fixture(autouse=True)
def _no_key_is_held() -> Iterator[None]:
    """A key pressed with Ctrl leaves Ctrl down for whatever asks the application, also in the next test."""
    yield
    if QGuiApplication.instance() is not None and QGuiApplication.keyboardModifiers():
        widget = QWidget()
        QTest.keyRelease(widget, Qt.Key.Key_Control)
        widget.deleteLater()


@pytest.fixture(autouse=True)
def _no_complaint_of_qt() -> Iterator[None]:
    """A warning of Qt fails the test."""
    found: list[str] = []

    def listen(kind: QtMsgType, _context: object, text: str) -> None:
        if text.startswith("This plugin does not support"):  # of a platform without a screen
            return
        if kind is not QtMsgType.QtDebugMsg and kind is not QtMsgType.QtInfoMsg:
            found.append(text)

    before = qInstallMessageHandler(listen)
    yield
    qInstallMessageHandler(before)
    assert not found, found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """When a test of the window fails, keep a picture of every window that was on the screen."""
    report = yield
    if call.when == "call" and report.failed and QApplication.instance() is not None:
        folder = Path(os.environ.get("CONFERE_TEST_PICTURES") or Path(tempfile.gettempdir()) / "confere-failed-tests")
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(sign if sign.isalnum() else "_" for sign in item.nodeid)[-120:]
        for number, window in enumerate(QApplication.topLevelWidgets()):
            if window.isVisible():
                file = folder / f"{name}-{number}.png"
                with suppress(Exception):  # grabbing paints anew, which may be what fails
                    window.grab().save(str(file))
                    report.sections.append(("picture of the window", str(file)))
    return report


@pytest.fixture(scope="session")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo's archive, synced over HTTP from the sandbox; tests only read it."""

    def sync(folder: Path) -> None:
        demo.run(Workspace.at(folder), SandboxChoice(documents=DOCUMENTS, seed=SEED))

    return made_once(tmp_path_factory, "synced", sync)


@pytest.fixture
def home(tmp_path: Path, synced: Path) -> Path:
    """A data folder of the test's own with that archive, to write to."""
    return Path(shutil.copytree(synced, tmp_path / "home"))


@pytest.fixture
def empty_home(tmp_path: Path) -> Path:
    """A data folder with nothing in it, as after the installation."""
    return tmp_path / "empty"


@pytest.fixture(autouse=True)
def _messages_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test reads what was told, however long it took on a machine under load."""
    monkeypatch.setattr(notice_card, "FADES_AFTER_MS", 3_600_000)


class Made:
    """Services made for a test, and what they told."""

    def __init__(self, application: QApplication, folder: Path, appearance: str = "light") -> None:
        workspace = Workspace.at(folder)
        workspace.home.ensure()
        self.faults: list[Fault] = []
        self.owner = QWidget()
        faults = Faults(self.owner)
        faults.told.connect(self.faults.append)
        memory = Memory(workspace.home)
        opened = OpenArchive(workspace)
        self.services = Services(
            workspace=workspace,
            opened=opened,
            reader=BackgroundReader(faults.tell, self.owner),
            watch=ArchiveWatch(opened, self.owner),
            memory=memory,
            look=Look(application, appearance),
            faults=faults,
            notices=Notices(self.owner),
            jobs=Jobs(workspace.home, self.owner),
            scope=WindowScope(memory, self.owner),
        )

    def close(self) -> None:
        self.services.jobs.close()
        self.services.watch.stop()
        self.services.reader.close()
        self.services.opened.close()
        self.owner.deleteLater()


@pytest.fixture
def made(qapp: QApplication, home: Path) -> Iterator[Made]:
    """Services on the synced archive."""
    found = Made(qapp, home)
    yield found
    found.close()


@pytest.fixture
def services(made: Made) -> Services:
    return made.services


@pytest.fixture
def made_empty(qapp: QApplication, empty_home: Path) -> Iterator[Made]:
    """Services on a data folder without an archive."""
    found = Made(qapp, empty_home)
    yield found
    found.close()
