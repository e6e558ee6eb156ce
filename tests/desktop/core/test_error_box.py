"""A window that cannot open says why in one box where no terminal would show it, and nobody else shows a box."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# A program without a console, as Windows starts it: no streams at all. The boxes are written down and closed.
WITHOUT_STREAMS = """
import json, sys
from pathlib import Path

sys.argv[1:], written = sys.argv[2:], Path(sys.argv[1])
streams = [stream for stream in (sys.stdin, sys.stdout, sys.stderr)]
sys.stdin = sys.stdout = sys.stderr = None

from PySide6.QtWidgets import QMessageBox

boxes = []

def shown(box):
    box.show()
    boxes.append([box.text(), box.informativeText(), box.isVisible()])
    box.close()
    return QMessageBox.StandardButton.Ok

QMessageBox.exec = shown

from confere.__main__ import main

try:
    main()
except SystemExit as end:
    written.write_text(json.dumps({"code": end.code, "boxes": boxes}))
"""


def started(tmp_path: Path, *arguments: str | Path, name: str = "confere-desktop.py") -> dict[str, object]:
    script = tmp_path / name
    script.write_text(WITHOUT_STREAMS, encoding="utf-8")
    written = tmp_path / "written.json"
    subprocess.run(
        [sys.executable, "-W", "error", str(script), str(written), *map(str, arguments)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "CONFERE_LANGUAGE": "en"},
        check=True,
        timeout=120,
    )
    said: dict[str, object] = json.loads(written.read_text(encoding="utf-8"))
    return said


@pytest.fixture
def broken_home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.write_text("a file where the data folder should be", encoding="utf-8")
    return home


def test_a_broken_data_folder_is_told_in_one_box(tmp_path: Path, broken_home: Path) -> None:
    said = started(tmp_path, "--home", broken_home)
    assert said["code"] == 3
    ((title, text, visible),) = said["boxes"]  # type: ignore[misc]
    assert title
    assert str(broken_home) in text
    assert "--home" in text  # what to do
    assert visible


def test_a_wrong_line_is_told_in_one_box(tmp_path: Path) -> None:
    said = started(tmp_path, "--no-such-option")
    assert said["code"] == 2
    ((_, text, _),) = said["boxes"]  # type: ignore[misc]
    assert "--no-such-option" in text


@pytest.mark.parametrize(
    "command",
    [
        ("list",),
        pytest.param(("sync", "--json"), marks=pytest.mark.exhaustive),
        pytest.param(("import", ".", "--progress-json"), marks=pytest.mark.exhaustive),
    ],
)
def test_a_command_of_a_scheduler_shows_no_box(tmp_path: Path, broken_home: Path, command: tuple[str, ...]) -> None:
    """Nobody is there to close it."""
    assert started(tmp_path, *command, "--home", broken_home) == {"code": 3, "boxes": []}


@pytest.mark.exhaustive
def test_what_is_said_without_streams_is_said_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    lines = (
        ("import", tmp_path / "papers"),
        ("import", tmp_path / "papers", "--progress-json"),
        ("list",),
        ("list", "--json"),
        ("doctor",),
        ("--help",),
        ("--version",),
        ("sandbox", "--documents", "5", "--exit-with-stdin"),
    )
    ended = {str(line): started(tmp_path, *line, "--home", tmp_path / "new") for line in lines}
    assert ended == {str(line): {"code": 0, "boxes": []} for line in lines}


@pytest.mark.parametrize(
    ("name", "boxes"), [("confere-desktop", 1), ("confere", 0)], ids=["from an icon", "from a script"]
)
def test_a_program_from_an_icon_shows_a_box_where_its_streams_lead_to_a_journal(
    tmp_path: Path, broken_home: Path, name: str, boxes: int
) -> None:
    script = tmp_path / name
    script.write_text(WITHOUT_STREAMS.replace("sys.stdin = sys.stdout = sys.stderr = None\n", ""), encoding="utf-8")
    written = tmp_path / "written.json"
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), str(written), "--home", str(broken_home)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "CONFERE_LANGUAGE": "en"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    assert len(json.loads(written.read_text(encoding="utf-8"))["boxes"]) == boxes
    assert str(broken_home) in done.stderr  # a journal keeps it all the same
