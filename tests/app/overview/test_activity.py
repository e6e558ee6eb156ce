"""Runs, failures, unreadable files and the audit trail, as the window shows them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.authenticity.verify import VerdictCounts, VerifySummary
from confere.app.context import Workspace
from confere.app.documents.import_files import import_paths
from confere.app.maintenance.reindex import ReindexSummary
from confere.app.overview import activity, activity_text
from confere.app.packages.export import ExportChoice, PackageOptions, export
from confere.archive.accounts import accounts, audit, runs
from confere.archive.hub import download_queue
from confere.archive.hub.download_queue import RequestedFiles
from confere.archive.lock import holder
from confere.errors import EnvironmentFault, ExportRefused, Message, NotInArchive
from confere.system import messages
from confere.system.messages import render
from tests.app.made import MONTH, account, fail, named_by_hub, synced, workspace_at
from tests.archive.papers import EMITTER, key, note

KILLED = (
    "import os, sys; from pathlib import Path\n"
    "from confere.archive.accounts import runs; from confere.archive.store import Archive\n"
    "archive = Archive.to_write(Path(sys.argv[1]), 'sync')\n"
    "with archive.writing() as transaction: runs.start(transaction, 'sync', None, {})\n"
    "print('begun', flush=True); sys.stdin.read(); os._exit(9)"
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_at(tmp_path / "home")


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    found = OpenArchive(workspace)
    yield found
    found.close()


def said(sentences: tuple[Message, ...]) -> list[str]:
    return [render(sentence) for sentence in sentences]


def test_where_nothing_is_nothing_happened(tmp_path: Path) -> None:
    opened = OpenArchive(Workspace.at(tmp_path / "none"))
    assert (
        activity.runs(opened)
        == activity.failures(opened)
        == activity.trail(opened)
        == activity.unreadable(opened)
        == ()
    )


def test_an_import_in_words(workspace: Workspace, opened: OpenArchive, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.xml").write_bytes(note(9))
    (folder / "b.xml").write_bytes(b"<broken")
    import_paths(workspace, [folder])
    (entry,) = activity.runs(opened)
    assert (entry.kind, entry.account, entry.outcome, entry.problem) == ("import", None, "partial", None)
    assert [(render(label), number) for label, number in entry.counts] == [
        ("Files", 2),
        ("Recorded", 1),
        ("Not readable", 1),
        ("Documents", 1),
    ]
    assert said(entry.parameters) == [f"From {folder}"]
    assert entry.finished_at is not None
    assert entry.seconds is not None and entry.seconds >= 0
    (broken,) = activity.unreadable(opened)
    assert (broken.size, len(broken.sha256)) == (7, 64)
    assert "b.xml" in broken.sources[0]
    (line,) = activity.trail(opened)
    assert (line.line.action, line.subject) == ("import", str(folder))


def test_an_export_in_words(workspace: Workspace, opened: OpenArchive) -> None:
    export(workspace, ExportChoice(PackageOptions(MONTH), EMITTER))
    with pytest.raises(ExportRefused):
        export(workspace, ExportChoice(PackageOptions(MONTH), EMITTER))
    failed, done = activity.runs(opened)
    assert done.bytes is not None and done.bytes > 1000
    assert ("Documents", 2) in [(render(label), number) for label, number in done.counts]
    assert said(done.parameters) == ["11.222.333/0001-81, October 2026", "with cancelled documents"]
    assert failed.outcome == "failed"
    assert failed.problem is not None
    before = messages._Choice.code
    try:
        english = render(failed.problem)
        messages.set_language("pt_BR")
        assert render(failed.problem) != english  # it is kept as a sentence, not as English text
    finally:
        messages._Choice.code = before


def test_a_failed_import_says_why(workspace: Workspace, opened: OpenArchive, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault) as caught:
        import_paths(workspace, [tmp_path / "gone {x}"])
    (entry,) = activity.runs(opened)
    assert entry.problem is not None
    assert render(entry.problem) == str(caught.value)


def test_a_note_of_an_older_release_is_shown_as_it_stands(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        runs.finish(transaction, runs.start(transaction, "sync", None, {}), "failed", {}, "It broke {here}.")
    assert render(activity.runs(opened)[0].problem or Message("")) == "It broke {here}."


def test_runs_by_pages_and_by_number(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
        numbers = [
            synced(archive, shop, listed=n, new=0, failed=0, seconds=1.5, date_filter="honoured") for n in (0, 5, 7)
        ]
        with archive.writing() as transaction:
            accounts.remove(transaction, "shop")
    assert [entry.id for entry in activity.runs(opened)] == numbers[::-1]
    first, second = activity.runs(opened, 2)
    assert (first.account, first.seconds) == ("shop", 1.5)  # also of an account that was removed
    assert [(render(label), number) for label, number in second.counts] == [("Documents listed", 5)]
    assert [entry.id for entry in activity.runs(opened, 2, before=second.id)] == numbers[:1]
    assert [(render(x), n) for x, n in activity.run(opened, numbers[0]).counts] == [("Documents listed", 0)]
    with pytest.raises(NotInArchive, match="99"):
        activity.run(opened, 99)


def test_what_a_check_and_a_rereading_counted_is_no_download(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        checked = runs.start(transaction, "verify", None, {})
        runs.finish(transaction, checked, "done", VerifySummary(documents=VerdictCounts(3, 0, 2), none=1).counts())
        reread = runs.start(transaction, "reindex", None, {})
        runs.finish(transaction, reread, "done", ReindexSummary(contents=7, unreadable=1).counts())
        audit.write(transaction, "verify", "archive")
        audit.write(transaction, "account add", "archive")
    told = {
        number: [(render(label), count) for label, count in activity.run(opened, number).counts]
        for number in (checked, reread)
    }
    assert told[checked] == [
        ("Checked now", 0),
        ("Documents", 6),
        ("Authentic", 3),
        ("Not authentic", 2),
        ("Not checked yet", 1),
    ]
    assert told[reread] == [("Files read again", 7), ("Not readable", 1)]
    before = messages._Choice.code
    try:
        messages.set_language("pt_BR")
        assert [entry.subject for entry in activity.trail(opened)][:2] == ["archive", "acervo"]
    finally:
        messages._Choice.code = before


def test_what_a_sync_was_asked_for() -> None:
    asked = {"narrowed": '{"marketplace": "Vitrine", "order": "9", "type": "nfe", "novel": 1}', "full": True}
    assert said(activity_text.parameters("sync", asked)) == [
        "Everything was listed again.",
        "Only marketplace Vitrine",
        "Only order 9",
        "Only documents of type nfe",
        "novel: 1",
    ]
    assert activity_text.parameters("sync", {"narrowed": "", "full": False}) == ()
    assert said(activity_text.parameters("sync", {"narrowed": "", "full": False, "only_failed": True})) == [
        "Only failed downloads were tried again."
    ]
    assert said(activity_text.parameters("sync", {"narrowed": "{broken"})) == ["{broken"]
    paths = activity_text.parameters("import", {"paths": [f"/in/{n}" for n in range(9)]})
    assert said(paths)[-1] == "and 4 more"
    assert said(activity_text.detail("sync", '{"order": "9"}')) == ["Only order 9"]
    assert said(activity_text.detail("export", "/out/x {1}.zip")) == ["/out/x {1}.zip"]
    assert activity_text.detail("sync", None) == ()


def test_a_run_that_was_killed_is_interrupted_and_one_at_work_runs(workspace: Workspace, opened: OpenArchive) -> None:
    path = workspace.home.archive
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None and child.stdin is not None
        assert child.stdout.readline() == "begun\n"
        (entry,) = activity.runs(opened)
        assert (entry.outcome, entry.finished_at) == ("running", None)
        assert entry.seconds is not None
        held = holder(path)
        assert held is not None
        assert (held.purpose, held.pid) == ("sync", child.pid)
        child.stdin.close()
        child.wait(30)
    assert Path(f"{path}.holder").exists()
    (entry,) = activity.runs(opened)
    assert (entry.outcome, entry.seconds) == ("interrupted", None)
    assert not Path(f"{path}.holder").exists()  # looked for once
    with workspace.writing("test") as archive:
        with archive.writing() as transaction:
            transaction.execute("UPDATE run SET started_at = '2026-01-01T00:00:00+00:00'")
        (entry,) = activity.runs(opened)
        assert entry.outcome == "interrupted"  # this process writes, and it is not its run
    assert holder(path) is None


def test_failed_downloads_of_every_account(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        for name in ("shop", "other"):
            one = account(archive, name)
            named_by_hub(archive, one, 50, items=(f"{name}-file", f"{name}-waits"))
            fail(archive, one, f"{name}-file")
        with archive.writing() as transaction:
            owner = transaction.scalar("SELECT max(hub_document_id) FROM download")
            download_queue.enqueue(transaction, one.id, [RequestedFiles(owner, (), "h50")])
        fail(archive, one, "h50")
    found = activity.failures(opened)
    assert [(entry.account, entry.download.item_id, entry.is_record) for entry in found] == [
        ("other", "other-file", False),
        ("other", "h50", True),
        ("shop", "shop-file", False),
    ]
    assert {entry.download.access_key for entry in found} == {key(50)}
    assert {(entry.download.attempts, render(entry.download.reason), entry.download.hub_id) for entry in found} == {
        (1, "The file at /v2/nfe/xml came empty.", "h50")
    }
    assert all(entry.tried_at is not None for entry in found)


def test_the_trail_names_a_company_and_its_month_as_people_write_them() -> None:
    assert activity_text.subject("export", "23656806000138 2026-10") == "23.656.806/0001-38 · October 2026"
    assert activity_text.subject("export", "S33KVDAL000147 2026-10") == "S3.3KV.DAL/0001-47 · October 2026"
    assert activity_text.subject("account add", "loja 2026") == "loja 2026"


def test_the_trail_by_pages(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        for name in ("a", "b", "c"):
            account(archive, name)
    first, second = activity.trail(opened, 2)
    assert [first.subject, second.subject] == ["c", "b"]
    assert said(first.details) == ["https://hub.example.com"]
    (rest,) = activity.trail(opened, 2, before=second.line.id)
    assert (rest.subject, rest.line.action) == ("a", "account add")
    assert rest.at.tzinfo is not None
