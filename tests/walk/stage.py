"""Where the walk takes place: a data folder from the sandbox, the program on a screen of its own, and what it left."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from confere.system.messages import language
from tests.conftest import ROOT
from tests.end_to_end.confere import ENVIRONMENT
from tests.end_to_end.screen import PATIENCE, Screen, screen, wait_until
from tests.walk.window_view import Eyes

DOCUMENTS = 400
SEED = 7
_DESKTOP = ("QT_QPA_PLATFORMTHEME", "XDG_CURRENT_DESKTOP", "QT_SCALE_FACTOR", "DBUS_SESSION_BUS_ADDRESS")


@dataclass(frozen=True, slots=True)
class Size:
    """A screen in pixels, and what the program is scaled by."""

    width: int
    height: int
    scale: int = 1

    @classmethod
    def of(cls, text: str) -> Size:
        """`1920x1080` or `1920x1080@2`."""
        pixels, _, scale = text.partition("@")
        width, height = pixels.split("x")
        return cls(int(width), int(height), int(scale or 1))

    def __str__(self) -> str:
        return f"{self.width}x{self.height}" + (f"@{self.scale}" if self.scale != 1 else "")


@dataclass(frozen=True, slots=True)
class Stage:
    """`home` is the data folder, `desk` the folder of the accountant: files are saved there and taken from there."""

    shown: Screen
    home: Path
    desk: Path
    eyes: Eyes
    process: subprocess.Popen[bytes]
    complaints: Path
    notes: dict[str, Any] = field(default_factory=dict)  # what a task leaves for one that goes on from it
    _ends: ExitStack = field(default_factory=ExitStack)

    def at_end(self, act: Callable[[], object]) -> None:
        """Do this when the program has ended."""
        self._ends.callback(act)

    def close(self) -> None:
        self._ends.close()

    def told(self, *arguments: str) -> dict[str, Any]:
        """What a command says of the archive, in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "confere", "--home", str(self.home), *arguments, "--json"],
            env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.stdout, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def xml_of(self, key: str) -> bytes:
        """The archived bytes of a document."""
        command = [sys.executable, "-m", "confere", "--home", str(self.home), "show", key, "--xml"]
        return subprocess.run(command, env=ENVIRONMENT, capture_output=True, timeout=300, check=True).stdout

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the archive, read past the program."""
        with closing(sqlite3.connect(f"file:{self.home / 'archive.sqlite3'}?mode=ro", uri=True)) as archive:
            return archive.execute(sql, values).fetchall()


def demo_home(folder: Path, documents: int = DOCUMENTS, *, orders: bool = True) -> Path:
    """A data folder as the demonstration leaves it: synced, verified, reconciled and exported; without `orders` and
    returns in less time."""
    from confere.app.context import Workspace
    from confere.app.sandbox import demo
    from confere.app.sandbox.sandbox import SandboxChoice

    demo.run(Workspace.at(folder), SandboxChoice(documents=documents, seed=SEED, orders=orders, returns=orders))
    shutil.rmtree(folder / "exports")
    return folder


@contextmanager
def stage(folder: Path, home: Path, size: Size) -> Iterator[Stage]:
    """The program's window on `home`, until the block ends or the program has; the program is killed then."""
    frame, desk = folder / "frame", folder / "desk"
    frame.mkdir()
    desk.mkdir()
    socket, complaints = folder / "eyes", folder / "stderr.txt"
    with screen(frame, f"{size.width}x{size.height}") as shown:
        given = {name: value for name, value in {**ENVIRONMENT, **shown.variables}.items() if name not in _DESKTOP}
        given |= {"CONFERE_LANGUAGE": language(), "CONFERE_HOME": str(home), "HOME": str(desk)}
        given |= {"PYTHONPATH": str(ROOT), "QT_SCALE_FACTOR": str(size.scale), "CUPS_SERVER": "127.0.0.1:1"}
        command = [sys.executable, "-m", "tests.walk.inspected", str(socket)]
        with (
            complaints.open("wb") as file,
            subprocess.Popen(command, env=given, stdin=subprocess.DEVNULL, stdout=file, stderr=file) as process,
        ):
            try:
                wait_until(lambda: socket.exists() or process.poll() is not None, "the program")
                assert process.poll() is None, complaints.read_text()
                eyes = Eyes(socket)
                made = Stage(shown, home, desk, eyes, process, complaints)
                try:
                    yield made
                finally:
                    made.close()
                    eyes.close()
            finally:
                process.kill()
                process.wait(PATIENCE)
