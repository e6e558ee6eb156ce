"""Reading everything again ends in the archive that reading it at first gives: whole, spoiled, killed or stopped."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from confere.app.authenticity import verify
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.documents.search import search_language
from confere.app.maintenance import doctor, reindex
from confere.archive.accounts import audit, runs
from confere.archive.documents import reindex as archived_reindex
from confere.archive.documents.recorder import CLAIMED_BY_HUB, UNSPECIFIED, NewPaper, claim_relations, record
from confere.archive.read_connection import ReadConnection
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.errors import Message, message
from confere.fiscal.reading.document import read
from confere.intake import isolated_reading
from confere.intake.isolated_reading import Received
from confere.intake.recorder import record as record_received
from confere.system.processes.cancellation import Stop
from confere.system.progress import Progress
from tests.app.sandboxed import copied, dump, synced
from tests.archive.freights import freight, freight_event, freight_key
from tests.archive.listed import PLAIN, VOIDING
from tests.archive.papers import cancellation, key, note, store
from tests.breadth import some_of


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced archive with everything besides that makes reading again hard."""
    home = copied(synced(tmp_path_factory), tmp_path_factory.mktemp("world") / "home").home.root
    with Archive.to_write(home / "archive.sqlite3", "test") as archive:
        lot = b"<lote>" + note(21) + VOIDING + note(22) + cancellation(21) + b"</lote>"
        store(archive, note(1), note(2, refers=key(1)), lot, PLAIN, freight(11), freight(12, replaces=freight_key(11)))
        store(archive, note(1, padding=" outra"), note(2, cstat=None), freight_event(12), cancellation(1, cstat="573"))
        # Another file of a key names another origin: both stay.
        store(archive, note(2, refers=key(3)), note(5, refers=key(1)).replace(b"<finNFe>1", b"<finNFe>2"))
        with archive.writing() as transaction:
            claim_relations(transaction, [(key(2), key(1), UNSPECIFIED)], CLAIMED_BY_HUB)
            claim_relations(transaction, [(key(5), key(9), UNSPECIFIED)], CLAIMED_BY_HUB)
        record_received(
            archive,
            1,
            [
                Received(b"no xml at all", "a"),
                Received(note(31), "../b", refused=message("It was refused.")),
            ],
        )
    workspace = Workspace.at(home)
    verify.verify(workspace)
    return home


@pytest.fixture
def workspace(world: Path, tmp_path: Path) -> Workspace:
    return copied(world, tmp_path / "home")


def change(workspace: Workspace, *statements: str) -> None:
    with closing(sqlite3.connect(workspace.home.archive)) as database, database:
        for statement in statements:
            database.execute(statement)


UNVERSIONED = "UPDATE content SET reader = NULL WHERE family = 0 AND reader >= 0"
SPOILED = (
    "UPDATE document SET total = 1, state = 'denied', nature = 'x', warnings = '[]', emitter_id = NULL, cfops = ''",
    "UPDATE document SET is_current = 1 - is_current WHERE access_key IS NOT NULL",
    "UPDATE document SET hub_subtype = NULL, hub_order_id = 'x', operation = 'unknown'",
    "UPDATE event SET code = '999999', registered = 0, is_current = 0",
    "UPDATE item SET description = 'x' WHERE position > 0",
    "DELETE FROM item WHERE position = 0",
    "DELETE FROM party WHERE role = 'recipient'",
    "UPDATE belonging SET direction = 'x'",
    "DELETE FROM belonging WHERE document_id % 2",
    "UPDATE voiding SET first = 0",
    "DELETE FROM relation WHERE claims = 1 AND kind != 'references'",
    "UPDATE relation SET claims = 1 WHERE claims = 3",
    "INSERT INTO relation VALUES ('" + key(1) + "', '" + key(8) + "', 'references', 1)",
    "UPDATE document SET verdict = NULL",
)


def compared(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything, taxpayers by what they are called: their numbers follow the order of arrival."""
    found = dump(home)
    names = {row[0]: row[1:] for row in found.pop("taxpayer")}
    found["party"] = [(*row[:3], names[row[3]]) for row in found["party"]]
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(document)")]
    owners = [columns.index(f"{role}_id") for role in ("emitter", "recipient", "taker")]
    found["document"] = [
        tuple(names.get(value) if place in owners else value for place, value in enumerate(row))
        for row in found["document"]
    ]
    found["taxpayer"] = sorted(names.values(), key=repr)
    return found


def test_a_fresh_archive_has_nothing_to_read_again(workspace: Workspace) -> None:
    before = dump(workspace.home.root)
    summary = reindex.reindex(workspace)
    assert summary.counts() | {"seconds": 0} == dict.fromkeys(summary.counts(), 0)
    assert dump(workspace.home.root) == before


@pytest.mark.parametrize("workers", [0, 2])
def test_read_whole_again_it_is_the_same(workspace: Workspace, workers: int) -> None:
    before = dump(workspace.home.root)
    with workspace.writing("reindex") as archive:
        summary = reindex.reindex_archive(archive, everything=True, workers=workers)
    assert dump(workspace.home.root) == before
    assert summary.unreadable == 1
    assert summary.contents == sum(row[3] == 0 for row in before["content"]) - 1  # all but the refused one


def test_spoiled_rows_come_back(workspace: Workspace) -> None:
    before = compared(workspace.home.root)
    change(workspace, UNVERSIONED, *SPOILED)
    assert compared(workspace.home.root) != before
    reindex.reindex(workspace)
    after = compared(workspace.home.root)
    # What only the hub had claimed was spoiled beyond what any paper says.
    assert {name for name in before if after[name] != before[name]} <= {"relation"}
    both = {row[:3] for row in before["relation"] if row[3] == 3}
    assert both
    assert not both & {row[:3] for row in after["relation"] if row[3] == 3}
    assert {row[:3] for row in after["relation"]} == {row[:3] for row in before["relation"]}
    with workspace.reading() as archive, archive.reading() as transaction:
        assert transaction.fetch("PRAGMA integrity_check(1)") == [("ok",)]
        assert archived_reindex.count(transaction) == 0


def test_spoiled_papers_that_the_hub_speaks_of_come_back_whole(workspace: Workspace) -> None:
    before = compared(workspace.home.root)
    change(workspace, UNVERSIONED, *(line for line in SPOILED if "claims = 3" not in line))
    reindex.reindex(workspace)
    assert compared(workspace.home.root) == before


def test_a_paper_that_may_make_many_claims_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.at(tmp_path)
    with workspace.writing("test") as archive:
        store(archive, note(1), note(1, padding=" outra"), cancellation(1))
    change(
        workspace,
        "UPDATE content SET reader = NULL WHERE id = 1",
        *(f"INSERT INTO relation VALUES ('{key(1)}', '{key(9 + n)}', 'references', 1)" for n in range(20)),
    )
    asked: list[int] = []
    before = reindex._Writer._read

    def counted(writer: Any, content_id: int) -> Any:
        asked.append(content_id)
        return before(writer, content_id)

    monkeypatch.setattr(reindex._Writer, "_read", counted)
    reindex.reindex(workspace)
    assert sorted(asked) == sorted(set(asked))
    assert len(asked) >= 1
    with workspace.reading() as archive, archive.reading() as transaction:
        assert not transaction.fetch("SELECT * FROM relation")


def test_words_find_what_they_found(workspace: Workspace) -> None:
    def found(words: str) -> int:
        return browse.find(workspace, search_language.parse(words, DocumentQuery()).query).total

    before = {words: found(words) for words in ("caneca", "venda", "mercad", "loja sao")}
    assert before["caneca"]
    change(workspace, UNVERSIONED)
    reindex.reindex(workspace)
    reindex.reindex(workspace, everything=True)
    assert {words: found(words) for words in before} == before
    with closing(sqlite3.connect(workspace.home.archive)) as database:
        database.execute("INSERT INTO search(search) VALUES ('integrity-check')")


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from confere.app.maintenance import reindex
    from confere.app.context import Workspace
    from confere.archive.documents import reindex as archived_reindex

    if __name__ == "__main__":
        reindex._TASK = reindex._WRITE = 10
        rewrite, done = archived_reindex.rewrite, []
        def counted(transaction, batch, read):
            made = rewrite(transaction, batch, read)
            done.append(1)
            if len(done) == 4:  # in the middle of a transaction
                os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
            return made
        archived_reindex.rewrite = counted
        workspace = Workspace.at(sys.argv[1])
        with workspace.writing("reindex") as archive:
            reindex.reindex_archive(archive, everything=sys.argv[2] == "all", workers=2)
    """
)


@pytest.mark.parametrize("how", some_of(["all", "older"], 1))
def test_killed_in_its_middle_it_ends_the_same(workspace: Workspace, tmp_path: Path, how: str) -> None:
    before = compared(workspace.home.root)
    change(workspace, UNVERSIONED, *(line for line in SPOILED if "claims = 3" not in line))
    script = tmp_path / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    came_to = [0]
    for _ in range(2):
        done = subprocess.run([sys.executable, str(script), str(workspace.home.root), how], check=False)
        assert done.returncode != 0
        with workspace.reading() as archive, archive.reading() as transaction:
            came_to.append(archived_reindex.came_to(transaction))
            waiting = archived_reindex.count(transaction)
    assert 0 < waiting < len(before["content"])
    if how == "all":
        assert came_to == sorted(came_to), "none begins before where the one before ended"
    reindex.reindex(workspace, everything=how == "all")
    assert compared(workspace.home.root) == before
    with workspace.reading() as archive, archive.reading() as transaction:
        assert archived_reindex.came_to(transaction) == 0


def test_stopped_it_goes_on_where_it_was(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindex, "_TASK", 10)
    monkeypatch.setattr("confere.system.progress.Meter.advance", lambda self, steps=1, **_: self.finish())
    change(workspace, UNVERSIONED)
    stop = Stop()

    class Stopping:
        def progress(self, _progress: Progress) -> None:
            stop.set()

        def note(self, note: Message) -> None:
            """Ignore it."""

    first = reindex.reindex(workspace, reporter=Stopping(), stop=stop)
    assert first.stopped
    assert first.contents == 10
    second = reindex.reindex(workspace)
    assert not second.stopped
    assert first.contents + second.contents == reindex.reindex(workspace, everything=True).contents
    with workspace.reading() as archive, archive.reading() as transaction:
        told = [(entry.kind, entry.outcome) for entry in runs.newest(transaction, 3)]
        assert audit.lines(transaction, 1)[0].action == "reindex"
    assert told == [("reindex", "partial"), ("reindex", "partial"), ("reindex", "stopped")]


def test_what_an_older_reader_could_not_read_is_adopted(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    with workspace.writing("test") as archive:
        data = note(1)
        with archive.writing() as transaction:
            blob = Blob(data, digest_of(data), problem="a sentence of an older reader")
            record(transaction, archive.vault_writer, [NewPaper(blob, None)])
        store(archive, cancellation(1))
    change(workspace, "UPDATE content SET reader = 1 WHERE problem IS NOT NULL")
    (finding,) = [entry for entry in doctor.examine(workspace).findings if "older version" in str(entry.what)]
    assert not finding.well
    summary = reindex.reindex(workspace)
    assert (summary.contents, summary.adopted, summary.documents) == (1, 1, 1)
    (row,) = browse.find(workspace, DocumentQuery()).documents
    assert (row.access_key, row.state) == (key(1), "cancelled")
    assert not browse.unreadable(workspace)
    assert not [entry for entry in doctor.examine(workspace).findings if "older version" in str(entry.what)]


def test_what_can_no_longer_be_read_keeps_its_rows(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    before = browse.find(workspace, DocumentQuery(), None).documents

    def refuse(data: bytes) -> Any:
        return read(b"<a>" + data)

    monkeypatch.setattr(isolated_reading, "read", refuse)
    summary = reindex.reindex(workspace, everything=True)
    assert summary.unreadable == summary.contents
    assert browse.find(workspace, DocumentQuery(), None).documents == before
    assert len(browse.unreadable(workspace)) == 2  # as before


def test_damaged_contents_keep_their_rows_and_go_on_waiting(workspace: Workspace) -> None:
    change(
        workspace, UNVERSIONED, "UPDATE content SET digest = zeroblob(32) WHERE id = (SELECT content_id FROM document)"
    )
    before = browse.find(workspace, DocumentQuery(), None).documents
    summary = reindex.reindex(workspace)
    assert summary.damaged == 1
    assert browse.find(workspace, DocumentQuery(), None).documents == before
    with workspace.reading() as archive, archive.reading() as transaction:
        assert archived_reindex.count(transaction) == 1


def test_a_damaged_content_does_not_end_reading_everything_for_good(workspace: Workspace) -> None:
    whole = reindex.reindex(workspace, everything=True).contents
    change(workspace, "UPDATE content SET digest = zeroblob(32) WHERE id = (SELECT content_id FROM document)")
    for _ in range(2):
        summary = reindex.reindex(workspace, everything=True)
        assert (summary.contents, summary.damaged) == (whole - 1, 1)


def test_what_waits_is_counted_and_found_without_walking_the_vault(workspace: Workspace) -> None:
    change(
        workspace,
        "UPDATE content SET reader = CASE id % 3 WHEN 0 THEN NULL WHEN 1 THEN 1 ELSE reader END"
        " WHERE family = 0 AND reader >= 0",
    )
    with workspace.reading() as archive, archive.reading() as transaction:
        rows = transaction.fetch("SELECT id FROM content WHERE family = 0 AND reader IS NOT -1 ORDER BY id")
        every = [row[0] for row in rows]
        wanted = [number for number in every if number % 3 != 2]
        assert archived_reindex.count(transaction) == len(wanted)
        assert archived_reindex.count(transaction, wanted[9]) == len(wanted) - 10
        assert archived_reindex.count(transaction, every[9], everything=True) == len(every) - 10
        first = [number for number, _ in archived_reindex.waiting(transaction, 0, 25)]
        assert first == wanted[:25]
        assert [number for number, _ in archived_reindex.waiting(transaction, first[-1], len(every))] == wanted[25:]
        assert [number for number, _ in archived_reindex.waiting(transaction, 0, 7, everything=True)] == every[:7]
        asked: list[str] = []
        assert isinstance(transaction.connection, ReadConnection)
        connection = transaction.connection.driver
        connection.set_trace_callback(asked.append)
        archived_reindex.count(transaction)
        connection.set_trace_callback(None)
        plans = [str(transaction.fetch(f"EXPLAIN QUERY PLAN {sql}")) for sql in asked if sql.startswith("SELECT")]
    assert plans
    assert all("COVERING INDEX ix_content_reader" in plan for plan in plans)
