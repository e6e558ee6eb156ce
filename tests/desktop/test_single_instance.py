"""One window for one data folder; a lock left by a killed one is no hindrance."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from confere.desktop.single_instance import SingleWindow
from confere.system.paths import Home

HOLD = """
import sys
from PySide6.QtCore import QCoreApplication
from confere.desktop.single_instance import SingleWindow
from confere.system.paths import Home
from pathlib import Path
application = QCoreApplication([])
single = SingleWindow(Home(Path(sys.argv[1])))
single.asked_for.connect(lambda: print("asked", flush=True))
print(single.claim(), flush=True)
application.exec()
"""


def holder(home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )


def test_the_second_calls_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "True\n"
        second = SingleWindow(Home(tmp_path))
        assert not second.claim()
        assert second.call()
        assert first.stdout.readline() == "asked\n"
        first.kill()
    third = SingleWindow(Home(tmp_path))
    assert third.claim()
    third.release()


def test_another_folder_has_a_window_of_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    one, other = SingleWindow(Home(tmp_path / "a")), SingleWindow(Home(tmp_path / "b"))
    assert one.claim()
    assert other.claim()
    one.release()
    other.release()
