"""Near misses, explained differences and explanations that are outgrown: by command, on a small business."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
import pytest

from confere.app.context import Workspace
from confere.archive.accounts import accounts
from tests.app import business
from tests.app.made import account
from tests.archive.papers import key, note, store
from tests.cli.running import Call

NOW = ("--as-of", "2026-11-10T00:00:00-03:00")
NEAR = {"total": 9.0, "gross": 9.0}  # its note is of ten reais
INTEREST = {"total": 10.5, "interestValue": 0.5, "invoice": {"accessKey": key(2)}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An order that nearly fits its note, one of which the interest explains the difference, and 2 centavos."""
    workspace = Workspace.at(tmp_path_factory.mktemp("near"))
    with workspace.writing("test") as archive:
        store(archive, note(1), note(2), note(3))
        owner = account(archive, business.ACCOUNT)
        raws = (_order("o1", **NEAR), _order("o2", **INTEREST), _order("o3", **_apart(9.98)))
        business.record_orders(archive, owner, *raws)
    return workspace.home.root


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "home"))


def _order(name: str, **how: object) -> bytes:
    return business.order_json(name, **how)


def _apart(total: float) -> dict[str, object]:
    return {"total": total, "gross": total, "invoice": {"accessKey": key(3)}}


def test_a_near_miss_is_listed_once_and_accepted(call: Call, home: Path) -> None:
    run = call("reconcile", "--home", home, "--all", *NOW, "--json").json
    assert run["runs"][0]["suggestions"] == 1
    (pair,) = run["suggestions"]
    assert (pair["order"], pair["key"]) == ("o1", key(1))
    assert (pair["order_total"], pair["document_total"]) == ("9.00", "10.00")
    assert "the buyer's tax id" in pair["agrees"]
    assert any("R$ 9,00" in reason for reason in pair["differs"])
    listed = call("links", "suggestions", "--home", home, "--json").json
    whole = {"account": business.ACCOUNT, "company": None, "total": 1, "of_no_company": 0}
    assert listed == {**whole, "suggestions": [pair]}
    assert call("links", "suggestions", "--home", home, "--period", "2026-08", "--json").json["total"] == 0
    people = call("links", "suggestions", "--home", home)
    assert "the items" in people.out
    assert "confere links accept" in people.err
    assert call("links", "accept", "--home", home).code == 2
    assert call("links", "accept", "--order", "o3", "--home", home).code != 0
    done = call("links", "accept", "--order", "o1", "--home", home, "--json")
    assert (done.code, done.json["links"]) == (0, 1)
    assert call("links", "suggestions", "--home", home, "--json").json["total"] == 0
    call("links", "undo", "--home", home)
    assert call("links", "suggestions", "--home", home, "--json").json["total"] == 1
    call("links", "redo", "--home", home)
    again = call("reconcile", "--home", home, "--all", *NOW, "--json").json
    assert not again["suggestions"]
    (found,) = [entry for entry in again["findings"] if entry["orders"] == ["o1"] and entry["rule"] == "R3"]
    assert (found["state"], found["amount"], found["severity"]) == ("open", "1.00", "low")


def test_what_the_rule_explains_is_a_list_of_each_run(call: Call, home: Path, tmp_path: Path) -> None:
    run = call("reconcile", "--home", home, "--all", *NOW, "--json").json
    (line,) = run["explained"]
    assert (line["rule"], line["orders"], line["keys"], line["amount"]) == ("R3", ["o2"], [key(2)], "0.50")
    assert "interest" in line["evidence"]
    assert run["runs"][0]["explained_by_rule"] == {"count": 1, "amount": "0.50"}
    _receive(home, _order("o2", total=10.0, invoice={"accessKey": key(2)}))
    again = call("reconcile", "--home", home, "--all", *NOW, "--json").json
    assert (again["explained"], again["runs"][0]["explained_by_rule"]["count"]) == ([], 0)
    assert call("findings", "explained", "--home", home, "--json").json["explained"] == []
    of_run = call("findings", "explained", "--home", home, "--run", run["run"], "--json").json
    assert (of_run["total"], of_run["explained"]) == (1, [line])
    _receive(home, _order("o2", **INTEREST))
    path = tmp_path / "report.xlsx"
    people = call("reconcile", "--home", home, "--all", *NOW, "--report", path)
    assert "R$ 0,50" in people.out
    rows = list(openpyxl.load_workbook(path)["Explained by the rule"].iter_rows(values_only=True))
    assert (rows[1][3], rows[1][4], float(rows[1][2])) == ("o2", key(2), 0.5)
    people = call("findings", "explained", "--home", home)
    assert "o2" in people.out


def test_an_explanation_is_given_for_an_amount(call: Call, home: Path) -> None:
    first = call("reconcile", "--home", home, "--all", *NOW, "--json").json
    (number,) = [entry["id"] for entry in first["findings"] if entry["rule"] == "R3"]
    call("account", "change", business.ACCOUNT, "--high-from", "5,00", "--home", home)
    assert call("findings", "explain", number, "--note", "rounding", "--home", home).code == 0
    quiet = call("reconcile", "--home", home, "--all", *NOW, "--fail-on", "high", "--json")
    assert quiet.code == 0
    _receive(home, _order("o3", **_apart(0.5)))
    loud = call("reconcile", "--home", home, "--all", *NOW, "--fail-on", "high", "--json")
    assert loud.code == 1
    (found,) = [entry for entry in loud.json["findings"] if entry["id"] == number]
    assert (found["state"], found["amount"], found["changed"], found["note"]) == ("open", "9.50", True, "rounding")
    last = call("reconcile", "--home", home, "--all", *NOW, "--fail-on", "high").err.splitlines()[-1]
    assert last == f"The exit code is 1 because of: R3: finding {number}"
    people = call("findings", "show", number, "--home", home)
    assert "Open again: explained at R$ 0,02, now R$ 9,50" in " ".join(people.out.split())
    assert call("findings", "explain", number, "--home", home).code == 2, "a reason has to be given"
    call("findings", "explain", number, "--note", "rounding", "--home", home)
    assert call("reconcile", "--home", home, "--all", *NOW, "--fail-on", "high").code == 0


def _receive(home: Path, raw: bytes) -> None:
    """The hub tells an order anew."""
    with Workspace.at(home).writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, business.ACCOUNT)
        business.record_orders(archive, owner, raw)


def test_a_sale_of_another_account_of_the_company_is_no_sale_without_order(call: Call, tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "two")
    with workspace.writing("test") as archive:
        store(archive, note(1))
        account(archive, business.ACCOUNT)
        other = account(archive, "second")
        business.record_orders(archive, other, business.order_json("b1", invoice={"accessKey": key(1)}))
    found = call("reconcile", "--home", workspace.home.root, "--all", *NOW, "--json").json
    assert [entry for entry in found["findings"] if entry["rule"] == "R2"] == []
