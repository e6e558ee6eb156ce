"""A screen of one's own to run the window on: a virtual X server with a window manager, keys, mouse and pictures."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from confere.desktop.core.display_check import missing_library

PATIENCE = 180.0  # seconds; a bound for machines under load
needs_a_screen = [
    pytest.mark.system_program("Xvfb"),
    pytest.mark.system_program("openbox"),
    pytest.mark.system_program("xdotool"),
    pytest.mark.skipif(missing_library() is not None, reason=f"needs the library {missing_library()}"),
]
"""Of tests that look at the real window; without one of these libraries none opens."""


@dataclass(frozen=True, slots=True)
class Screen:
    """`variables` are what a program needs to appear here."""

    variables: dict[str, str]
    buffer: Path
    manager: Manager

    def keys(self, *keys: str) -> None:
        """Press these, one after the other, in xdotool's spelling (`ctrl+f`, `Return`)."""
        self._xdotool("key", "--clearmodifiers", "--delay", "60", *keys)

    def type(self, text: str) -> None:
        self._xdotool("type", "--clearmodifiers", "--delay", "15", text)

    def click(self, x: int, y: int) -> None:
        self.move(x, y)
        self.press()

    def move(self, x: int, y: int) -> None:
        """Put the mouse there."""
        self._xdotool("mousemove", str(x), str(y))

    def press(self, button: int = 1, times: int = 1, held: tuple[str, ...] = ()) -> None:
        """Press a button of the mouse where it is, while these keys are held; 4 and 5 are the wheel."""
        hold = [word for key in held for word in ("keydown", key)]
        release = [word for key in held for word in ("keyup", key)]
        clicks = ["click", "--repeat", str(times), "--delay", "40", str(button)]
        self._xdotool(*hold, *clicks, *release)

    def titles(self) -> list[str]:
        """The titles of the windows that are visible."""
        found = self._ask("search", "--onlyvisible", "--name", ".")
        return [self._ask("getwindowname", number).strip() for number in found.split()]

    def has_keyboard(self, title: str) -> bool:
        """Whether keys go to the window whose title begins so: before the window manager gave it the keyboard they go
        nowhere, and none is kept for later."""
        self.manager.keep_up()
        active = self._ask("getactivewindow").strip()
        is_focused = bool(active) and active == self._ask("getwindowfocus").strip()
        return is_focused and self._ask("getwindowname", active).startswith(title)

    def place(self, title: str) -> tuple[int, int, int, int]:
        """Left, top, width and height of the visible window whose title begins so."""
        number = self._ask("search", "--onlyvisible", "--name", f"^{title}").split()[0]
        said = self._ask("getwindowgeometry", "--shell", number)
        found = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
        return int(found["X"]), int(found["Y"]), int(found["WIDTH"]), int(found["HEIGHT"])

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Red, green and blue of a point of the screen, from the server's own frame buffer (XWD)."""
        data = self.buffer.read_bytes()
        head = struct.unpack(">25I", data[:100])
        start = head[0] + head[19] * 12
        place = start + y * head[12] + x * (head[11] // 8)
        blue, green, red = data[place : place + 3]
        return red, green, blue

    def picture(self, target: Path) -> None:
        """The whole screen as a PNG, for a person to look at when something failed."""
        from PySide6.QtGui import QImage

        data = self.buffer.read_bytes()
        head = struct.unpack(">25I", data[:100])
        start = head[0] + head[19] * 12
        image = QImage(data[start:], head[4], head[5], head[12], QImage.Format.Format_RGB32)
        image.save(str(target))

    def _xdotool(self, *arguments: str) -> None:
        self.manager.keep_up()
        subprocess.run(["xdotool", *arguments], env=self.variables, check=True, timeout=PATIENCE, capture_output=True)

    def _ask(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.variables, check=False, timeout=PATIENCE, capture_output=True, text=True
        )
        return done.stdout


class Manager:
    """The window manager, which gives the keyboard back when a dialog goes. It dies at times when a window goes
    while it looks at it; without another one no key would arrive any more."""

    def __init__(self, program: str, variables: dict[str, str]) -> None:
        self._command, self._variables = [program, "--sm-disable"], variables
        self._process = self._begun()

    def keep_up(self) -> None:
        """Start it again where it is gone."""
        if self._process.poll() is not None:
            self._process = self._begun()
            time.sleep(1)  # it takes the windows over that are there

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)

    def _begun(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command, env=self._variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )


@contextmanager
def screen(folder: Path, size: str = "1280x800") -> Iterator[Screen]:
    """Start the server and a window manager; both end with the block."""
    server_program, manager_program = shutil.which("Xvfb"), shutil.which("openbox")
    assert server_program is not None
    assert manager_program is not None
    told, tell = os.pipe()
    server = subprocess.Popen(
        [
            server_program,
            "-displayfd",
            str(tell),
            "-screen",
            "0",
            f"{size}x24",
            "-fbdir",
            str(folder),
            "-nolisten",
            "tcp",
        ],
        pass_fds=[tell],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(tell)
    with os.fdopen(told) as answer:
        number = answer.readline().strip()
    kept = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")}
    variables = {**kept, "DISPLAY": f":{number}"}
    manager = Manager(manager_program, variables)
    try:
        yield Screen(variables, folder / "Xvfb_screen0", manager)
    finally:
        manager.end()
        server.terminate()
        server.wait(PATIENCE)


def wait_until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Look again and again until it holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"never happened: {what}"
        time.sleep(0.1)
