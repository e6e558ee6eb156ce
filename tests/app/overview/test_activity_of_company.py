"""What was done and what failed, under one company of an office: nothing of another company, and nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.accounts import company_lines
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.overview import activity
from confere.archive.accounts import audit, runs
from tests.app.made import account
from tests.archive.papers import EMITTER, RECIPIENT, key, note, store

BRANCH = "11222333000262"
THIRD = "11222333000343"
MIXED, OTHER = "both of them", "another's"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenArchive]:
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        mixed = account(archive, MIXED, "production", EMITTER, BRANCH)
        other = account(archive, OTHER, "production", THIRD)
        store(archive, note(1), note(3).replace(RECIPIENT.encode(), BRANCH.encode()))
        with archive.writing() as transaction:
            for owner in (mixed.id, other.id, None):
                runs.finish(transaction, runs.start(transaction, "sync", owner, {}), "done", {})
            for company in (EMITTER, BRANCH, "34128745000152"):
                exported = {"company": company, "month": "2026-10"}
                runs.finish(transaction, runs.start(transaction, "export", None, exported), "done", {})
                audit.write(transaction, "export", f"{company} 2026-10", "x.zip")
            for subject in (MIXED, OTHER, "5", THIRD, "documents 2026-10"):
                audit.write(transaction, "noted", subject)
    with closing(OpenArchive(workspace)) as archive:
        yield archive


def test_runs_are_of_the_company_its_accounts_or_the_whole_archive(opened: OpenArchive) -> None:
    def listed(company: str | None, before: int | None = None) -> list[tuple[str, str | None]]:
        found = activity.runs(opened, 200, before, company)
        return [(run.kind, run.run.parameters.get("company") or run.account) for run in found if run.kind != "import"]

    assert len(listed(None)) == 6
    assert listed(EMITTER) == [("export", EMITTER), ("sync", None), ("sync", MIXED)]
    assert listed(BRANCH) == [("export", BRANCH), ("sync", None), ("sync", MIXED)]
    assert listed(THIRD) == [("sync", None), ("sync", OTHER)]
    newest = activity.runs(opened, 1, None, EMITTER)[0]
    assert listed(EMITTER, newest.id) == [("sync", None), ("sync", MIXED)]


def test_the_trail_leaves_out_what_is_about_others(opened: OpenArchive) -> None:
    def subjects(company: str | None) -> list[str]:
        found = activity.trail(opened, 200, None, company)
        return [entry.line.subject for entry in found if entry.line.action in ("export", "noted")]

    assert len(subjects(None)) == 8
    assert subjects(EMITTER) == ["documents 2026-10", "5", MIXED, f"{EMITTER} 2026-10"]
    assert subjects(THIRD) == ["documents 2026-10", THIRD, "5", OTHER]


def test_what_failed_is_of_whoever_emitted_it_and_of_none_where_nobody_of_the_account_did(opened: OpenArchive) -> None:
    lines = [
        (MIXED, key(1)), (MIXED, key(9, emitter=BRANCH)), (MIXED, key(9, emitter=RECIPIENT)), (MIXED, ""),
        (OTHER, key(7, emitter=RECIPIENT)),
    ]  # fmt: skip

    def listed(company: str | None) -> tuple[list[int], int]:
        found = company_lines.of_accounts(opened, company, lines, lambda line: line[0], lambda line: line[1])
        return [lines.index(line) for line in found.lines], found.of_no_company

    assert listed(None) == ([0, 1, 2, 3, 4], 0)
    assert listed(EMITTER) == ([0, 2, 3], 2)
    assert listed(BRANCH) == ([1, 2, 3], 2)
    assert listed(THIRD) == ([4], 0), "all of an account with one company is that one's"


def test_what_is_not_believed_is_of_the_parties_of_its_document(opened: OpenArchive) -> None:
    lines = [key(1), key(3), key(9, emitter=THIRD), key(9, emitter=RECIPIENT), ""]

    def listed(company: str | None) -> tuple[list[int], int]:
        found = company_lines.of_documents(opened, company, lines, str)
        return [lines.index(line) for line in found.lines], found.of_no_company

    assert listed(None) == ([0, 1, 2, 3, 4], 0)
    assert listed(EMITTER) == ([0, 1, 3, 4], 2)
    assert listed(BRANCH) == ([1, 3, 4], 2)
    assert listed(THIRD) == ([2, 3, 4], 2)
