"""`confere reconcile`, `findings`, `links`, `stock` and `taxes`, for programs and for people."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents.search import typed_days
from confere.app.reconciliation import queries
from confere.app.reconciliation.reconcile import AccountResult, ReconcileResult
from confere.archive.reconciliation.finding_search import FindingTally
from confere.cli.commands.reconciliation import reconcile
from confere.cli.output import Output
from confere.cli.render import reconciliation_reports
from confere.errors import message
from tests.app import business
from tests.archive.papers import EMITTER, RECIPIENT, key
from tests.cli.running import Call

NOW = ("--as-of", "2026-11-10T00:00:00-03:00")
FINDING = {"rule", "state", "severity", "amount", "orders", "keys", "evidence"}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five notes and four orders that say nothing of their invoices, never reconciled."""
    return business.workspace_at(tmp_path_factory.mktemp("bare"), reconciled=False).home.root


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with links and findings made by hand."""
    return business.workspace_at(tmp_path_factory.mktemp("made")).home.root


@pytest.fixture
def unreconciled(bare: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bare, tmp_path / "home"))


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "home"))


def test_the_json_is_what_scripts_rely_on(call: Call, unreconciled: Path) -> None:
    done = call("reconcile", "--home", unreconciled, "--period", "10/2026", *NOW, "--json")
    assert done.code == 0
    found = done.json
    assert {"run", "period", "links", "findings", "counts"} <= set(found)
    assert found["period"] == "2026-10"
    assert set(found["links"]) == {"automatic", "manual", "ambiguous"}
    assert found["findings"]
    for entry in found["findings"]:
        assert set(entry) >= FINDING
        assert isinstance(entry["evidence"], str)
        assert entry["amount"] is None or float(entry["amount"]) >= 0
        assert entry["period"] == "2026-10"
    assert sum(found["counts"].values()) == len(found["findings"])
    assert {"R1", "R7c", "R19"} <= set(found["counts"])
    again = call("reconcile", "--home", unreconciled, "--period", "2026-10", *NOW, "--json").json
    assert again["run"] != found["run"]
    assert (again["findings"], again["links"], again["counts"]) == (
        found["findings"],
        found["links"],
        found["counts"],
    )
    (run,) = again["runs"]
    assert not run["changed"]
    assert run["compared"] == {"run": found["run"], "new": 0, "closed": 0, "reopened": 0, "changed": 0}
    assert (run["account"], run["as_of"], run["orders"], run["documents"]) == (
        "shop",
        "2026-11-10T00:00:00-03:00",
        4,
        5,
    )


def test_a_summary_is_the_same_without_the_findings(call: Call, unreconciled: Path) -> None:
    line = ("reconcile", "--home", unreconciled, "--all", *NOW, "--json")
    call(*line)
    whole, short = call(*line).json, call(*line, "--summary").json
    assert whole["findings"]
    assert short["counts"] == whole["counts"]
    assert [entry["states"] for entry in short["runs"]] == [entry["states"] for entry in whole["runs"]]
    assert short.keys() == whole.keys() - {"findings", "suggestions", "explained"}


def test_people_read_figures_and_what_to_do(call: Call, unreconciled: Path) -> None:
    first = call("reconcile", "--home", unreconciled, "--all", *NOW)
    assert first.code == 0
    assert "all months" in first.out
    assert "confere findings list" in first.err
    second = call("reconcile", "--home", unreconciled, "--all", "--as-of", "2026-11-10")
    assert "Nothing changed since the run before." in second.err


def test_a_month_without_anything_is_not_called_clean(call: Call, unreconciled: Path) -> None:
    line = ("reconcile", "--home", unreconciled, "--period", "2027-05", *NOW)
    first = call(*line)
    assert "There are neither orders nor documents of May 2027 in the archive." in first.err
    assert "Nothing changed" not in first.err, "there is no run before"
    assert "Orders in the archive" in first.out
    assert "Documents in the archive" in first.out
    assert "Nothing changed since the run before." in call(*line).err
    (run,) = call(*line, "--json").json["runs"]
    assert (run["empty"], run["orders"], run["documents"]) == (True, 4, 5)
    full = call("reconcile", "--home", unreconciled, "--period", "2026-10", *NOW)
    assert "neither orders nor documents" not in full.err
    assert "Still open" in full.out
    for period in (("--period", "2026-10"), ("--all",)):
        (run,) = call("reconcile", "--home", unreconciled, *period, *NOW, "--json").json["runs"]
        assert run["empty"] is False


def test_the_month_that_is_over_is_the_usual_one(call: Call, unreconciled: Path) -> None:
    assert call("reconcile", "--home", unreconciled, *NOW, "--json").json["period"] == "2026-10"
    assert call("reconcile", "--home", unreconciled, "--all", *NOW, "--json").json["period"] is None


def test_a_scheduler_is_told_by_the_exit_code_where_it_asks(call: Call, unreconciled: Path) -> None:
    line = ("reconcile", "--home", unreconciled, "--all", *NOW, "--json")
    states = {entry["state"] for entry in call(*line).json["findings"]}
    highs = [e for e in call(*line).json["findings"] if e["severity"] == "high" and e["state"] == "open"]
    assert call(*line, "--fail-on", "any").code == (1 if "open" in states else 0)
    assert call(*line, "--fail-on", "high").code == (1 if highs else 0)
    assert (
        call("reconcile", "--home", unreconciled, "--period", "2025-01", *NOW, "--fail-on", "any", "--json").code == 0
    )


@pytest.mark.parametrize(
    ("tallies", "code_of"),
    [
        ((), {"never": 0, "any": 0, "high": 0}),
        (
            (FindingTally("R1", "high", "resolved", 2, 0), FindingTally("R2", "low", "not_checked", 1, 0)),
            {"any": 0, "high": 0},
        ),
        ((FindingTally("R2", "low", "open", 1, 0),), {"never": 0, "any": 1, "high": 0}),
        (
            (FindingTally("R2", "low", "open", 1, 0), FindingTally("R1", "high", "open", 1, 0)),
            {"never": 0, "any": 1, "high": 1},
        ),
    ],
)
def test_what_fails_is_what_is_open(tallies: tuple[FindingTally, ...], code_of: dict[str, int]) -> None:
    done = AccountResult("shop", None, datetime(2026, 11, 1, tzinfo=UTC), rules=tallies)
    for failing, code in code_of.items():
        assert reconcile._fails(failing, ReconcileResult([done])) is bool(code)


@pytest.mark.parametrize(
    "wrong",
    [
        ("--period", "2026-10", "--all"),
        ("--period", "soon"),
        ("--as-of", "yesterday"),
        ("--fail-on", "low"),
        ("--report", "report.csv"),
        ("--account", "nobody"),
    ],
)
def test_wrong_use_is_refused(call: Call, unreconciled: Path, wrong: tuple[str, str]) -> None:
    done = call("reconcile", "--home", unreconciled, *wrong, "--json")
    assert done.code == 2
    assert done.json["error"]["remedy"]
    assert call("findings", "list", "--home", unreconciled, "--json").json["total"] == 0, "nothing was tried"


def test_without_an_archive_it_says_what_is_missing(call: Call, tmp_path: Path) -> None:
    assert call("findings", "list", "--home", tmp_path, "--json").code == 3
    assert call("reconcile", "--home", tmp_path, "--json").code == 2


def test_findings_are_listed_and_shown(call: Call, home: Path) -> None:
    found = call("findings", "list", "--home", home, "--json").json
    assert (found["total"], found["account"]) == (4, "shop")
    assert [entry["rule"] for entry in found["findings"]] == ["R1", "R1", "R2", "R3"]
    assert [(entry["rule"], entry["open"], entry["amount"]) for entry in found["groups"]] == [
        ("R1", 1, "10.00"),
        ("R2", 1, "10.00"),
        ("R3", 1, "12.00"),
    ]
    narrowed = call("findings", "list", "--home", home, "--rule", "R1,R3", "--state", "open", "--limit", "1", "--json")
    assert (narrowed.json["total"], len(narrowed.json["findings"])) == (2, 1)
    assert (
        call("findings", "list", "--home", home, "--severity", "low", "--period", "2026-10", "--json").json["total"]
        == 0
    )
    assert call("findings", "list", "o2", "--home", home, "--all", "--json").json["total"] == 1
    number = found["findings"][-1]["id"]
    shown = call("findings", "show", number, "--home", home, "--json").json
    assert shown["finding"]["rule"] == "R3"
    assert [entry["id"] for entry in shown["orders"]] == ["o2"]
    assert [entry["access_key"] for entry in shown["documents"]] == [key(2), key(3)]
    assert {entry["field"]: entry["agrees"] for entry in shown["differences"]}["Total"]
    people = call("findings", "show", number, "--home", home)
    assert "made by hand: R3" in people.out
    assert key(2) in people.out
    alone = next(entry for entry in found["findings"] if entry["rule"] == "R2")
    lines = call("findings", "show", alone["id"], "--home", home).out.splitlines()
    assert any("Total" in line and "R$ 10,00" in line for line in lines), "a note alone tells its own lines"
    assert "4 of 4 findings." in call("findings", "list", "--home", home).err
    empty = ("findings", "list", "--home", home, "--period", "2026-01")
    assert call(*empty, "--json").json["other_months"] == {"total": 4, "first": "2026-09", "last": "2026-10"}
    assert "There are 4 in other months, the newest in October 2026." in call(*empty).err
    assert call(*empty, "o2", "--json").json["other_months"]["total"] == 1
    assert call(*empty, "--severity", "low", "--json").json["other_months"] is None
    assert call("findings", "show", "999", "--home", home, "--json").code == 2
    assert call("findings", "list", "--home", home, "--state", "lost", "--json").code == 2


def test_a_due_day_says_its_year_and_that_it_is_far_away(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typed_days, "today", lambda: date(2026, 11, 26))
    number = call("findings", "list", "--home", home, "--json").json["findings"][0]["id"]
    assign = ("findings", "assign", number, "--home", home, "--to", "Ana", "--due")
    slip = call(*assign, "20/11")
    assert "until 2027-11-20" in slip.out
    assert "2027-11-20 is 359 days away" in " ".join(slip.err.split())
    assert call(*assign, "10/01").err == ""
    assert "2026-11-20 is over already" in " ".join(call(*assign, "2026-11-20").err.split())
    assert "Due before 2027-11-20." in call("findings", "list", "--home", home, "--due-before", "20/11").err


def test_programs_get_every_finding_and_people_the_first(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciliation_reports, "MOST_TOLD", 3)
    assert len(call("findings", "list", "--home", home, "--json").json["findings"]) == 4
    assert len(call("findings", "list", "--home", home, "--limit", "2", "--json").json["findings"]) == 2
    assert "3 of 4 findings." in call("findings", "list", "--home", home).err
    assert "4 of 4 findings." in call("findings", "list", "--home", home, "--all").err


def test_findings_undo_and_tell_what_links_do(call: Call, home: Path) -> None:
    number = call("findings", "list", "--home", home, "--json").json["findings"][0]["id"]
    call("findings", "explain", number, "--note", "agreed", "--home", home)
    assert call("findings", "undo", "--home", home).code == 0
    told = call("findings", "history", "--home", home, "--json").json
    assert (told["history"][0]["note"], told["history"][0]["undone"]) == ("agreed", True)
    assert told == call("links", "history", "--home", home, "--json").json
    assert call("findings", "redo", "--home", home).code == 0


def test_a_person_settles_findings(call: Call, home: Path) -> None:
    def states() -> dict[str, tuple[str, str | None]]:
        found = call("findings", "list", "--home", home, "--json").json["findings"]
        return {entry["rule"] + "".join(entry["orders"]): (entry["state"], entry["note"]) for entry in found}

    numbers = {
        entry["rule"] + "".join(entry["orders"]): entry["id"]
        for entry in call("findings", "list", "--home", home, "--json").json["findings"]
    }
    one, other = numbers["R1o1"], numbers["R3o2"]
    done = call("findings", "explain", one, other, "--note", "agreed", "--home", home, "--json").json
    assert (done["findings"], done["what"]) == (2, "2 findings were explained.")
    assert states()["R1o1"] == states()["R3o2"] == ("explained", "agreed")
    assert call("findings", "ignore", one, "--home", home, "--json").code == 2
    assert call("findings", "ignore", one, "--note", "small", "--home", home).out == "1 finding was ignored.\n"
    assert states()["R1o1"] == ("ignored", "small")
    call("findings", "reopen", one, "--home", home)
    call("findings", "note", one, "--note", "look again", "--home", home)
    assert states()["R1o1"] == ("open", "look again")
    call("findings", "note", one, "--home", home)
    assert states()["R1o1"] == ("open", None)
    call("links", "undo", "--home", home)
    assert states()["R1o1"] == ("open", "look again")
    call("links", "redo", "--home", home)
    assert states()["R1o1"] == ("open", None)
    assert call("links", "redo", "--home", home, "--json").code == 2


def test_a_person_decides_on_links(call: Call, home: Path) -> None:
    def linked() -> set[tuple[str, str]]:
        found = call("links", "list", "--home", home, "--json").json
        assert found["total"] == len(found["links"])
        return {(entry["order"], entry["key"]) for entry in found["links"]}

    before = linked()
    spaced = " ".join((key(4)[:4], key(4)[4:]))
    done = call("links", "link", "--order", "o3", "--key", spaced, "--note", "by phone", "--home", home, "--json").json
    assert (done["links"], done["waiting"]) == (1, 1)
    assert linked() == before | {("o3", key(4))}
    assert "computes anew: 1." in call("links", "unlink", "--order", "o1", "--key", key(1), "--home", home).err
    call("links", "confirm", "--order", "o2", "--key", key(2), "--home", home)
    entry = call("links", "list", "--order", "o2", "--key", key(2), "--home", home, "--json").json["links"][0]
    assert (entry["confirmed"], entry["manual"], entry["kind"]) == (True, False, "person")
    call("links", "merge", "--order", "o1", "--order", "o3", "--key", key(1), "--key", key(4), "--home", home)
    assert linked() >= {("o1", key(1)), ("o1", key(4)), ("o3", key(1)), ("o3", key(4))}
    call("links", "split", "--order", "o1", "--key", key(1), "--home", home)
    assert linked() & {("o1", key(4)), ("o3", key(1))} == set()
    history = call("links", "history", "--order", "o3", "--home", home, "--json").json["history"]
    assert [entry["note"] for entry in history][-1] == "by phone"
    for _ in range(5):
        call("links", "undo", "--home", home)
    assert linked() == before
    assert "(undone)" in call("links", "history", "--home", home).out
    assert call("links", "link", "--order", "o1", "--home", home, "--json").code == 2
    assert call("links", "link", "--order", "o1", "--key", key(99), "--home", home, "--json").code == 2
    assert "3 links." in call("links", "list", "--home", home).err


@pytest.mark.parametrize("verb", ["link", "unlink", "confirm"])
def test_an_order_goes_by_the_marketplaces_number_too(call: Call, home: Path, verb: str) -> None:
    workspace = Workspace.at(home)
    with sqlite3.connect(workspace.home.archive) as plain:
        plain.execute("UPDATE sales_order SET marketplace_id = 'M-1' WHERE hub_id = 'o1'")
        plain.execute("UPDATE sales_order SET marketplace_id = 'M-2' WHERE hub_id <> 'o1'")
    number = 4 if verb == "link" else 1
    said = ("links", verb, "--key", key(number), "--home", home, "--json", "--order")
    assert call(*said, "M-1").json["links"] == 1
    history = call("links", "history", "--order", "o1", "--home", home, "--json").json["history"]
    assert len(history) == 1
    unclear = call(*said, "M-2")
    assert (unclear.code, "o2" in str(unclear.json)) == (2, True)


def test_ties_wait_for_a_person(call: Call, home: Path) -> None:
    (tie,) = call("links", "ties", "--home", home, "--json").json["ties"]
    assert (tie["orders"], tie["kind"], tie["decided"]) == (["o3", "o4"], "scored", False)
    assert call("links", "ties", "--home", home, "--period", "2026-08", "--json").json["total"] == 0
    people = call("links", "ties", "--home", home)
    assert "they are alike" in people.out
    assert "confere links link" in people.err


def test_the_report_is_written_beside(call: Call, unreconciled: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.xlsx"
    done = call("reconcile", "--home", unreconciled, "--all", *NOW, "--report", path, "--json")
    assert done.json["report"] == str(path)
    book = openpyxl.load_workbook(path)
    assert book.sheetnames[:3] == ["Summary", "Findings", "Links"]
    words = {cell.value for row in book["Summary"].iter_rows() for cell in row}
    assert {"Still open", "Orders in the archive", "Documents in the archive"} <= words
    assert not {"Open", "Orders", "Documents"} & words
    other = tmp_path / "other.xlsx"
    assert call("findings", "report", other, "--home", unreconciled, "--json").json == {"report": str(other)}
    assert other.is_file()
    assert call("findings", "report", tmp_path / "a.csv", "--home", unreconciled, "--json").code == 2


def test_goods_and_taxes_are_tables(call: Call, home: Path) -> None:
    nothing = {"account": "shop", "company": None, "total": 0, "of_no_company": 0, "items": []}
    assert call("stock", "--home", home, "--json").json == nothing
    assert "0 items." in call("stock", "--home", home).err
    assert call("stock", "a/b/c", "--home", home, "--json").code == 2
    found = call("taxes", "--home", home, "--period", "2026-10", "--json").json
    assert (found["account"], found["period"]) == ("shop", "2026-10")
    assert sum(line["documents"] for line in found["lines"]) == 4
    assert {line["in_effect"] for line in found["lines"]} == {True, False}
    assert "lines." in call("taxes", "--home", home).err
    whole = call("taxes", "--home", home, "--json").json
    of_company = call("taxes", "--home", home, "--company", EMITTER, "--json").json
    assert (of_company["account"], of_company["company"], whole["company"]) == (None, EMITTER, None)
    assert of_company["lines"] == whole["lines"], "the account has no other company"
    assert call("taxes", "--home", home, "--company", RECIPIENT, "--json").json["lines"] != whole["lines"]
    assert call("taxes", "--home", home, "--company", "123", "--json").code == 2


def test_the_reasons_of_a_link_do_not_run_together(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(OpenArchive(Workspace.at(made))) as opened:
        (line, *_) = queries.links(opened, business.ACCOUNT)
    reasons = (message("made by hand"), message("they are alike"))
    reconciliation_reports.links(Output(), [replace(line, link=replace(line.link, evidence=reasons))])
    assert "made by hand · they are alike" in capsys.readouterr().out


def test_ties_say_what_a_link_does_at_once(call: Call, made: Path) -> None:
    told = call("links", "ties", "--home", made).err
    assert "judged anew at once" in told
    assert "reconcile again" not in told
