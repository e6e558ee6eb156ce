"""Orders and findings with a file to write: real cells, people hidden on request, and the documents that belong."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from tests.app import business
from tests.cli.running import Call


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Notes, orders, links and findings; only read."""
    return business.workspace_at(tmp_path_factory.mktemp("saved")).home.root


def test_orders_become_rows_with_real_cells(call: Call, home: Path, tmp_path: Path) -> None:
    listed = call("orders", "list", "--all", "--json", "--home", home).json["orders"]
    file = tmp_path / "orders.xlsx"
    done = call("orders", "list", "--xlsx", file, "--json", "--home", home)
    assert (done.code, done.json["saved"]["rows"], done.json["saved"]["documents"]) == (0, len(listed), 0)
    page = openpyxl.load_workbook(file).active
    assert page is not None
    head, *lines = page.iter_rows(values_only=True)
    order, total, created = (head.index(name) for name in ("Order", "Total", "Created"))
    assert [line[order] for line in lines] == [row["order_id"] for row in listed]
    assert [None if line[total] is None else Decimal(str(line[total])) for line in lines] == [
        None if row["total"] is None else Decimal(row["total"]) for row in listed
    ]
    assert any(isinstance(line[created], datetime) for line in lines)


def test_chosen_orders_come_in_their_order_and_hide_people(call: Call, home: Path, tmp_path: Path) -> None:
    listed = call("orders", "list", "--all", "--json", "--home", home).json["orders"]
    chosen = listed[2:0:-1]
    (tmp_path / "rows").write_text("".join(f"{row['row']}\n" for row in chosen), encoding="utf-8")
    options = ("--csv", tmp_path / "o.csv", "--ids-from", tmp_path / "rows", "--hide-people")
    assert call("orders", "list", *options, "--home", home).code == 0
    text = (tmp_path / "o.csv").read_text(encoding="utf-8-sig")
    lines = list(csv.DictReader(text.splitlines(), delimiter=";"))
    assert [line["Order"] for line in lines] == [row["order_id"] for row in chosen]
    assert {line["Buyer"] for line in lines} == {"Cliente Avó"}  # of a company nothing is hidden


def test_findings_become_rows_and_their_documents_a_zip(call: Call, home: Path, tmp_path: Path) -> None:
    listed = call("findings", "list", "--json", "--home", home).json["findings"]
    file = tmp_path / "findings.xlsx"
    assert call("findings", "list", "--xlsx", file, "--home", home).code == 0
    page = openpyxl.load_workbook(file).active
    assert page is not None
    head, *lines = page.iter_rows(values_only=True)
    assert [line[head.index("Rule")] for line in lines] == [entry["rule"] for entry in listed]
    known = {row["access_key"]: row for row in call("list", "--all", "--json", "--home", home).json["documents"]}
    keys = {key for entry in listed for key in entry["keys"]} & set(known)
    done = call("findings", "list", "--save-xml", tmp_path / "f.zip", "--json", "--home", home)
    assert done.json["saved"]["documents"] == len(keys) > 0
    with zipfile.ZipFile(tmp_path / "f.zip") as package:
        digests = {hashlib.sha256(package.read(name)).hexdigest() for name in package.namelist()}
    assert digests == {known[key]["sha256"] for key in keys}


def test_the_documents_of_orders_are_those_that_are_linked(call: Call, home: Path, tmp_path: Path) -> None:
    listed = call("orders", "list", "--all", "--json", "--home", home).json["orders"]
    shown = [call("orders", "show", row["order_id"], "--json", "--home", home).json["documents"] for row in listed]
    keys = {document["access_key"] for documents in shown for document in documents}
    done = call("orders", "list", "--save-xml", tmp_path / "xml", "--json", "--home", home)
    assert done.json["saved"]["documents"] == len(keys) > 0
    assert len(list((tmp_path / "xml").iterdir())) == done.json["saved"]["files"]


def test_an_empty_list_and_a_wrong_plan_write_nothing(call: Call, home: Path, tmp_path: Path) -> None:
    for command in ("orders", "findings", "catalog"):
        assert call(command, "list", "nobodyhasthisname", "--csv", tmp_path / "n.csv", "--home", home).code != 0
        assert call(command, "list", "--xlsx", tmp_path / "n.csv", "--home", home).code == 2
        assert call(command, "list", "--replace", "--home", home).code == 2
    assert not list(tmp_path.iterdir())


def test_a_company_that_is_not_here_is_said_with_those_that_are(call: Call, home: Path) -> None:
    known = "11.222.333/0001-81"
    for command in (("findings", "list", "--rule", "R3"), ("orders", "list", "o2")):
        unknown = call(*command, "--company", "11444777000161", "--home", home)
        assert unknown.code == 0
        assert "11.444.777/0001-61 is not a company of this archive" in " ".join(unknown.err.split())
        assert known in unknown.err
        assert call(*command, "--company", "11444777000161", "--home", home, "--json").json["total"] == 0
        assert "not a company" not in call(*command, "--company", known, "--home", home).err
        assert "not a company" not in call(*command, "--company", known, "zzz", "--home", home).err


def test_findings_are_found_by_the_words_of_the_language_in_use(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = (
        ("en", "divergence", 1),
        ("en", "divergencia", 0),
        ("pt_BR", "divergencia", 1),
        ("pt_BR", "divergence", 0),
    )
    for code, word, total in searches:
        monkeypatch.setenv("CONFERE_LANGUAGE", code)
        assert call("findings", "list", word, "--json", "--home", home).json["total"] == total
