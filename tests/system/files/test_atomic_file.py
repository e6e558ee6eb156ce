"""Files are replaced whole or not at all, and the system's refusals become our errors."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from confere.errors import ConfereError, DiskFull, EnvironmentFault
from confere.system.files.atomic_file import atomic_file, storage_fault, write_bytes, write_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writes_bytes_as_given(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    write_bytes(file, b"one\r\n\x00")
    assert file.read_bytes() == b"one\r\n\x00"
    write_text(file, "ção\n")
    assert file.read_bytes() == "ção\n".encode()
    assert names(tmp_path) == ["a.bin"]


def test_a_block_that_fails_leaves_the_old_content_and_no_rubbish(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with pytest.raises(RuntimeError, match="in the middle"), atomic_file(file) as writing:
        writing.write(b"new" * 100_000)
        assert file.read_text() == "old"
        raise RuntimeError("in the middle")
    assert file.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_process_that_dies_leaves_the_old_content(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from confere.system.files.atomic_file import atomic_file\n"
        "with atomic_file(Path(sys.argv[1])) as file:\n"
        "    file.write(b'new' * 100_000)\n"
        "    os._exit(9)\n"
    )
    child = subprocess.run([sys.executable, "-c", code, str(file)], check=False, timeout=60)
    assert child.returncode == 9
    assert file.read_text() == "old"


def test_a_full_disk_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with pytest.raises(DiskFull) as caught, atomic_file(file):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert str(file) in str(caught.value)
    assert file.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (OSError(errno.ENOSPC, "full"), DiskFull, "no room"),
        (OSError(errno.EACCES, "denied"), EnvironmentFault, "does not let"),
        (OSError(errno.EROFS, "read-only"), EnvironmentFault, "does not let"),
        (OSError(errno.EIO, "Input/output error"), EnvironmentFault, "the disk failed"),
        (OSError("no number"), EnvironmentFault, "the system refused it"),
    ],
)
def test_refusals_of_the_system(error: OSError, kind: type[ConfereError], words: str) -> None:
    fault = storage_fault(error, Path("some.file"))
    assert type(fault) is kind
    assert words in str(fault.what)
    assert "some.file" in str(fault.what)
    assert fault.remedy is not None


def test_windows_words_for_a_full_disk() -> None:
    error = OSError(errno.EINVAL, "There is not enough space on the disk")
    error.winerror = 112  # type: ignore[attr-defined]  # as Windows sets it
    assert type(storage_fault(error, Path("x"))) is DiskFull


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="nowhere"):
        write_text(tmp_path / "nowhere" / "a.txt", "x")


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(EnvironmentFault):
        write_text(tmp_path / "a.txt", "x")
    assert names(tmp_path) == ["a.txt"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 200 + ".txt")
    write_text(file, "x")
    assert file.read_text() == "x"


def test_private_files_are_closed_to_others(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("open to all")
    write_text(file, "closed", private=True)
    mode = stat.S_IMODE(file.stat().st_mode)
    assert mode == (0o600 if os.name == "posix" else mode)
    assert file.read_text() == "closed"


def test_a_link_is_followed(tmp_path: Path) -> None:
    real = tmp_path / "real" / "settings.json"
    real.parent.mkdir()
    real.write_text("old")
    link = tmp_path / "settings.json"
    try:
        link.symlink_to(real)
    except OSError:  # Windows without the right to make links: the plain file is then the whole case
        link = real
    write_text(link, "new")
    assert real.read_text() == "new"
    assert link == real or link.is_symlink()
