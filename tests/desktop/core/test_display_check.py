"""Without a screen the program says so and ends with 3; Qt itself would abort."""

from __future__ import annotations

import os
import subprocess
import sys

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
