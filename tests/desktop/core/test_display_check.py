"""Without a screen the program says so and ends with 3; Qt itself would abort."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

from confere.desktop.core import display_check

BARE = {
    name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
}


@pytest.mark.parametrize(
    ("variables", "arguments"),
    [
        ({}, ()),
        ({"DISPLAY": ":987"}, ("--home", "somewhere")),
        ({"WAYLAND_DISPLAY": "wayland-987"}, ()),
    ],
    ids=["none", "no X11", "no Wayland"],
)
def test_a_sentence_and_exit_code_three(
    tmp_path: object, arguments: tuple[str, ...], variables: dict[str, str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "confere", *arguments],
        env={**BARE, **variables, "CONFERE_HOME": str(tmp_path), "CONFERE_LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=str(tmp_path),
    )
    assert done.returncode == 3, done.stderr
    assert "display" in done.stderr
    assert "--no-window" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_macos_have_a_screen(platform: str) -> None:
    display_check.require({}, platform)


def test_a_platform_without_screens_needs_none() -> None:
    display_check.require({"QT_QPA_PLATFORM": "offscreen"}, "linux")


def test_a_missing_library_is_named_with_what_to_install() -> None:
    fault = display_check.no_libraries(ImportError("libEGL.so.1: cannot open shared object file"))
    assert "libEGL.so.1" in str(fault.what)
    assert "apt-get install" in str(fault.remedy)


@pytest.mark.parametrize("name", ["libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libxkbcommon-x11.so.0"])
def test_a_library_without_which_qt_aborts_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(display_check, "_x11_answers", lambda _: True)
    monkeypatch.setattr(display_check, "_library", lambda asked: None if asked == name else object())
    with pytest.raises(display_check.NoDisplay, match=name):
        display_check.require({"DISPLAY": ":0"}, "linux")


@pytest.mark.skipif(sys.platform != "linux", reason="Qt's plugin for X11")
def test_all_that_qt_takes_from_the_system_for_x11_is_looked_for() -> None:
    """The libraries that its plugins name, but for those that the window cannot be without anywhere."""
    folder = Path(PySide6.__file__).parent / "Qt"
    plugins = (folder / "plugins" / "platforms" / "libqxcb.so", folder / "lib" / "libQt6XcbQpa.so.6")
    named = {
        name.decode() for file in plugins for name in re.findall(rb"lib[\w+-]*(?:xcb|X11)[\w.+-]*", file.read_bytes())
    }
    of_others = {"libxcb.so.1", "libX11.so.6", "libxcb-shm.so.0", "libxcb-render.so.0"}
    wanted = {name for name in named if re.fullmatch(r"lib[\w+-]+\.so\.\d+", name)} - of_others
    assert "libxcb-icccm.so.4" in wanted
    assert not wanted - set(display_check._OF_X11)
