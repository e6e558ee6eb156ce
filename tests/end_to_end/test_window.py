"""The window as a person has it: a real program on a screen of its own, driven by real keys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentRow
from confere.desktop.theme.palettes import DARK, LIGHT
from tests.end_to_end.confere import ENVIRONMENT
from tests.end_to_end.screen import PATIENCE, Screen, needs_a_screen, screen, wait_until

pytestmark = needs_a_screen
MONTH = "2026-10"
RESPONSE = 8.0  # seconds after which keys are taken for lost


@contextmanager
def window(shown: Screen, home: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program, until its window is there; it has ended by itself when the block does."""
    given = {**ENVIRONMENT, **shown.variables, "CONFERE_LANGUAGE": "en", "CONFERE_HOME": str(home), "HOME": str(home)}
    command = [sys.executable, "-m", "confere", *arguments]
    with subprocess.Popen(command, env=given, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until(
                lambda: any("Confere" in title for title in shown.titles()) or process.poll() is not None, "the window"
            )
            yield process
            assert process.wait(60) == 0
        except BaseException:
            shown.picture(Path(os.environ.get("CONFERE_TEST_PICTURES", home)) / "screen-when-it-failed.png")
            raise
        finally:
            process.kill()


def carried(home: Path) -> tuple[DocumentRow, str]:
    """A sale of the month with a freight, and the freight's key."""
    opened = OpenArchive(Workspace.at(home))
    try:
        sales = DocumentQuery(types=("nfe",), states=("authorized",), from_day=f"{MONTH}-01", to_day=f"{MONTH}-31")
        for row in browse.first(opened, sales, 200):
            freights = [entry for entry in browse.full(opened, row.id).related_by if entry.kind == "carries"]
            numbers = DocumentQuery(number=row.number)
            if freights and len(browse.snapshot(opened, numbers)) == 1:
                return row, freights[0].source_key
        raise AssertionError("no sale with a freight")
    finally:
        opened.close()


def content(home: Path, key: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "confere", "--home", str(home), "show", key, "--xml"],
        env=ENVIRONMENT, capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout


def test_a_day_at_the_window(tmp_path: Path) -> None:
    """Demo, search, open, follow the freight, save it, export, go dark, close, and find everything as it was."""
    home = tmp_path / "home"
    frame = tmp_path / "frame"
    frame.mkdir()
    with screen(frame, "1600x1000") as shown:
        walk(shown, home, tmp_path)


def walk(shown: Screen, home: Path, tmp_path: Path) -> None:
    with window(shown, home, "demo", "--documents", "200", "--seed", "7") as process:
        note, freight = carried(home)
        left, top, _, height = shown.place("Confere")
        corner = (left + 4, top + height - 120)  # of the sidebar, where nothing is written
        wait_until(lambda: shown.pixel(*corner) == rgb(LIGHT.window), "the light window")

        wait_until(lambda: shown.has_keyboard("Confere"), "the keyboard in the window")
        shown.keys("ctrl+f")
        shown.type(str(note.number))  # once, while the window is being filled: nothing of it may be lost

        def found() -> bool:
            shown.keys("ctrl+f", "Return", "Down", "Return")
            return has(shown, f"NF-e {note.series}/{note.number} ")

        wait_until(found, "the note in the details")
        press(shown, ("alt+4", "Down", "Return"), lambda: has(shown, "CT-e"), "the freight in the details")
        saved = tmp_path / "freight.xml"
        press(shown, ("ctrl+s",), lambda: has(shown, "Save XML"), "the dialog to save")
        shown.keys("ctrl+a")
        shown.type(str(saved))
        shown.keys("Return")
        wait_until(saved.is_file, "the saved XML")
        assert saved.read_bytes() == content(home, freight)
        exports = home / "exports"
        for old in exports.iterdir():
            old.unlink()
        press(shown, ("ctrl+e",), lambda: has(shown, "Export the month"), "the dialog to export")

        def ordered() -> bool:
            """Enter works once the preview is there."""
            if has(shown, "Export the month"):
                shown.keys("Return")
            return not has(shown, "Export the month")

        wait_until(ordered, "the export")
        wait_until(lambda: len(list(exports.glob("*.zip"))) == 2 and not list(exports.glob("*.part*")), "the packages")
        wait_until(lambda: all(zipfile.is_zipfile(path) for path in exports.glob("*.zip")), "whole packages")
        press(shown, ("ctrl+shift+d",), lambda: shown.pixel(*corner) == rgb(DARK.window), "the dark window")
        leave(shown, process)
    before = memory(home)
    with window(shown, home) as process:
        wait_until(lambda: shown.pixel(*corner) == rgb(DARK.window), "the dark window again")
        leave(shown, process)
    after = memory(home)
    assert after["window/place"] == before["window/place"] == "DOCUMENTS"
    assert after["main/geometry"] == before["main/geometry"]
    assert "scope/month" not in after  # it was suggested: nobody chose it
    assert json.loads((home / "settings.json").read_text())["appearance"] == "dark"


def press(shown: Screen, keys: tuple[str, ...], came: Callable[[], bool], what: str) -> None:
    """Press until it came: keys get lost while a dialog goes and the window is not yet in front again."""
    until = time.monotonic() + PATIENCE
    while not came():
        assert time.monotonic() < until, f"never happened: {what}"
        shown.keys(*keys)
        pause = time.monotonic() + RESPONSE
        while not came() and time.monotonic() < pause:
            time.sleep(0.1)


def leave(shown: Screen, process: subprocess.Popen[bytes]) -> None:
    """Quit; an export that still writes its last line is waited for, as a person would."""

    def gone() -> bool:
        if process.poll() is None:
            shown.keys("Escape" if has(shown, "Work is still running") else "ctrl+q")
        return process.poll() is not None

    wait_until(gone, "the end of the window")


def has(shown: Screen, title: str) -> bool:
    """Whether a window is visible whose title begins so."""
    return any(found.startswith(title) for found in shown.titles())


def memory(home: Path) -> dict[str, str]:
    """What the window wrote down, by group and name."""
    found, group = {}, ""
    try:
        lines = (home / "window.ini").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    for line in lines:
        if line.startswith("["):
            group = line.strip("[]")
        elif "=" in line:
            name, value = line.split("=", 1)
            found[f"{group}/{name}"] = value
    return found


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
