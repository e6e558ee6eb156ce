"""Whatever stops an export, nothing half is left, what was there is untouched, and a sentence says why."""

from __future__ import annotations

import errno
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from confere.archive.store import Archive
from confere.errors import Cancelled, DiskFull, ExportRefused, UsageFault
from confere.export.package import atomic_files, writer
from confere.export.package.package import export_package
from confere.export.package.request import PackageOptions, PackageRequest, Split
from confere.system.processes.cancellation import Stop
from tests.export.made import COMPANY, MONTH, freight, inside, key, note, store

NAME = f"{COMPANY}-{MONTH}"


def request(out: Path, **given: Any) -> PackageRequest:
    return PackageRequest(COMPANY, out, PackageOptions(MONTH, **given))


@pytest.mark.parametrize("present", [f"{NAME}.zip", f"{NAME}.manifest.json"])
def test_a_file_in_the_way_is_refused_by_name(archive: Archive, out: Path, present: str) -> None:
    store(archive, note(1))
    out.mkdir()
    (out / present).write_bytes(b"mine")
    with pytest.raises(ExportRefused) as caught:
        export_package(archive, request(out))
    assert str(out / present) in str(caught.value.what) and "replace" in str(caught.value.remedy)
    assert [(entry.name, entry.read_bytes()) for entry in out.iterdir()] == [(present, b"mine")]


def test_replacing_is_possible_when_asked_for(archive: Archive, out: Path) -> None:
    store(archive, note(1))
    export_package(archive, request(out))
    store(archive, note(2))
    again = export_package(archive, request(out, replace=True))
    assert len(inside(again.contents.paths[0])) == 2
    assert len(list(out.iterdir())) == 2


def test_one_model_in_the_way_stops_all_of_them(archive: Archive, out: Path) -> None:
    store(archive, note(1), freight(2))
    out.mkdir()
    (out / f"{NAME}-cte.zip").write_bytes(b"mine")
    with pytest.raises(ExportRefused, match=r"-cte\.zip"):
        export_package(archive, request(out, split=Split.MODEL))
    assert [entry.name for entry in out.iterdir()] == [f"{NAME}-cte.zip"]


def test_a_file_that_appears_meanwhile_is_not_overwritten(
    archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two ZIPs finds its place taken at the last moment: the first one goes away again."""
    store(archive, note(1), freight(2))
    seal = writer.Book.seal

    def late(book: writer.Book, tail: Any) -> None:
        seal(book, tail)
        (out / f"{NAME}-nfe.zip").write_bytes(b"mine")

    monkeypatch.setattr(writer.Book, "seal", late)
    with pytest.raises(ExportRefused, match=r"-nfe\.zip"):
        export_package(archive, request(out, split=Split.MODEL))
    assert [(entry.name, entry.read_bytes()) for entry in out.iterdir()] == [(f"{NAME}-nfe.zip", b"mine")]


def test_a_target_that_is_a_file_is_wrong_use(archive: Archive, tmp_path: Path) -> None:
    store(archive, note(1))
    (tmp_path / "file.txt").write_bytes(b"")
    with pytest.raises(UsageFault, match=r"file\.txt"):
        export_package(archive, request(tmp_path / "file.txt"))


def _full_after(room: int) -> Callable[[Path], FileIO]:
    class FullDisk(FileIO):
        def write(self, data: Any, /) -> int:
            nonlocal room
            if len(data) > room:
                raise OSError(errno.ENOSPC, "No space left on device")
            room -= len(data)
            return super().write(data)

    return lambda path: FullDisk(path, "x")


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("place", ["at once", "in the zip", "after the zip", "at the last byte"])
def test_a_full_disk_leaves_what_was_there(
    archive: Archive, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, replace: bool
) -> None:
    store(archive, *(note(number, words=str(number) * 50) for number in range(1, 150)))
    whole = export_package(archive, request(tmp_path / "elsewhere"))
    zipped, told = whole.bytes, whole.manifests[0].stat().st_size
    room = {"at once": 0, "in the zip": zipped // 2, "after the zip": zipped, "at the last byte": zipped + told - 1}
    before = {}
    if replace:
        out.mkdir()
        before = {out / f"{NAME}.zip": b"old", out / f"{NAME}.manifest.json": b"old too"}
        for path, data in before.items():
            path.write_bytes(data)
    monkeypatch.setattr(atomic_files, "_BUFFER", 4096)
    monkeypatch.setattr(atomic_files, "_create", _full_after(room[place]))
    with pytest.raises(DiskFull) as caught:
        export_package(archive, request(out, replace=replace))
    assert NAME in str(caught.value) and "Free some space" in str(caught.value)
    assert {entry: entry.read_bytes() for entry in out.iterdir()} == before
    monkeypatch.setattr(atomic_files, "_create", _full_after(zipped + told))
    assert export_package(archive, request(out, replace=replace)).bytes == zipped


def test_a_disk_that_fills_up_with_the_directory_is_the_same(
    archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullSpool(tempfile.SpooledTemporaryFile[bytes]):
        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    store(archive, note(1))
    monkeypatch.setattr(writer, "SpooledTemporaryFile", FullSpool)
    with pytest.raises(DiskFull, match=NAME):
        export_package(archive, request(out))
    assert list(out.iterdir()) == []


def test_a_stop_before_the_first_file_makes_no_file(archive: Archive, out: Path) -> None:
    store(archive, note(1))
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled, match="There is no package"):
        export_package(archive, request(out), None, stop)
    assert not out.exists()


def test_a_stop_in_the_middle_leaves_nothing(archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(archive, *(note(number) for number in range(1, 450)))
    stop = Stop()
    put = writer.Shelf.put

    def third(held: writer.Shelf, *given: Any) -> None:
        put(held, *given)
        if held.books[0].writer.count == 100:
            stop.set()

    monkeypatch.setattr(writer.Shelf, "put", third)
    with pytest.raises(Cancelled):
        export_package(archive, request(out), None, stop)
    assert list(out.iterdir()) == []


def test_a_damaged_content_stands_in_missing_and_not_in_the_package(archive: Archive, out: Path) -> None:
    store(archive, *(note(number) for number in range(1, 200)))
    with archive.writing() as transaction:
        transaction.execute("UPDATE content SET digest = zeroblob(32) WHERE id = 150")
    result = export_package(archive, request(out))
    assert (result.contents.documents, result.contents.xml) == (198, 198)
    assert [(entry.kind, entry.names) for entry in result.contents.missing if entry.kind == "bytes_missing"] == [
        ("bytes_missing", (key(150),))
    ]


def test_after_a_kill_the_next_export_leaves_only_the_package(archive: Archive, out: Path) -> None:
    store(archive, *(note(number) for number in range(1, 200)))
    code = (
        "import os, sys, pathlib, signal\n"
        "from confere.archive.store import Archive\n"
        "from confere.export.package import writer\n"
        "from confere.export.package.package import export_package\n"
        "from confere.export.package.request import PackageOptions, PackageRequest\n"
        "seal = writer.Book.seal\n"
        "def killed(book, tail):\n"
        "    seal(book, tail)\n"
        "    print('sealed', flush=True)\n"
        "    sys.stdin.read()\n"
        "writer.Book.seal = killed\n"
        f"options = PackageOptions('{MONTH}')\n"
        "with Archive.to_read(pathlib.Path(sys.argv[1])) as archive:\n"
        f"    export_package(archive, PackageRequest('{COMPANY}', pathlib.Path(sys.argv[2]), options))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(archive.path), str(out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None and child.stdout.readline().strip() == b"sealed"
        child.kill()
        child.wait()
    assert {entry.suffix for entry in out.iterdir()} == {".partial"}
    result = export_package(archive, request(out))
    assert sorted(entry.name for entry in out.iterdir()) == [f"{NAME}.manifest.json", f"{NAME}.zip"]
    assert len(inside(result.contents.paths[0])) == 199
