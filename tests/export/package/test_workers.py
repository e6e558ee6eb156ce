"""Worker processes write the very bytes that one process does, and a package is proven by reading it again."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import Cancelled, EnvironmentFault, ExportRefused
from confere.export.package import package, writer, zip
from confere.export.package.package import PackageResult, export_package
from confere.export.package.request import PackageOptions, PackageRequest
from confere.system.processes import worker_pool
from confere.system.processes.cancellation import Stop
from tests.export.made import COMPANY, MONTH, event, inside, key, note, store

DOCUMENTS = 400


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with Archive.to_write(tmp_path_factory.mktemp("home") / "archive.sqlite3", "test") as archive:
        store(archive, *(note(number, words=str(number) * 40) for number in range(1, DOCUMENTS)), event(key(1)))
        yield archive


def export(archive: Archive, out: Path, stop: Stop | None = None) -> PackageResult:
    return export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH)), None, stop)


def bytes_of(result: PackageResult) -> tuple[bytes, bytes]:
    return result.path.read_bytes(), result.manifests[0].read_bytes()


@pytest.fixture
def two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "workers_for", lambda _files: 2)


@pytest.fixture
def alone(full: Archive, out: Path) -> PackageResult:
    return export(full, out / "alone")


def test_workers_write_the_same_bytes_even_when_one_dies(
    full: Archive, out: Path, alone: PackageResult, two_workers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bytes_of(export(full, out / "workers")) == bytes_of(alone)
    hand, killed = worker_pool._Crew._hand, []

    def killing(crew: worker_pool._Crew[object, object], *given: object) -> None:
        hand(crew, *given)  # type: ignore[arg-type]
        if not killed:
            victim = next(iter(crew._workers.values()))
            killed.append(victim.pid)
            victim.kill()

    monkeypatch.setattr(worker_pool._Crew, "_hand", killing)
    assert bytes_of(export(full, out / "killed")) == bytes_of(alone) and killed


def test_where_no_worker_lives_the_work_is_done_all_the_same(
    full: Archive, out: Path, alone: PackageResult, two_workers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = worker_pool._Crew._start

    def stillborn(crew: worker_pool._Crew[object, object]) -> object:
        pipe = start(crew)
        crew._workers[pipe].kill()
        return pipe

    monkeypatch.setattr(worker_pool._Crew, "_start", stillborn)
    assert bytes_of(export(full, out / "none")) == bytes_of(alone)


def test_a_stop_ends_the_workers_and_leaves_nothing(
    full: Archive, out: Path, two_workers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, put = Stop(), writer.Shelf.put

    def stopping(shelf: writer.Shelf, *given: object) -> None:
        put(shelf, *given)  # type: ignore[arg-type]
        stop.set()

    monkeypatch.setattr(writer.Shelf, "put", stopping)
    with pytest.raises(Cancelled):
        export(full, out, stop)
    assert list(out.iterdir()) == []


def test_the_identical_package_is_left_and_another_one_refused(full: Archive, out: Path, alone: PackageResult) -> None:
    before = alone.path.stat().st_mtime_ns
    again = export(full, out / "alone")
    assert again.identical and not alone.identical and alone.path.stat().st_mtime_ns == before
    alone.manifests[0].write_bytes(b"{}")
    with pytest.raises(ExportRefused):
        export(full, out / "alone")
    assert alone.path.stat().st_mtime_ns == before and alone.manifests[0].read_bytes() == b"{}"


@pytest.mark.parametrize("place", ["body", "local header", "directory", "manifest"])
def test_what_is_not_read_back_as_written_never_gets_its_name(
    full: Archive, out: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    seal = writer.Book.seal

    def damaging(book: writer.Book, tail: object) -> None:
        seal(book, tail)  # type: ignore[arg-type]
        draft = book.text.draft if place == "manifest" else book.zip.draft
        data = bytearray(draft.read_bytes())
        middle = len(data) // 3
        if place == "manifest":
            at = data.index(b'"sha256": "', middle) + 12
            data[at] = ord("1") if data[at] == ord("0") else ord("0")
        else:
            header = data.index(b"PK\3\4", middle)
            data[{"body": middle, "local header": header + 31, "directory": data.index(b"PK\1\2") + 47}[place]] ^= 1
        draft.write_bytes(data)

    monkeypatch.setattr(writer.Book, "seal", damaging)
    with pytest.raises(EnvironmentFault, match="was not read back"):
        export(full, out)
    assert list(out.iterdir()) == []


def test_large_packages_are_read_back_too(
    full: Archive, out: Path, alone: PackageResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip, "SMALL", 100)
    monkeypatch.setattr(zip, "FEW", 2)
    assert inside(export(full, out / "large").path) == inside(alone.path)


@pytest.mark.system_program("7z")
def test_7z_accepts_it(alone: PackageResult) -> None:
    done = subprocess.run(["7z", "t", str(alone.path)], check=True, capture_output=True)
    assert b"Everything is Ok" in done.stdout
