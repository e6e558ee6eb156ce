"""Files of ours are opened as strangers' are: what a link leads to is neither read nor written, nobody waits."""

from __future__ import annotations

import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from confere.system import data_folder
from confere.system.data_folder import ENTRIES
from confere.system.files.atomic_file import write_text
from confere.system.files.own_files import (
    OwnFileRefused,
    is_link,
    is_own_file,
    is_own_folder,
    open_own,
    read_own,
    write_own,
)


def test_a_file_of_ours_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_own(path, b"a longer text")
    write_own(path, b"text")
    assert read_own(path, 4) == b"text"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert is_own_file(path)
    assert not is_own_folder(path)
    with pytest.raises(FileNotFoundError):
        read_own(tmp_path / "none", 4)


def test_a_link_is_neither_read_nor_written(tmp_path: Path) -> None:
    path, foreign = tmp_path / "file", tmp_path / "foreign"
    foreign.write_bytes(b"somebody's")
    path.symlink_to(foreign)
    for act in (lambda: read_own(path, 100), lambda: write_own(path, b"ours")):
        with pytest.raises(OwnFileRefused, match="is a link"):
            act()
    assert foreign.read_bytes() == b"somebody's"
    assert not is_own_file(path)
    write_text(path, "ours", own=True)  # takes the link's place
    assert foreign.read_bytes() == b"somebody's"
    assert path.read_text() == "ours"


def test_a_link_that_leads_nowhere_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.symlink_to(tmp_path / "new")
    with pytest.raises(OwnFileRefused):
        write_own(path, b"ours")
    assert not (tmp_path / "new").exists()


def test_a_second_name_is_read_and_not_written(tmp_path: Path) -> None:
    path, foreign = tmp_path / "file", tmp_path / "foreign"
    foreign.write_bytes(b"somebody's")
    os.link(foreign, path)
    assert read_own(path, 100) == b"somebody's"
    with pytest.raises(OwnFileRefused, match="second name"):
        write_own(path, b"ours")
    assert foreign.read_bytes() == b"somebody's"


def test_pipes_sockets_devices_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    pipe, folder, link = tmp_path / "pipe", tmp_path / "folder", tmp_path / "device"
    os.mkfifo(pipe)
    folder.mkdir()
    link.symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        place = os.open(tmp_path, os.O_RDONLY)  # the whole path may be too long for a socket
        server.bind(f"/proc/self/fd/{place}/socket" if sys.platform == "linux" else str(tmp_path / "socket"))
        os.close(place)
        for path, words in (
            (pipe, "a pipe"),
            (folder, "a folder"),
            (link, "a link"),
            (tmp_path / "socket", "a socket"),
        ):
            with pytest.raises(OwnFileRefused, match=words):
                read_own(path, 100)
            with pytest.raises(OwnFileRefused, match=words):
                open_own(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    assert is_own_folder(folder)


def test_a_giant_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(20 * 1024**3)
    with pytest.raises(OwnFileRefused, match="21474836480"):
        read_own(path, 1000)


def test_links_of_windows_are_known_by_their_tags(tmp_path: Path) -> None:
    """Junctions and links are name surrogates; a file that lies in a cloud is a reparse point too, and a file."""

    class Seen:
        st_mode = stat.S_IFREG | 0o666
        st_file_attributes = 0x400
        st_reparse_tag = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT

    seen = Seen()
    assert is_link(seen)  # type: ignore[arg-type]
    seen.st_reparse_tag = 0x9000001A  # IO_REPARSE_TAG_CLOUD
    assert not is_link(seen)  # type: ignore[arg-type]


def test_the_data_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "home").symlink_to(real)
    (real / "logs").mkdir()
    data_folder.refuse_odd(tmp_path / "home")
    (real / "backups").symlink_to(tmp_path)
    with pytest.raises(OwnFileRefused, match="backups is a link"):
        data_folder.refuse_odd(tmp_path / "home")


def test_every_file_that_is_read_whole_has_a_bound() -> None:
    unbounded = {name for name, entry in ENTRIES.items() if entry.most is None and not entry.is_folder}
    assert unbounded == {f"archive.sqlite3{ending}" for ending in ("", "-wal", "-shm", "-journal")}
