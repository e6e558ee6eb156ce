"""The use case: nothing is held while packages are written, and what was done is written down at the end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.ledger import ledger
from confere.app.packages import export
from confere.app.packages.export import ExportChoice, PackageOptions
from confere.archive import message_encoding
from confere.archive.accounts import runs
from confere.archive.store import Archive
from confere.errors import ArchiveLocked, ArchiveMissing, Cancelled, ExportRefused
from confere.export.package.package import export_package
from confere.system.processes.cancellation import Stop
from tests.export.made import COMPANY, MONTH, OTHER, event, key, note, store


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = Workspace.at(tmp_path / "home")
    with found.writing("test") as archive:
        store(archive, note(1), note(2, recipient=OTHER))
    return found


def choice(out: Path, *, replace: bool = False) -> ExportChoice:
    return ExportChoice(PackageOptions(MONTH, replace=replace), COMPANY, out)


def written(workspace: Workspace) -> list[tuple[str | None, object, str | None]]:
    with workspace.reading() as archive, archive.reading() as transaction:
        found = runs.newest(transaction)
        assert all(run.kind == "export" and run.finished_at for run in found)
        return [
            (run.outcome, run.counts.get("documents"), str(message_encoding.read(run.problem)) if run.problem else None)
            for run in found
        ]


def audited(workspace: Workspace) -> list[tuple[str, str, str]]:
    with sqlite3.connect(workspace.home.archive) as database:
        rows = database.execute("SELECT action, subject, detail FROM audit ORDER BY id").fetchall()
    database.close()
    return rows


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Archive]]:
    """Somebody who takes the write lock while a package is written, and keeps it."""
    holders: list[Archive] = []

    def writing(archive: Archive, *args: object) -> object:
        if not holders:
            holders.append(Archive.to_write(archive.path, "a sync"))
        return export_package(archive, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(export, "export_package", writing)
    yield holders
    for holder in holders:
        holder.close()


def test_a_package_is_written_down_when_it_is_done(
    workspace: Workspace, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "utc_now", lambda: "2026-10-31T12:00:00+00:00")  # when it began
    (package,) = export.export(workspace, choice(out))
    assert written(workspace) == [("done", 2, None)]
    with workspace.reading() as archive, archive.reading() as transaction:
        (run,) = runs.newest(transaction)
    assert run.started_at == "2026-10-31T12:00:00+00:00" and run.finished_at != run.started_at
    assert run.parameters == {"company": COMPANY, "month": MONTH, "profile": "with-cancellations"}
    assert audited(workspace) == [("export", f"{COMPANY} {MONTH}", str(package.path))]


def test_what_fails_and_what_is_stopped_is_written_down_too(workspace: Workspace, out: Path) -> None:
    export.export(workspace, choice(out))
    with pytest.raises(ExportRefused) as caught:
        export.export(workspace, choice(out))
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        export.export(workspace, choice(out, replace=True), stop=stop)
    assert written(workspace) == [("stopped", None, None), ("failed", None, str(caught.value)), ("done", 2, None)]
    assert len(audited(workspace)) == 1


def test_a_sync_can_begin_beside_an_export(
    workspace: Workspace, out: Path, beside: list[Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_WAIT_SECONDS", 0.1)
    (package,) = export.export(workspace, choice(out))
    assert len(beside) == 1 and package.path.is_file()
    assert written(workspace) == []
    with pytest.raises(ArchiveLocked, match="a sync"):
        workspace.writing("test")


def test_an_export_waits_for_the_end_of_a_short_writer(
    workspace: Workspace, out: Path, beside: list[Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Archive.to_write

    def taken(path: Path, purpose: str, *, wait_seconds: float = 0) -> Archive:
        if purpose == "export":
            assert wait_seconds > 1
            beside[0].close()
        return take(path, purpose, wait_seconds=wait_seconds)

    monkeypatch.setattr(Archive, "to_write", taken)
    export.export(workspace, choice(out))
    assert written(workspace) == [("done", 2, None)]


def test_the_ledger_stands_beside_a_package_and_an_earlier_one_is_replaced(workspace: Workspace, out: Path) -> None:
    (package,) = export.export(workspace, choice(out))
    beside = out / f"{COMPANY}-{MONTH}.xlsx"
    first = beside.read_bytes()
    beside.write_bytes(b"of another month")
    assert ledger.write_beside(workspace, "11.222.333/0001-81", MONTH, package.path) == beside
    assert beside.read_bytes() == first
    beside.unlink()
    export.export(workspace, replace(choice(out, replace=True), with_ledger=False))
    assert not beside.exists()


@pytest.mark.logs_problems
def test_a_package_whose_ledger_cannot_be_written_stands_and_says_so(workspace: Workspace, out: Path) -> None:
    (out / f"{COMPANY}-{MONTH}.xlsx").mkdir(parents=True)
    (package,) = export.export(workspace, choice(out))
    assert [(lack.kind, lack.count) for lack in package.contents.missing] == [("no_ledger", 1)]
    assert written(workspace) == [("partial", 2, None)]
    assert audited(workspace) == [("export", f"{COMPANY} {MONTH}", str(package.path))]


def test_a_package_stands_where_somebody_stops_the_ledger(
    workspace: Workspace, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = Stop()

    def stopped_after(*arguments: object) -> object:
        result = export_package(*arguments)  # type: ignore[arg-type]
        stop.set()
        return result

    monkeypatch.setattr(export, "export_package", stopped_after)
    with pytest.raises(Cancelled):
        export.export(workspace, choice(out), stop=stop)
    assert [outcome for outcome, _, _ in written(workspace)] == ["stopped"]
    ((_, subject, path),) = audited(workspace)
    assert subject == f"{COMPANY} {MONTH}" and Path(str(path)).is_file()
    assert not list(out.glob("*.xlsx"))


def test_a_month_of_events_alone_has_no_ledger(workspace: Workspace, out: Path) -> None:
    with workspace.writing("test") as archive:
        store(archive, event(key(1), day="2026-11-03"))
    (package,) = export.export(workspace, ExportChoice(PackageOptions("2026-11"), COMPANY, out))
    assert (package.contents.documents, package.contents.events, package.contents.missing) == (0, 1, ())
    assert not list(out.glob("*.xlsx"))


def test_every_company_has_a_line_of_its_own(workspace: Workspace, out: Path) -> None:
    with workspace.writing("test") as archive:
        store(archive, note(3, emitter=OTHER))
    packages = export.export(workspace, ExportChoice(PackageOptions(MONTH), target=out))
    assert [package.contents.company for package in packages] == [COMPANY, OTHER]
    assert [subject for _, subject, _ in audited(workspace)] == [f"{COMPANY} {MONTH}", f"{OTHER} {MONTH}"]
    assert len(written(workspace)) == 2


def test_an_export_makes_no_archive(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "none")
    with pytest.raises(ArchiveMissing):
        export.export(workspace, choice(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_nobody_may_write_to_is_handed_over(workspace: Workspace, out: Path) -> None:
    before = workspace.home.archive.read_bytes()
    log = workspace.home.archive.with_name("archive.sqlite3-wal")
    log.mkdir()  # neither SQLite nor Confere can make its file where a folder is
    lock = workspace.home.archive.with_name("archive.sqlite3.lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    (package,) = export.export(workspace, choice(out))
    assert package.contents.documents == 2
    assert workspace.home.archive.read_bytes() == before


def test_an_archive_that_is_open_already_takes_the_line_itself(workspace: Workspace) -> None:
    with workspace.writing("demo") as archive:
        package = export.export_month(workspace, archive, COMPANY, MONTH)
        with pytest.raises(ExportRefused):
            export.export_month(workspace, archive, COMPANY, MONTH)
        export.export_month(workspace, archive, COMPANY, MONTH, again=True)
    assert package.path.parent.is_relative_to(workspace.home.exports)
    assert [outcome for outcome, _, _ in written(workspace)] == ["done", "failed", "done"]
    with workspace.reading() as archive:
        export.export_month(workspace, archive, COMPANY, MONTH, again=True)
    assert len(written(workspace)) == 3
