"""A closing is stamped by an authority on loopback (`openssl ts`); the stamp is verified with and without roots."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing import close_month, stamp
from confere.app.closing.close_month import CloseRequest
from confere.app.context import Workspace
from confere.app.maintenance.checks import chain_checks
from confere.app.maintenance.checks.check_result import Examination
from confere.errors import EnvironmentFault, HubAnswerUnreadable, HubError, HubUnreachable, UsageFault
from confere.sales.closings import ClosingAct
from tests.app.closing.authority import Authority
from tests.archive.papers import note, store
from tests.cli.json_recorder import answer_of
from tests.intake.served import serving

pytestmark = pytest.mark.system_program("openssl")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace.at(tmp_path / "home")
    with made.writing("test") as archive:
        store(archive, note(1), note(2))
    return made


@pytest.fixture
def act(workspace: Workspace) -> ClosingAct:
    (result,) = close_month.close(workspace, CloseRequest("2026-10")).results
    assert result.act is not None
    return result.act


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    with serving(Authority(tmp_path_factory.mktemp("authority") / "tsa")) as served:
        yield served


@pytest.fixture(autouse=True)
def _as_usual(authority: Authority) -> Iterator[None]:
    yield
    authority.refuses, authority.stale, authority.queries = 0, False, ()


def told(workspace: Workspace) -> Examination:
    found = Examination()
    with workspace.reading() as archive:
        chain_checks.of_chains(workspace, archive, found)
    return found


def test_only_the_hash_of_the_head_leaves_and_the_answer_is_kept(
    workspace: Workspace, act: ClosingAct, authority: Authority
) -> None:
    wanted = stamp.plan(authority.address, act)
    assert authority.queries == ()
    made = stamp.send(workspace, act, wanted)
    assert authority.queries == (wanted.body,)
    assert wanted.imprint == hashlib.sha256(bytes.fromhex(act.head)).hexdigest()
    assert bytes.fromhex(wanted.imprint) in wanted.body
    assert len(wanted.body) < 100
    assert made.holds
    (kept,) = stamp.of_closing(OpenArchive(workspace), act.number)
    assert kept.stored == made.stored
    assert kept.facts is not None
    assert kept.facts.trusted is None
    assert told(workspace).well


def test_with_roots_it_is_verified_and_without_the_right_one_not_kept(
    workspace: Workspace, act: ClosingAct, authority: Authority, tmp_path: Path
) -> None:
    roots = workspace.home.stamp_roots
    roots.mkdir()
    (roots / "other.pem").write_bytes(Authority(tmp_path / "other").root)
    with pytest.raises(EnvironmentFault):
        stamp.send(workspace, act, stamp.plan(authority.address, act))
    assert stamp.of_closing(OpenArchive(workspace)) == ()
    (roots / "right.pem").write_bytes(authority.root)
    made = stamp.send(workspace, act, stamp.plan(authority.address, act))
    assert made.facts is not None
    assert made.facts.trusted is True
    (roots / "right.pem").unlink()
    assert [entry.well for entry in told(workspace).findings].count(False) == 1


def test_a_stamp_of_something_else_is_refused_and_one_put_in_is_found(
    workspace: Workspace, act: ClosingAct, authority: Authority
) -> None:
    stamp.send(workspace, act, stamp.plan(authority.address, act))
    close_month.reopen(workspace, "2026-10", None, "again")
    (result,) = close_month.close(workspace, CloseRequest("2026-10")).results
    assert result.act is not None
    authority.stale = True
    with pytest.raises(HubAnswerUnreadable):
        stamp.send(workspace, result.act, stamp.plan(authority.address, result.act))
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE closing_stamp SET closing_id = ?", (result.act.number,))
    found = told(workspace)
    assert not found.well
    assert found.facts["time_stamps"][0]["fits"] is False


def test_an_authority_that_refuses_or_is_not_there_keeps_nothing(
    workspace: Workspace, act: ClosingAct, authority: Authority
) -> None:
    authority.refuses = 503
    with pytest.raises(HubError):
        stamp.send(workspace, act, stamp.plan(authority.address, act))
    with pytest.raises(HubUnreachable):
        stamp.send(workspace, act, stamp.plan("http://127.0.0.1:9/", act))
    with pytest.raises(UsageFault):
        stamp.plan("ftp://127.0.0.1/", act)
    assert stamp.of_closing(OpenArchive(workspace)) == ()


def test_the_command_sends_only_after_a_yes(workspace: Workspace, authority: Authority) -> None:
    home = str(workspace.home.root)
    line = ("close", "--period", "2026-10", "--incomplete", "--stamp", authority.address, "--json", "--home", home)
    code, text = answer_of(*line)
    assert (code, authority.queries) == (2, ())
    answer = json.loads(text)
    assert ("error" in answer, answer["closed"][0]["outcome"], answer["stamps"]) == (True, "closed", [])
    code, text = answer_of(*line, "--yes")
    (made,) = json.loads(text)["stamps"]
    assert (code, made["fits"], made["trusted"]) == (0, True, None)
    assert len(authority.queries) == 1
    assert json.loads(text)["closed"][0]["stamp"] == made


def test_a_month_is_told_closed_where_the_authority_refuses(workspace: Workspace, authority: Authority) -> None:
    authority.refuses = 503
    line = ("close", "--period", "2026-10", "--incomplete", "--stamp", authority.address, "--yes", "--json")
    code, text = answer_of(*line, "--home", str(workspace.home.root))
    answer = json.loads(text)
    (closed,) = answer["closed"]
    assert (code, closed["outcome"], closed["stamp"], answer["stamps"]) == (3, "closed", None, [])
    assert len(closed["closing"]["head"]) == 64
    assert "503" in answer["error"]["what"]
