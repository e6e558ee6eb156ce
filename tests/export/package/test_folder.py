"""A package as a folder: file by file, the manifest last; a second run goes on, and nobody else's file is touched."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import Cancelled, ExportRefused, UsageFault
from confere.export.package import writer
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.package import PackageResult, export_package
from confere.export.package.request import Events, Form, PackageOptions, PackageRequest
from confere.system.processes.cancellation import Stop
from tests.export.made import COMPANY, MONTH, event, inside, key, note, store, voiding

NAME = f"{COMPANY}-{MONTH}"


def export(archive: Archive, out: Path, *, stop: Stop | None = None, replace: bool = False) -> PackageResult:
    options = PackageOptions(MONTH, replace=replace, form=Form.FOLDER)
    return export_package(archive, PackageRequest(COMPANY, out, options), None, stop)


def held(out: Path) -> dict[str, bytes]:
    root = out / NAME
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_folder_has_the_files_of_the_zip_and_a_manifest_beside_it(archive: Archive, out: Path) -> None:
    store(archive, note(1), note(2), event(key(1)), voiding(10, 12))
    result = export(archive, out)
    zipped = export_package(archive, PackageRequest(COMPANY, out / "z", PackageOptions(MONTH)))
    assert held(out) == inside(zipped.contents.paths[0]) and len(held(out)) == 4
    assert result.contents.paths == (out / NAME,) and not result.identical
    told = json.loads((out / f"{NAME}.manifest.json").read_text("ascii"))
    assert [entry["path"] for entry in told["files"]] == list(inside(zipped.contents.paths[0]))
    assert told["package"] == NAME and told["folder"] == {"size": result.bytes}
    again = export(archive, out)
    assert again.identical and sorted(entry.name for entry in out.iterdir()) == [NAME, f"{NAME}.manifest.json", "z"]


def test_a_second_run_writes_only_what_lacks(archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(archive, *(note(number) for number in range(1, 200)))
    stop, put = Stop(), writer.Shelf.put

    def stopping(shelf: writer.Shelf, *given: object) -> None:
        put(shelf, *given)  # type: ignore[arg-type]
        if shelf.books[0].count == 100:
            stop.set()

    monkeypatch.setattr(writer.Shelf, "put", stopping)
    with pytest.raises(Cancelled):
        export(archive, out, stop=stop)
    monkeypatch.undo()
    before = {path: path.stat().st_mtime_ns for path in (out / NAME).rglob("*.xml")}
    assert 100 <= len(before) < 199 and not (out / f"{NAME}.manifest.json").exists()
    left = next(iter(before)).with_name("x.xml.0123abcd.partial")
    left.write_bytes(b"half")
    export(archive, out)
    assert len(held(out)) == 199 and not left.exists()
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_a_strangers_file_in_the_way_is_named_and_stays(archive: Archive, out: Path) -> None:
    store(archive, note(1), note(2))
    place = out / NAME / COMPANY / MONTH / "nfe" / "out" / f"{key(2)}-procNFe.xml"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"mine")
    with pytest.raises(ExportRefused) as caught:
        export(archive, out)
    assert str(place) in str(caught.value.what) and place.read_bytes() == b"mine"
    place.unlink()
    other = place.with_name("other.xml")
    other.write_bytes(b"mine")
    with pytest.raises(ExportRefused, match=r"other\.xml"):
        export(archive, out)
    assert other.read_bytes() == b"mine" and not (out / f"{NAME}.manifest.json").exists()


def test_a_link_leads_nothing_out_of_the_folder(archive: Archive, out: Path, tmp_path: Path) -> None:
    store(archive, note(1))
    (out / NAME).mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    try:
        (out / NAME / COMPANY).symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    except OSError:  # Windows gives links to those only whom it trusts
        return
    with pytest.raises(Exception, match="leads out of"):
        export(archive, out)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_another_package_there_is_left_alone_or_replaced_whole(archive: Archive, out: Path) -> None:
    store(archive, note(1), note(2, cstat=None))
    export(archive, out)
    before = held(out)
    store(archive, note(2), note(3))
    with pytest.raises(ExportRefused):
        export(archive, out)
    assert held(out) == before
    export(archive, out, replace=True)
    assert set(held(out).values()) == {note(1), note(2), note(3)}


def test_a_folder_is_not_called_like_a_zip(archive: Archive, out: Path) -> None:
    store(archive, note(1))
    with pytest.raises(UsageFault, match=r"a\.zip"):
        export(archive, out / "a.zip")


@pytest.mark.parametrize(
    ("events", "place"),
    [
        (Events.OWN, f"event/out/{key(1)}-110111-1-procEventoNFe.xml"),
        (Events.BESIDE, f"nfe/out/{key(1)}-110111-1-procEventoNFe.xml"),
        (Events.INSIDE, f"nfe/out/{key(1)}/{key(1)}-110111-1-procEventoNFe.xml"),
    ],
)
def test_where_events_go(archive: Archive, out: Path, events: Events, place: str) -> None:
    store(archive, note(1), event(key(1)))
    result = export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH, events=events)))
    paths = set(inside(result.contents.paths[0]))
    document = f"{COMPANY}/{MONTH}/nfe/out/" + (f"{key(1)}/" if events is Events.INSIDE else "")
    assert paths == {f"{COMPANY}/{MONTH}/{place}", f"{document}{key(1)}-procNFe.xml"}


def test_a_replacement_that_was_stopped_is_finished_by_the_next_run(
    archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(archive, note(1), note(2, cstat=None), note(3))
    export(archive, out)
    store(archive, note(2), note(4), *(voiding(first, first) for first in (10, 20)))
    fresh = export(archive, out / "fresh")
    whole, manifest = held(out / "fresh"), fresh.manifests[0].read_bytes()
    stop, put = Stop(), writer.Shelf.put

    def stopping(shelf: writer.Shelf, *given: object) -> None:
        put(shelf, *given)  # type: ignore[arg-type]
        if shelf.books[0].count == 3:
            stop.set()

    monkeypatch.setattr(writer.Shelf, "put", stopping)
    with pytest.raises(Cancelled):
        export(archive, out, stop=stop, replace=True)
    monkeypatch.undo()
    assert not (out / f"{NAME}.manifest.json").exists() and held(out) != whole
    export(archive, out)  # what was begun with --replace needs it no more
    assert held(out) == whole and (out / f"{NAME}.manifest.json").read_bytes() == manifest
    assert sorted(entry.name for entry in out.iterdir()) == [NAME, f"{NAME}.manifest.json", "fresh"]


def test_files_of_the_old_package_go_and_a_strangers_stays(archive: Archive, out: Path) -> None:
    store(archive, note(1), note(2), event(key(2)))
    everything = PackageOptions(MONTH, form=Form.FOLDER)
    export_package(archive, PackageRequest(COMPANY, out, everything))
    old = set(held(out))
    fewer = PackageRequest(COMPANY, out, PackageOptions(MONTH, form=Form.FOLDER, replace=True), Profile.AUTHORIZATIONS)
    mine = out / NAME / "mine.txt"
    mine.write_bytes(b"mine")
    with pytest.raises(ExportRefused, match=r"mine\.txt"):
        export_package(archive, fewer)
    assert mine.read_bytes() == b"mine"
    mine.unlink()
    export_package(archive, fewer)
    assert set(held(out)) < old and (out / f"{NAME}.manifest.json").exists()


def test_where_no_call_settles_all_files_each_is_settled_by_itself(
    archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, which has no `os.sync`."""
    store(archive, note(1), note(2), note(3))
    settled: list[int] = []
    really = os.fsync
    monkeypatch.setattr(os, "fsync", lambda number: (settled.append(os.fstat(number).st_size), really(number))[1])
    monkeypatch.delattr(os, "sync", raising=False)
    export(archive, out)
    sizes = sorted(len(data) for name, data in held(out).items() if name.endswith(".xml"))
    assert len(sizes) == 3 and all(settled.count(size) >= sizes.count(size) for size in sizes)
