"""Authenticity in bulk and alone: every paper judged once, in its own world, killed, stopped, by other certificates."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.authenticity import account_roots, verify, verify_plan
from confere.app.context import Workspace
from confere.app.documents import browse, import_files
from confere.app.documents.browse import DocumentQuery
from confere.app.sandbox import demo
from confere.app.sandbox.sandbox import SandboxChoice
from confere.archive.accounts import accounts
from confere.archive.authenticity import account_roots as archived_account_roots
from confere.archive.documents import details
from confere.errors import ArchiveError, Message, UsageFault
from confere.fiscal.authenticity.verdict import Check, Result
from confere.system.processes.cancellation import Stop
from confere.system.progress import Progress
from tests.app.sandboxed import DOCUMENTS, SEED, copied, dump, files_of, synced
from tests.archive.older import made_older


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synced(tmp_path_factory)


@pytest.fixture
def workspace(world: Path, tmp_path: Path) -> Workspace:
    return copied(world, tmp_path / "home")


class Stopping:
    """A reporter that asks to stop once some are done."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.told: list[tuple[int, int | None]] = []

    def progress(self, progress: Progress) -> None:
        self.told.append((progress.done, progress.total))
        self._stop.set()

    def note(self, note: Message) -> None:
        """Ignore it."""


def judged_events(workspace: Workspace) -> int:
    """How many events have a verdict that is kept."""
    return sum(kind == 1 for _, kind, *_ in dump(workspace.home.root, "verdict")["verdict"])


def test_all_that_a_sandbox_delivers_is_authentic_in_its_world(workspace: Workspace) -> None:
    before = judged_events(workspace)
    summary = verify.verify(workspace)
    assert (summary.documents.ok, summary.documents.all, summary.none) == (DOCUMENTS, DOCUMENTS, 0)
    assert summary.judged.ok == DOCUMENTS
    assert summary.events.ok == summary.events.all > 0
    assert before > 0  # those that a state depends on, as soon as they came
    again = verify.verify(workspace)
    assert (again.judged.all, again.documents.ok) == (0, DOCUMENTS)
    assert verify.verify(workspace, again=True).judged.all == DOCUMENTS
    found = list(verify.stored(workspace))
    assert len(found) == DOCUMENTS
    assert sum(len(entry.events) for entry in found) == before + summary.events.all
    assert all(entry.document.verdict.line(Check.CHAIN).result is Result.OK for entry in found)


def test_worker_processes_find_the_same(world: Path, tmp_path: Path) -> None:
    dumps = []
    for workers in (0, 2):
        workspace = copied(world, tmp_path / str(workers))
        with workspace.writing("test") as archive:
            summary = verify.verify_archive(archive, workspace.home, workers=workers)
        assert summary.judged.ok == DOCUMENTS
        dumps.append(dump(workspace.home.root, "verdict", "document", "why"))
    assert dumps[0] == dumps[1]


def test_the_same_papers_from_files_are_no_sandboxs(workspace: Workspace, tmp_path: Path) -> None:
    files = files_of(workspace, tmp_path / "files")
    other = Workspace.at(tmp_path / "other")
    import_files.import_paths(other, [tmp_path / "files"])
    before = judged_events(other)
    summary = verify.verify(other)
    assert summary.documents.failed == DOCUMENTS
    assert len(files) == before + summary.judged.all + summary.events.all
    (one, *_) = verify.failed(other)
    assert one.document.verdict.line(Check.ENVIRONMENT).result is Result.TEST
    assert one.row.verdict == "failed"


def test_one_changed_letter_fails(workspace: Workspace, tmp_path: Path) -> None:
    row = next(iter(browse.find(workspace, DocumentQuery(types=("nfe",), states=("authorized",)), 1).documents))
    data = browse.xml(workspace, row.sha256)
    changed = data.replace(b"<xNome>", b"<xNome>X", 1)
    (tmp_path / "changed.xml").write_bytes(changed)
    import_files.import_paths(workspace, [tmp_path / "changed.xml"])
    with workspace.writing("test") as archive, archive.writing() as transaction:
        # As if the hub had delivered it so.
        transaction.execute(
            "INSERT INTO download (account_id, hub_document_id, item_id, state, content_id) SELECT account_id,"
            " hub_document_id, 'changed', 'done', (SELECT max(id) FROM content) FROM download WHERE content_id = ?",
            (row.content_id,),
        )
    assert verify.verify(workspace).judged.failed == 1
    (found,) = verify.failed(_with_the_newest_shown(workspace))
    assert found.document.verdict.line(Check.DIGEST).result is Result.FAILED


def test_an_event_that_failed_is_told_of_whenever_it_is_asked(workspace: Workspace) -> None:
    verify.verify(workspace)
    assert verify.failed(workspace) == ()
    row = browse.find(workspace, DocumentQuery(states=("cancelled",)), 1).documents[0]
    other = browse.find(workspace, DocumentQuery(states=("authorized",)), 1).documents[0]
    with workspace.writing("test") as archive, archive.writing() as transaction:
        # As if another letter of its event had been judged so.
        transaction.execute(
            "UPDATE verdict SET result = 2 WHERE kind = 1 AND content_id ="
            " (SELECT content_id FROM event WHERE access_key = ? AND is_current = 1)",
            (row.access_key,),
        )
    for query in (None, DocumentQuery(states=("cancelled",))):
        summary = verify.verify(workspace, query=query)
        assert (summary.failing_events, summary.documents.failed, summary.events.failed) == (1, 0, 0)
        assert [entry.row.id for entry in verify.failed(workspace, query)] == [row.id]
    elsewhere = DocumentQuery(access_key=other.access_key or "")
    assert verify.verify(workspace, query=elsewhere).failing_events == 0
    assert verify.failed(workspace, elsewhere) == ()


def _with_the_newest_shown(workspace: Workspace) -> Workspace:
    """Lists show one version of a key: let it be the one that came last."""
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute(
            "UPDATE document SET is_current = (content_id = (SELECT max(id) FROM content)) WHERE access_key ="
            " (SELECT access_key FROM document ORDER BY content_id DESC LIMIT 1)"
        )
    return workspace


def test_only_what_a_query_asks_for_is_judged_with_its_events(workspace: Workspace) -> None:
    query = DocumentQuery(states=("cancelled",))
    count = browse.find(workspace, query).total
    summary = verify.verify(workspace, query=query)
    assert (summary.judged.all, summary.documents.ok) == (count, count)
    assert judged_events(workspace) >= count
    assert browse.find(workspace, DocumentQuery(verdict=("none",))).total == DOCUMENTS - count
    assert {entry.row.state for entry in verify.stored(workspace)} == {"cancelled"}


def test_other_certificates_ask_anew(workspace: Workspace) -> None:
    assert verify.verify(workspace).judged.ok == DOCUMENTS
    with workspace.writing("test") as archive, archive.writing() as transaction:
        account = accounts.named(transaction, "world")
        (root,) = archived_account_roots.of(transaction, account.id)
        archived_account_roots.remove(transaction, account, root.certificate)
    without = verify.verify(workspace)
    assert without.judged.all == DOCUMENTS
    assert without.judged.ok == without.documents.ok == 0
    with workspace.writing("test") as archive, archive.writing() as transaction:
        archived_account_roots.add(transaction, account, root.certificate, root.name)
    assert verify.verify(workspace).judged.ok == DOCUMENTS


@pytest.mark.exhaustive
def test_a_demo_of_an_older_release_is_not_called_forged(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    demo.run(workspace, SandboxChoice(documents=60, seed=SEED, anomalies="none"))
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("DELETE FROM account_root")
    summary = verify.verify(workspace)
    assert (summary.judged.all, summary.documents.ok) == (0, summary.documents.all)
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("DELETE FROM account_root")
    made_older(workspace.home.archive, "0002")
    summary = verify.verify(workspace)
    assert summary.judged.all == summary.documents.ok == summary.documents.all >= 60


def test_stopped_it_keeps_what_was_judged_and_goes_on(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_plan, "TASK", 10)
    monkeypatch.setattr("confere.system.progress.Meter.advance", lambda self, steps=1, **_: self.finish())
    stop = Stop()
    reporter = Stopping(stop)
    first = verify.verify(workspace, reporter=reporter, stop=stop)
    assert first.stopped
    assert 0 < first.judged.all + first.events.all <= 10
    second = verify.verify(workspace)
    assert not second.stopped
    assert first.judged.all + second.judged.all == DOCUMENTS
    with workspace.reading() as archive, archive.reading() as transaction:
        outcomes = transaction.fetch("SELECT outcome FROM run WHERE kind = 'verify' ORDER BY id")
    assert outcomes == [("stopped",), ("done",)]


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from confere.app.authenticity import verify_plan, verify
    from confere.app.context import Workspace

    if __name__ == "__main__":
        verify_plan.TASK = verify._WRITE = 10
        write, written = verify._write, []
        def counted(*given):
            write(*given)
            written.append(1)
            if len(written) == 3:
                os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        verify._write = counted
        workspace = Workspace.at(sys.argv[1])
        with workspace.writing("verify") as archive:
            verify.verify_archive(archive, workspace.home, workers=2)
    """
)


@pytest.mark.exhaustive
def test_killed_in_its_middle_it_ends_the_same(world: Path, workspace: Workspace, tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    calm = copied(world, tmp_path / "calm")
    verify.verify(calm)
    for _ in range(2):
        done = subprocess.run([sys.executable, str(script), str(workspace.home.root)], check=False)
        assert done.returncode != 0
    kept = len(dump(workspace.home.root, "verdict")["verdict"])
    assert 60 <= kept < len(dump(calm.home.root, "verdict")["verdict"])
    verify.verify(workspace)
    tables = ("verdict", "document")
    assert dump(workspace.home.root, *tables) == dump(calm.home.root, *tables)


def test_damaged_contents_are_told_and_the_rest_is_judged(workspace: Workspace) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute(
            "UPDATE content SET digest = zeroblob(32) WHERE id = (SELECT min(content_id) FROM document)"
        )
    summary = verify.verify(workspace)
    assert summary.damaged == 1
    assert summary.judged.ok == DOCUMENTS - 1
    assert summary.none == 1


def test_one_paper_alone_is_judged_with_its_events_and_nothing_is_written(workspace: Workspace) -> None:
    row = browse.find(workspace, DocumentQuery(states=("cancelled",)), 1).documents[0]
    before = dump(workspace.home.root, "verdict")
    opened = OpenArchive(workspace)
    full = browse.full(opened, row.id)
    found = verify.judge(opened, full)
    opened.close()
    assert [entry.judged.kind for entry in found] == ["document"] + ["event"] * len(full.events)
    assert {entry.sha256 for entry in found} == {row.sha256, *(event.sha256 for event in full.events)}
    assert all(entry.verdict.result is Result.OK for entry in found)
    assert found[0].verdict.line(Check.CHAIN).why is not None
    assert dump(workspace.home.root, "verdict") == before
    assert row.verdict is None


def test_a_kept_verdict_says_what_the_paper_alone_says(workspace: Workspace) -> None:
    verify.verify(workspace)
    opened = OpenArchive(workspace)
    for kept in list(verify.stored(workspace))[::7]:
        now = verify.judge(opened, browse.full(opened, kept.row.id))
        assert [entry.verdict.result for entry in now] == [
            entry.verdict.result for entry in (kept.document, *kept.events)
        ]
        lines = {line.check: line.result for line in kept.document.verdict.lines if line.check is not Check.SCHEMA}
        assert lines == {line.check: line.result for line in now[0].verdict.lines if line.check is not Check.SCHEMA}
    opened.close()


def test_the_digest_of_a_lot_calls_every_paper_in_it(workspace: Workspace, tmp_path: Path) -> None:
    rows = browse.find(workspace, DocumentQuery(types=("nfe",), states=("authorized",)), 2).documents
    cancelled = browse.find(workspace, DocumentQuery(types=("nfe",), states=("cancelled",)), 1).documents[0]
    with workspace.reading() as archive, archive.reading() as transaction:
        (happened,) = [entry for entry in details.events(transaction, [cancelled.access_key or ""]) if entry.is_current]
    papers = [browse.xml(workspace, digest) for digest in (rows[0].sha256, rows[1].sha256, happened.sha256)]
    papers[1] = papers[1].replace(b"<xNome>", b"<xNome>X", 1)
    lot = b"<lote>" + b"".join(paper.partition(b"?>")[2] or paper for paper in papers) + b"</lote>"
    (tmp_path / "lot.xml").write_bytes(lot)
    other = Workspace.at(tmp_path / "other")
    import_files.import_paths(other, [tmp_path / "lot.xml"])
    found = list(verify.judge_named(other, [hashlib.sha256(lot).hexdigest()]))
    assert [full.access_key for full, _ in found] == [rows[0].access_key, rows[1].access_key, cancelled.access_key]
    digests = [verdicts[0].verdict.line(Check.DIGEST).result for _, verdicts in found]
    assert digests == [Result.OK, Result.FAILED, Result.OK]


def test_what_is_no_fiscal_paper_has_no_verdict_and_does_not_wait(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "other.xml").write_bytes(b"<other>word</other>")
    import_files.import_paths(workspace, [tmp_path / "other.xml"])
    summary = verify.verify(workspace)
    assert summary.none == 0
    ((_, found),) = verify.judge_named(workspace, [str(_other(workspace))])
    assert found == ()
    assert verify.verify(workspace).judged.all == 0


def _other(workspace: Workspace) -> int:
    return browse.find(workspace, replace(DocumentQuery(), types=("other",))).documents[0].id


def test_only_a_sandbox_has_an_authority_of_its_own(workspace: Workspace, tmp_path: Path) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        accounts.add(transaction, name="real", environment="production", address="x", platform="x")
        play = accounts.add(transaction, name="play", environment="sandbox", address="x", platform="x")
        (root,) = archived_account_roots.of(transaction, accounts.named(transaction, "world").id)
    pem = tmp_path / "root.pem"
    pem.write_bytes(root.certificate)
    with pytest.raises(UsageFault, match="ICP-Brasil alone"):
        account_roots.trust(workspace, "real", [pem])
    (trusted,) = account_roots.trust(workspace, "play", [pem])
    assert trusted.new
    assert any("Confere Sandbox" in name for name in trusted.names)
    assert not account_roots.trust(workspace, "play", [pem])[0].new
    with workspace.reading() as archive, archive.reading() as transaction:
        assert [entry.certificate for entry in archived_account_roots.of(transaction, play.id)] == [root.certificate]
    (tmp_path / "none.pem").write_text("nothing", encoding="utf-8")
    for file in ("none.pem", "absent.pem"):
        with pytest.raises(UsageFault):
            account_roots.trust(workspace, "play", [tmp_path / file])


def test_while_it_is_judged_nobody_else_writes(workspace: Workspace) -> None:
    with workspace.writing("verify"), pytest.raises(ArchiveError, match="verify"):
        verify.verify(workspace)
