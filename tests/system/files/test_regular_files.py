"""Only ordinary files are read; the others are refused by their kind, at once."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from confere.errors import EnvironmentFault
from confere.system.files.regular_files import is_windows_device, open_regular, special_kind

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files in folders")


def test_an_ordinary_file_is_opened_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(b"<a/>")
    with open_regular(tmp_path / "a.xml") as file:
        assert file.read() == b"<a/>"
    assert special_kind(tmp_path / "a.xml") is None
    assert special_kind(tmp_path) is None
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "b.xml")


@posix_only
def test_devices_pipes_and_sockets_are_refused_by_their_kind(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "zero.xml").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.xml"))
        for name, kind in (("pipe.xml", "a pipe"), ("zero.xml", "a device"), ("s.xml", "a socket")):
            assert kind in str(special_kind(tmp_path / name))
            with pytest.raises(EnvironmentFault, match=kind):
                open_regular(tmp_path / name)
    with pytest.raises(EnvironmentFault, match="a folder"):
        open_regular(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "NUL",
        "con",
        "C:\\x\\aux.xml",
        "COM1",
        "lpt9.txt",
        "nul .xml",
        "NUL:",
        "CONIN$",
        "\\\\.\\pipe\\x",
        "//./COM5",
        "\\\\?\\GLOBALROOT\\Device\\x",
        "\\\\server\\pipe\\x",
        "\\\\?\\UNC\\server\\pipe\\x",
        "com\u00b9",
    ],
)
def test_names_that_windows_takes_for_devices(name: str) -> None:
    assert is_windows_device(name)


@pytest.mark.parametrize(
    "name",
    [
        "C:\\notas\\nfe.xml",
        "console.xml",
        "\\\\server\\share\\nul_.xml",
        "\\\\?\\C:\\x\\a.xml",
        "com10.xml",
        "a.nul",
        "\\\\?\\UNC\\server\\share\\a.xml",
        "notas/CON NUL.xml",
        "C:\\",
    ],
)
def test_names_that_windows_takes_for_files(name: str) -> None:
    assert not is_windows_device(name)
