"""File import: everything that comes is counted, kept and explained; nothing hostile gets through."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import struct
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from confere.archive.accounts import audit, runs
from confere.archive.documents import details, documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.errors import EnvironmentFault
from confere.intake.files import file_sources
from confere.intake.files.file_import import ImportResult, import_files
from confere.intake.isolated_reading import LARGE, Received
from confere.system.processes.cancellation import Stop
from tests.archive.papers import cancellation, key, note
from tests.hostile.files import FOLDERS, ZIPS, remove
from tests.samples.folder import packaged, signed_samples, written
from tests.system.processes.killed_children import Killer


def zipped(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as target:
        for name, data in members.items():
            target.writestr(name, data)
    return buffer.getvalue()


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def bring_in(archive: Archive, *paths: Path) -> ImportResult:
    result = import_files(archive, list(paths))
    assert result.files == result.recorded + result.duplicates + result.unreadable
    return result


def kept(archive: Archive, data: bytes) -> bool:
    with archive.reading() as transaction:
        content_id, _ = documents.of_digest(transaction, hashlib.sha256(data).digest())
    return content_id is not None and archive.content(content_id) == data


def test_a_folder_with_everything(archive: Archive, tmp_path: Path) -> None:
    lot = (
        b'<enviNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">'
        + b"".join(note(i, cstat=None).split(b'versao="4.00">', 1)[1].removesuffix(b"</nfeProc>") for i in (30, 31, 32))
        + b"</enviNFe>"
    )
    folder = write(
        tmp_path / "in",
        {
            "a.xml": note(1),
            "sub/dir com espaço/b.XML": note(2),
            "sub/again.xml": note(1),
            "event.xml": cancellation(1),
            "lot.xml": lot,
            "other.xml": b"<retConsStatServ><cStat>107</cStat></retConsStatServ>",
            "broken.xml": note(9)[:-40],
            "empty.xml": b"",
            "readme.txt": b"nothing fiscal",
            "planilha.xlsx": zipped({"xl/a.xml": b"<x/>"}),
            "all.zip": zipped(
                {"c.xml": note(3), "in/inner.zip": zipped({"d.xml": note(4), "x.txt": b"?"}), "y.pdf": b"?"}
            ),
        },
    )
    result = bring_in(archive, folder)
    assert result.counts() | {"seconds": 0} == {
        "files": 10,
        "recorded": 7,
        "duplicates": 1,
        "unreadable": 2,
        "ignored": 4,
        "documents": 8,
        "events": 1,
        "seconds": 0,
    }
    assert {Path(problem.source).name for problem in result.problems} == {"broken.xml", "empty.xml"}
    with archive.reading() as transaction:
        assert documents.summary(transaction, DocumentQuery(types=("nfe",))).count == 7
        assert documents.summary(transaction, DocumentQuery(types=("other",))).count == 1
        unreadable = details.unreadable(transaction)
    assert {entry.size for entry in unreadable} == {0, len(note(9)) - 40}
    assert kept(archive, note(9)[:-40])

    again = bring_in(archive, folder)
    assert (again.recorded, again.duplicates, again.unreadable) == (0, 8, 2)


def test_a_duplicate_keeps_every_place_it_came_from(archive: Archive, tmp_path: Path) -> None:
    folder = write(tmp_path, {"one.xml": note(1), "two.xml": note(1)})
    bring_in(archive, folder / "one.xml")
    bring_in(archive, folder / "two.xml")
    with archive.reading() as transaction:
        (names,) = details.sources(transaction, [1]).values()
    assert names == (str(folder / "one.xml"), str(folder / "two.xml"))


@pytest.mark.parametrize(
    "name",
    [
        "../../evil.xml",
        "/etc/evil.xml",
        "C:\\evil.xml",
        "..\\..\\evil.xml",
        "\\\\server\\share\\evil.xml",
        "a/../../b.xml",
    ],
)
def test_a_member_whose_name_leaves_the_zip_is_refused_and_kept(archive: Archive, tmp_path: Path, name: str) -> None:
    write(tmp_path, {"tricky.zip": zipped({name: note(1), "good.xml": note(2)})})
    before = sorted(tmp_path.rglob("*.xml"))
    result = bring_in(archive, tmp_path / "tricky.zip")
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "leave" in str(result.problems[0].reason)
    assert "tricky.zip" in str(result.problems[0].reason)
    assert kept(archive, note(1))
    with archive.reading() as transaction:
        assert documents.summary(transaction, DocumentQuery()).count == 1
    assert sorted(tmp_path.rglob("*.xml")) == before


def test_a_zip_bomb_is_refused_without_being_unpacked(archive: Archive, tmp_path: Path) -> None:
    bomb = zipped({"bomb.xml": b"<a>" + b" " * 50_000_000 + b"</a>", "good.xml": note(1)})
    assert len(bomb) < 60_000
    write(tmp_path, {"bomb.zip": bomb})
    result = bring_in(archive, tmp_path / "bomb.zip")
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "bomb" in str(result.problems[0].reason)


def test_a_zip_that_lies_about_its_sizes_gives_no_more_than_it_promised(archive: Archive, tmp_path: Path) -> None:
    data = bytearray(zipped({"liar.xml": b"<a>" + b"x" * 5_000_000 + b"</a>"}))
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(signature)
        data[at + offset : at + offset + 4] = struct.pack("<I", 100)
    write(tmp_path, {"liar.zip": bytes(data)})
    result = bring_in(archive, tmp_path / "liar.zip")
    assert (result.recorded, result.unreadable) == (0, 1)


def test_zips_within_zips_end_somewhere(archive: Archive, tmp_path: Path) -> None:
    data = zipped({"deep.xml": note(1)})
    for _ in range(file_sources.DEEPEST_NESTING + 3):
        data = zipped({"in.zip": data})
    write(tmp_path, {"deep.zip": data})
    result = bring_in(archive, tmp_path / "deep.zip")
    assert (result.files, result.unreadable) == (1, 1)
    assert "deep" in str(result.problems[0].reason)


def test_one_allowance_holds_for_all_levels_of_a_zip(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_sources, "LARGEST_ZIP_CONTENT", len(note(1)) * 3)
    members = {f"{i}.zip": zipped({"a.xml": note(i), "b.xml": note(100 + i)}) for i in range(1, 4)}
    write(tmp_path, {"wide.zip": zipped(members)})
    result = bring_in(archive, tmp_path / "wide.zip")
    assert 0 < result.recorded < 6
    assert result.unreadable


@pytest.mark.parametrize("data", [b"PK\x03\x04 cut short", b"", zipped({"a.xml": note(1)})[:-30]])
def test_a_broken_zip_is_kept_and_named(archive: Archive, tmp_path: Path, data: bytes) -> None:
    write(tmp_path, {"broken.zip": data})
    result = bring_in(archive, tmp_path / "broken.zip")
    assert (result.files, result.unreadable) == (1, 1)
    assert "broken.zip" in str(result.problems[0].reason)
    assert kept(archive, data)


def test_an_encrypted_member_is_named(archive: Archive, tmp_path: Path) -> None:
    data = bytearray(zipped({"secret.xml": note(1)}))
    for signature, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.find(signature) + offset] |= 1
    write(tmp_path, {"locked.zip": bytes(data)})
    result = bring_in(archive, tmp_path / "locked.zip")
    assert result.unreadable == 1
    assert "secret.xml" in str(result.problems[0].reason)


HOSTILE = {
    "entities": b'<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><a>&y;</a>',
    "external": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "deep": b"<a>" * 100_000 + b"</a>" * 100_000,
    "html": b"<!DOCTYPE html><html><body>Em manuten\xc3\xa7\xc3\xa3o</body></html>",
    "zeros": b"\0" * 5000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_xml_is_kept_unread_with_a_sentence(archive: Archive, tmp_path: Path, name: str) -> None:
    write(tmp_path, {f"{name}.xml": HOSTILE[name], "good.xml": note(1)})
    result = bring_in(archive, tmp_path)
    assert (result.recorded, result.unreadable) == (1, 1)
    assert str(result.problems[0].reason)
    assert kept(archive, HOSTILE[name])
    with archive.reading() as transaction:
        (entry,) = details.unreadable(transaction)
    assert entry.sources == (str(tmp_path / f"{name}.xml"),)


def test_a_file_of_200_megabytes_is_told_not_read(archive: Archive, tmp_path: Path) -> None:
    huge = tmp_path / "huge.xml"
    with huge.open("wb") as file:
        file.write(b"<a>")
        file.truncate(file_sources.LARGEST_FILE + 1)
    write(tmp_path, {"good.xml": note(1)})
    result = bring_in(archive, tmp_path / "huge.xml", tmp_path / "good.xml")
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "huge.xml" in str(result.problems[0].reason)


def test_a_path_that_is_not_there_is_named_and_what_came_before_is_kept(archive: Archive, tmp_path: Path) -> None:
    write(tmp_path, {"good.xml": note(1)})
    with pytest.raises(EnvironmentFault) as caught:
        import_files(archive, [tmp_path / "good.xml", tmp_path / "nowhere"])
    assert "nowhere" in str(caught.value)
    assert kept(archive, note(1))
    with archive.reading() as transaction:
        (run,) = runs.newest(transaction)
    assert (run.outcome, run.counts["recorded"]) == ("failed", 1)


def test_stopping_keeps_what_was_recorded(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("confere.intake.files.file_import.BATCH_COUNT", 5)
    write(tmp_path, {f"{i:03}.xml": note(i) for i in range(1, 60)})
    stop = Stop()

    class StopSoon:
        def progress(self, progress: object) -> None:
            stop.set()

        def note(self, note: object) -> None:
            """Nothing is noted here."""

    monkeypatch.setattr("confere.system.progress.Meter.advance", lambda self, *_, **__: stop.set())
    result = import_files(archive, [tmp_path], reporter=StopSoon(), stop=stop)
    assert result.stopped
    assert 0 < result.recorded < 59
    rest = bring_in(archive, tmp_path)
    assert rest.recorded == 59 - result.recorded


UNTOLD = "nota-\udce7.xml"  # on Linux a name in Latin-1, on Windows one half of a pair


def test_names_that_are_not_utf_8_are_written_out(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(paths: Sequence[Path]) -> Iterator[file_sources.Found]:
        yield from file_sources._file(paths[0])

    # Not every file system lets such a name be made.
    monkeypatch.setattr(file_sources, "find", find)
    monkeypatch.setattr(file_sources, "special_kind", lambda path: None)
    monkeypatch.setattr(file_sources, "open_regular", lambda path: io.BytesIO(note(1)))
    result = bring_in(archive, tmp_path / UNTOLD)
    assert (result.recorded, result.unreadable) == (1, 0)
    with archive.reading() as transaction:
        (names,) = details.sources(transaction, [1]).values()
        (line,) = audit.lines(transaction)
        (run,) = runs.newest(transaction)
    told = str(tmp_path / "nota-\\udce7.xml")
    assert names == (told,)
    assert line.subject == told
    assert run.parameters == {"paths": [told]}


if sys.platform == "linux":

    def test_a_folder_with_names_in_another_encoding(archive: Archive, tmp_path: Path) -> None:
        folder = write(
            tmp_path / "in", {"a.xml": note(1), UNTOLD: note(2), "\udce3.zip": b"PK no zip", "b.xml": note(3)}
        )
        result = bring_in(archive, folder)
        assert (result.recorded, result.unreadable) == (3, 1)
        assert "\\udce3.zip" in str(result.problems[0].reason)
        with archive.reading() as transaction:
            (entry,) = details.unreadable(transaction)
        assert "\\udce3.zip is not a whole ZIP" in str(entry.problem)


def test_a_path_that_is_not_there_may_have_any_name(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="no file or folder"):
        import_files(archive, [tmp_path / UNTOLD])
    with archive.reading() as transaction:
        (run,) = runs.newest(transaction)
    assert run.outcome == "failed"
    assert "udce7" in (run.problem or "")


def newer_zip() -> bytes:
    """A whole ZIP that says it needs version 9.9 to unpack."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        # A moment of its own: the clock's could write the mark of the directory, or "9.9", by chance.
        target.writestr(zipfile.ZipInfo("a.xml", date_time=(2026, 1, 2, 3, 4, 6)), note(1))
    data = bytearray(buffer.getvalue())
    at = data.rfind(b"PK\x01\x02") + 6
    data[at : at + 2] = struct.pack("<H", 99)
    return bytes(data)


def test_a_zip_of_a_newer_kind_is_kept_and_named(archive: Archive, tmp_path: Path) -> None:
    newer = newer_zip()
    write(tmp_path, {"new.zip": newer, "z.xml": note(3)})
    result = bring_in(archive, tmp_path)
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "packed in a way that Confere does not know" in str(result.problems[0].reason)
    assert kept(archive, newer)


def damaged(method: int, start: int, length: int) -> bytes:
    """A ZIP whose member's packed bytes are overwritten; the directory at its end is whole."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as target:
        target.writestr("a.xml", note(1) * 5)
    data = bytearray(buffer.getvalue())
    at = 30 + len("a.xml") + start
    data[at : at + length] = b"\xff" * length
    return bytes(data)


@pytest.mark.parametrize("start", [0, 2, 4, 9, 40])
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_member_is_named_and_the_rest_comes_in(
    archive: Archive, tmp_path: Path, method: int, start: int
) -> None:
    write(tmp_path, {"l.zip": damaged(method, start, 9), "z.xml": note(3)})
    result = bring_in(archive, tmp_path)
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "a.xml cannot be unpacked: " in str(result.problems[0].reason)
    assert not str(result.problems[0].reason).endswith(": .")


def test_a_member_whose_own_header_is_not_utf_8_is_named(archive: Archive, tmp_path: Path) -> None:
    data = bytearray(zipped({"é.xml": note(1)}))
    data[30] = 0xFF
    write(tmp_path, {"n.zip": bytes(data), "z.xml": note(3)})
    result = bring_in(archive, tmp_path)
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "é.xml cannot be unpacked" in str(result.problems[0].reason)


def test_what_waits_is_kept_whatever_ends_the_search(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(paths: Sequence[Path]) -> Iterator[file_sources.Found]:
        yield Received(note(1), "one")
        yield Received(note(2), "two")
        raise KeyboardInterrupt

    monkeypatch.setattr(file_sources, "find", find)
    with pytest.raises(KeyboardInterrupt):
        import_files(archive, [tmp_path])
    assert kept(archive, note(1))
    assert kept(archive, note(2))


def test_a_batch_that_cannot_be_recorded_is_not_tried_twice(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record(_archive: Archive, _run: int, batch: Sequence[Received], **_: object) -> list[object]:
        tried.append(len(batch))
        raise RuntimeError

    tried: list[int] = []
    monkeypatch.setattr("confere.intake.files.file_import.BATCH_COUNT", 2)
    monkeypatch.setattr("confere.intake.files.file_import.record", record)
    write(tmp_path, {f"{i}.xml": note(i) for i in range(1, 4)})
    with pytest.raises(RuntimeError):
        import_files(archive, [tmp_path])
    assert tried == [2]


def test_a_folder_that_is_closed_is_named(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scandir(path: str) -> object:
        if Path(path).name.startswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return look(path)

    look = os.scandir
    monkeypatch.setattr(os, "scandir", scandir)  # a real lock would be open to an administrator
    write(tmp_path, {"a.xml": note(1), "closed1/b.xml": note(2), "open/c.xml": note(3), "z/closed2/d.xml": note(4)})
    result = bring_in(archive, tmp_path)
    assert (result.recorded, result.unreadable) == (2, 2)
    assert [problem.source for problem in result.problems] == [
        str(tmp_path / "closed1"),
        str(tmp_path / "z" / "closed2"),
    ]
    assert "the system does not allow it" in str(result.problems[0].reason)
    assert bring_in(archive, tmp_path / "closed1").unreadable == 1


def test_a_path_that_cannot_be_looked_at_is_named(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_dir(self: Path) -> bool:
        if self.name == "hidden":
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return look(self)

    look = Path.is_dir
    write(tmp_path, {"good.xml": note(1)})
    monkeypatch.setattr(Path, "is_dir", is_dir)
    result = bring_in(archive, tmp_path / "hidden", tmp_path / "good.xml")
    assert (result.recorded, result.unreadable) == (1, 1)
    assert "hidden" in str(result.problems[0].reason)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no FIFO files")
def test_what_is_no_ordinary_file_is_told_by_its_kind_and_does_not_hang(archive: Archive, tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"good.xml": note(1)})
    os.mkfifo(folder / "pipe.xml")
    os.mkfifo(folder / "pipe")
    (folder / "zero.xml").symlink_to("/dev/zero")
    (folder / "gone.xml").symlink_to(folder / "nowhere")
    (folder / "round.xml").symlink_to(folder / "round.xml")
    (folder / "up").symlink_to(tmp_path)
    result = bring_in(archive, folder)
    assert (result.recorded, result.ignored, result.unreadable) == (1, 1, 5)
    told = {Path(problem.source).name: str(problem.reason) for problem in result.problems}
    assert "is a pipe" in told["pipe.xml"]
    assert "is a device" in told["zero.xml"]
    assert "leads nowhere" in told["gone.xml"]
    assert "leads nowhere" in told["round.xml"]
    assert "link to a folder" in told["up"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_followed_inside_the_folder_only(archive: Archive, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.xml": note(2), "more.txt": b"x"})
    folder = write(tmp_path / "in", {"good.xml": note(1), "under/other.xml": note(3)})
    (folder / "secret.xml").symlink_to(outside / "secret.xml")
    (folder / "under" / "relative.xml").symlink_to("../../outside/secret.xml")
    (folder / "more.txt").symlink_to(outside / "more.txt")
    (folder / "same.xml").symlink_to(folder / "under" / "other.xml")
    result = bring_in(archive, folder)
    assert (result.recorded, result.duplicates, result.ignored, result.unreadable) == (2, 1, 1, 2)
    assert all("leads out of the folder" in str(problem.reason) for problem in result.problems)
    assert bring_in(archive, folder / "secret.xml").recorded == 1  # named by a person: meant


@pytest.mark.skipif(sys.platform == "win32", reason="shorter paths")
def test_folders_as_deep_as_a_path_can_be_are_walked_and_deeper_ones_told(archive: Archive, tmp_path: Path) -> None:
    for name, recorded in (("deep folders", 1), ("folders beyond a path", 0)):
        folder = tmp_path / name
        folder.mkdir()
        FOLDERS[name](folder)
        result = bring_in(archive, folder)
        assert (result.recorded, result.unreadable) == (recorded, 1 - recorded)
        remove(folder)


def test_a_zip_whose_members_lie_over_each_other_is_kept_whole(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(ZIPS["ZIP of members that overlap"](1_000_000))
    result = bring_in(archive, tmp_path / "a.zip")
    assert (result.files, result.unreadable) == (1, 1)
    assert "lie over each other" in str(result.problems[0].reason)
    assert len(archive.content(1)) == (tmp_path / "a.zip").stat().st_size


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no FIFO files")
def test_a_device_or_a_pipe_that_is_named_is_told_by_its_kind(archive: Archive, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    for path, kind in ((tmp_path / "pipe", "pipe"), (Path("/dev/zero"), "device"), (tmp_path / "round", "nowhere")):
        result = bring_in(archive, path)
        assert result.unreadable == 1
        assert kind in str(result.problems[0].reason)


def test_a_zip_with_endless_members_is_refused_before_they_are_listed(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = zipped({f"{number}.xml": b"<a/>" for number in range(300)})
    (tmp_path / "many.zip").write_bytes(many)
    monkeypatch.setattr(file_sources, "LARGEST_DIRECTORY", 10_000)
    result = bring_in(archive, tmp_path / "many.zip")
    assert (result.recorded, result.unreadable) == (0, 1)
    assert "more members" in str(result.problems[0].reason)


def test_zips_in_zips_share_the_memory_of_one_file(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = zipped({"a.xml": note(1), "large.xml": note(2) + b" " * 50_000}, zipfile.ZIP_STORED)
    (tmp_path / "outer.zip").write_bytes(zipped({"inner.zip": inner, "b.xml": note(3)}))
    monkeypatch.setattr(file_sources, "LARGEST_FILE", 100_000)
    assert bring_in(archive, tmp_path / "outer.zip").recorded == 2  # the large one has no room beside its ZIP
    monkeypatch.setattr(file_sources, "LARGEST_FILE", 200_000)
    assert bring_in(archive, tmp_path / "outer.zip").recorded == 1


def test_files_of_every_layout_come_in_and_back(archive: Archive, tmp_path: Path) -> None:
    files = (*written(), *signed_samples(), *packaged())
    for sample in files:
        path = tmp_path / sample.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sample.data)
    result = bring_in(archive, tmp_path)
    assert result.files == len(files) > 130
    assert result.unreadable == 0
    for sample in files:
        assert kept(archive, sample.data), sample.name


def test_an_event_and_its_note_meet(archive: Archive, tmp_path: Path) -> None:
    write(tmp_path, {"a-event.xml": cancellation(5), "b-note.xml": note(5)})
    bring_in(archive, tmp_path)
    with archive.reading() as transaction:
        (row,) = documents.walk(transaction, DocumentQuery(access_key=key(5)))
    assert row.state == "cancelled"


def test_a_large_file_whose_reading_was_killed_is_read_all_the_same(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed once it is read again at once; killed each time it is set aside, until somebody brings it again."""
    first, second = tmp_path / "first.xml", tmp_path / "second.xml"
    first.write_bytes(note(1, padding=" " * LARGE))
    second.write_bytes(note(2, padding=" " * LARGE))
    killer = Killer(monkeypatch, 1)
    assert bring_in(archive, first).counts()["recorded"] == 1
    assert killer.begun == 2
    killer.begun, killer.kills = 0, 3
    result = bring_in(archive, second)
    assert (result.recorded, result.unreadable, result.tried_again) == (0, 1, 0)
    assert "set aside" in str(result.problems[0].reason)
    killer.begun, killer.kills = 0, 0
    result = bring_in(archive, second)
    assert (result.recorded, result.unreadable, result.tried_again, killer.begun) == (1, 0, 1, 1)
    assert bring_in(archive, second).duplicates == 1
    with archive.reading() as transaction:
        assert set(transaction.column("SELECT access_key FROM document")) == {key(1), key(2)}
