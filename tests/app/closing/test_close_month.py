"""A month is closed, then the world goes on: what changed is told exactly, and whatever is edited is found."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing import close_month
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineState, RemedyKind
from confere.app.closing.close_month import CloseOutcome, CloseRequest
from confere.app.context import Workspace
from confere.app.labels import closing_labels
from confere.app.maintenance.checks import chain_checks
from confere.app.maintenance.checks.check_result import Examination
from confere.app.orders import person
from confere.archive.accounts import audit
from confere.archive.closing import closings
from confere.archive.maintenance.salvage import rebuild
from confere.archive.store import Archive
from confere.cli.main import run
from confere.errors import NotInArchive, UsageFault, message
from tests.app.closing import closed_world
from tests.app.closing.closed_world import COMPANY, MONTH
from tests.cli.json_recorder import answer_of
from tests.oracle import effects


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two data folders: see `closed_world.made`."""
    return closed_world.made(tmp_path_factory)


@dataclass
class Copied:
    workspace: Workspace

    def chains(self) -> tuple[list[str], dict[str, Any]]:
        """What the check-up complains of about the chains, and its facts."""
        found = Examination()
        with self.workspace.reading() as archive:
            chain_checks.of_chains(self.workspace, archive, found)
        return [str(entry.what) for entry in found.findings if not entry.well], found.facts

    def sqlite(self, sql: str) -> None:
        """As somebody would edit it, with the program `sqlite3`."""
        subprocess.run(["sqlite3", str(self.workspace.home.archive), sql], check=True, capture_output=True)


@pytest.fixture
def closed(filed: Path, tmp_path: Path) -> Copied:
    return Copied(Workspace.at(shutil.copytree(filed / "closed", tmp_path / "closed")))


@pytest.fixture
def later(filed: Path, tmp_path: Path) -> Copied:
    return Copied(Workspace.at(shutil.copytree(filed / "later", tmp_path / "later")))


def asked(home: Path, *words: str) -> tuple[int, Any]:
    code, text = answer_of(*words, "--period", MONTH, "--company", COMPANY, "--json", "--home", str(home))
    return code, json.loads(text)


def test_changes_say_exactly_what_the_world_did_and_what_it_does_to_the_taxes(filed: Path) -> None:
    code, answer = asked(filed / "later", "changes")
    (month,) = answer["months"]
    assert code == 1
    assert Counter(tuple(entry["kinds"]) for entry in month["documents"]) == {("arrived",): 3, ("cancelled",): 2}
    assert month["findings"] == []
    contents = _contents(filed / "later", [entry["sha256"] for entry in month["documents"]])
    notes = [entry for entry in month["documents"] if entry["type"] == "nfe"]
    (freight,) = (entry for entry in month["documents"] if entry["type"] == "cte")
    total, sums = effects.of_notes(
        (-1 if entry["kinds"] == ["cancelled"] else 1, contents[entry["sha256"]]) for entry in notes
    )
    assert len(notes) == 4
    assert _cents(month["total"]) - _cents(freight["total_effect"]) == total
    assert f"<vTPrest>{freight['total_effect']}<".encode() in contents[freight["sha256"]]
    told = Counter[Any]()
    for entry in notes:
        told.update(_flat(entry["taxes"]))
    assert {name: amount for name, amount in told.items() if amount} == {
        (*place, name): amount for place, amounts in sums.items() for name, amount in amounts.items()
    }
    assert any(name == "difal" for *_, name in told), "the world has sales to consumers of other states"
    whole = _flat(month["taxes"])
    whole.subtract(told)
    whole.subtract(_flat(freight["taxes"]))
    assert not any(whole.values())


def _contents(home: Path, digests: list[str]) -> dict[str, bytes]:
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        rows = transaction.fetch("SELECT lower(hex(digest)), id FROM content")
        return {digest: archive.vault.get(transaction, number) for digest, number in rows if digest in digests}


def _flat(taxes: list[dict[str, Any]]) -> Counter[Any]:
    return Counter(
        {
            (place["cfop"], place["cst"], place["uf"] or "", name): _cents(amount)
            for place in taxes
            for name, amount in place.items()
            if name not in ("direction", "cfop", "cst", "uf")
        }
    )


def _cents(text: str) -> int:
    return int(text.replace(".", ""))


def test_nothing_changed_is_said_by_the_exit_code(filed: Path) -> None:
    code, answer = asked(filed / "closed", "changes")
    assert code == 0
    assert answer["months"][0]["documents"] == answer["months"][0]["taxes"] == []


def _closing_line(workspace: Workspace) -> ChecklistLine:
    with closing(OpenArchive(workspace)) as opened:
        [company] = check_month(opened, MONTH, COMPANY).companies
    [line] = company.of(LineCode.CLOSED)
    return line


def test_the_checklist_says_that_a_closed_month_changed(closed: Copied, later: Copied) -> None:
    assert _closing_line(closed.workspace).state is LineState.OK
    line = _closing_line(later.workspace)
    assert (line.state, line.remedy_kind) == (LineState.WARNING, RemedyKind.CHANGES)
    assert line.proof.counts == {"documents": 5, "findings": 0}
    assert "documents: 5, findings: 0" in str(line.what)
    assert run([*line.proof.command.split()[1:], "--home", str(later.workspace.home.root)]) == 1
    with later.workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE closing_part SET digest = zeroblob(32)")
    edited = _closing_line(later.workspace)
    assert edited.state is LineState.NOT_CHECKED and "edited" in str(edited.what)


def test_closing_again_changes_nothing(closed: Copied, later: Copied) -> None:
    before = closed.workspace.home.archive.read_bytes()
    (result, *_) = close_month.close(closed.workspace, CloseRequest(MONTH, COMPANY)).results
    assert (result.outcome, result.changes) == (CloseOutcome.UNCHANGED, 0)
    assert closed.workspace.home.archive.read_bytes() == before
    (result,) = close_month.close(later.workspace, CloseRequest(MONTH, COMPANY)).results
    assert (result.outcome, result.changes) == (CloseOutcome.CHANGED, 5)
    assert len(close_month.reopen(later.workspace, MONTH, COMPANY, "notas atrasadas").acts) == 1
    (result,) = close_month.close(later.workspace, CloseRequest(MONTH, COMPANY)).results
    assert result.outcome is CloseOutcome.CLOSED
    assert asked(later.workspace.home.root, "changes")[0] == 0
    complaints, facts = later.chains()
    assert complaints == []
    assert facts["closing_chain"]["acts"] == 2 + 2


def test_an_open_month_says_when_it_was_closed_and_opened_again_and_why(
    closed: Copied, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*arguments: str) -> str:
        run([*arguments, "--company", COMPANY, "--period", MONTH, "--lang", "en", "--home", home])
        return " ".join(capsys.readouterr().out.split())

    home = str(closed.workspace.home.root)
    with closed.workspace.reading() as archive, archive.reading() as transaction:
        closing = closings.newest(transaction, COMPANY, MONTH)
    assert closing is not None
    when = closing_labels.moment_text(closing.at)
    assert f"The month was closed on {when}." in printed("close", "--check")
    (act,) = close_month.reopen(closed.workspace, MONTH, COMPANY, "wrong note").acts
    again = closing_labels.moment_text(act.at)
    told = printed("close", "--check")
    assert f"The month was closed on {when} and opened again on {again}, because: wrong note" in told
    assert "not closed yet" not in told
    assert f"It was opened again on {again} by {act.actor}, because: wrong note" in printed("changes")


def test_opening_again_asks_why_and_is_in_the_trail(closed: Copied) -> None:
    with pytest.raises(UsageFault):
        close_month.reopen(closed.workspace, MONTH, COMPANY, " ")
    (act,) = close_month.reopen(closed.workspace, MONTH, COMPANY, "nota errada").acts
    with closed.workspace.reading() as archive, archive.reading() as transaction:
        (line, *_) = audit.lines(transaction)
        assert (line.action, line.subject) == ("month reopened", f"{COMPANY} {MONTH}")
        assert line.detail == f"{act.head} nota errada"
        assert closings.name_of(transaction, COMPANY, MONTH) is None
    with pytest.raises(NotInArchive):
        close_month.reopen(closed.workspace, MONTH, COMPANY, "nota errada")


def test_what_lacks_stops_a_closing_unless_it_is_allowed(closed: Copied) -> None:
    def check(_archive: Archive, company: str, _month: str) -> list[Any]:
        return [message("There is no archive at {path}.", path=company)]

    wanted = CloseRequest("2026-09", COMPANY)
    (result,) = close_month.close(closed.workspace, wanted, check).results
    assert (result.outcome, result.act, len(result.lacks)) == (CloseOutcome.INCOMPLETE, None, 1)
    (result,) = close_month.close(
        closed.workspace, CloseRequest("2026-09", COMPANY, allow_incomplete=True), check
    ).results
    assert result.act is not None
    assert result.act.is_incomplete
    with closed.workspace.reading() as archive, archive.reading() as transaction:
        assert closings.name_of(transaction, COMPANY, "2026-09") == (result.act.number, result.act.head[:16])


def test_the_rules_hold_the_archive_against_the_closed_month(later: Copied) -> None:
    home = str(later.workspace.home.root)
    answer_of("reconcile", "--account", "loja", "--all", "--json", "--home", home)
    found = json.loads(answer_of("findings", "list", "--account", "loja", "--json", "--home", home)[1])["findings"]
    late = [entry for entry in found if entry["rule"] == "R23" and entry["period"] == MONTH]
    changed = {
        entry["access_key"] for entry in asked(later.workspace.home.root, "changes")[1]["months"][0]["documents"]
    }
    assert changed <= {key for entry in late for key in entry["keys"]}
    assert [entry for entry in found if entry["rule"] == "R20" and entry["period"] == MONTH and entry["amount"]]
    assert all(entry["state"] == "not_checked" for entry in found if entry["rule"] == "R20" and entry["period"] < MONTH)


@pytest.mark.system_program("sqlite3")
@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE audit SET actor = 'bob' WHERE id = 2", "Line 2 of the audit trail"),
        ("UPDATE audit SET detail = 'x' WHERE id = (SELECT max(id) FROM audit)", "The text of line"),
        ("DELETE FROM audit WHERE id = 2", "Before line 3 of the audit trail"),
        ("DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)", "The audit trail ends at line"),
        ("UPDATE closing_part SET payload = zeroblob(9) WHERE closing_id = 1 AND section = 'taxes'", "taxes/0"),
        ("UPDATE closing SET preparer = 'Bob' WHERE id = 1", "Closing 1"),
        ("DELETE FROM closing_part WHERE closing_id = 2 AND section = 'documents'", "Closing 2"),
        ("DELETE FROM closing WHERE id = 1", "Before closing 2"),
        ("DELETE FROM closing WHERE id = 2", "stands in the audit trail and is not there"),
    ],
)
def test_what_is_edited_in_the_file_is_found_and_named(closed: Copied, sql: str, said: str) -> None:
    closed.sqlite(sql)
    complaints, _ = closed.chains()
    assert any(said in complaint for complaint in complaints), complaints


@pytest.mark.system_program("sqlite3")
def test_the_check_up_ends_with_1_where_a_line_and_a_row_were_edited(closed: Copied) -> None:
    closed.sqlite("UPDATE audit SET action = 'sync' WHERE id = 1")
    closed.sqlite("UPDATE closing_part SET rows = rows + 1 WHERE closing_id = 1 AND section = 'documents'")
    code, text = answer_of("doctor", "--verify", "--json", "--home", str(closed.workspace.home.root))
    facts = json.loads(text)["facts"]
    assert code == 1
    assert facts["audit_chain"]["broken"] == [{"line": 1, "what": "edited"}]
    assert [entry["what"] for entry in facts["closing_chain"]["broken"]] == ["rows_edited", "act_edited"]
    assert facts["closing_chain"]["broken"][0]["rows"] == "documents/0"


@pytest.mark.system_program("sqlite3")
def test_nothing_is_compared_with_an_edited_snapshot(closed: Copied) -> None:
    """Also where the digest was made to fit the edited rows."""
    closed.sqlite("UPDATE closing_part SET digest = zeroblob(32) WHERE closing_id = 1")
    code, text = answer_of("changes", "--period", MONTH, "--json", "--home", str(closed.workspace.home.root))
    assert code == 3
    assert "edited" in json.loads(text)["error"]["what"]
    with closed.workspace.reading() as archive, archive.reading() as transaction:
        (act, *_) = closings.acts(transaction)
        (month,) = closings.closed_with_now(transaction, act.company)
        assert month.is_damaged


def test_a_file_that_is_made_anew_keeps_both_chains(later: Copied) -> None:
    before = asked(later.workspace.home.root, "changes")
    rebuild(later.workspace.home.archive)
    complaints, facts = later.chains()
    assert (complaints, facts["closing_chain"]["acts"]) == ([], 2)
    with later.workspace.reading() as archive, archive.reading() as transaction:
        (act,) = closings.acts(transaction, COMPANY, MONTH)
        assert closings.frozen_of(transaction, act).documents
    assert before[1]["months"][0]["head"] == act.head


def test_a_person_can_be_taken_out_of_the_trail_without_breaking_it(closed: Copied) -> None:
    name = "Fulana de Tal 123.456.789-09"
    with closed.workspace.writing("test") as archive, archive.writing() as transaction:
        audit.write(transaction, "note", "x", f"about {name}")
        audit.write(transaction, "note", "x", "about nobody")
    person.erase(closed.workspace, person.look(closed.workspace, "12345678909"))
    with closed.workspace.reading() as archive, archive.reading() as transaction:
        texts = [line.detail or "" for line in audit.lines(transaction)]
    assert any("(erased)" in text for text in texts)
    assert not any("123.456.789-09" in text for text in texts)
    assert closed.chains()[0] == []


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CONFERE_LANGUAGE", "en")
    yield
