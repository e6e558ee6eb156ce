"""`confere list` with a file to write: every byte is the vault's, every sum the list's, and nothing is a formula."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl

from tests.cli.running import Call


def _listed(call: Call, home: Path, *options: str) -> dict[str, Any]:
    return call("list", "--all", "--json", "--home", home, *options).json


def _digests(rows: Sequence[dict[str, Any]]) -> set[str]:
    return {row["sha256"] for row in rows}


def test_a_zip_holds_the_bytes_of_the_vault_and_is_the_same_twice(call: Call, archived: Path, tmp_path: Path) -> None:
    rows = _listed(call, archived, "--type", "nfe")["documents"]
    for name in ("a.zip", "b.zip"):
        done = call("list", "--type", "nfe", "--save-xml", tmp_path / name, "--json", "--home", archived)
        assert done.code == 0
    assert done.json["saved"]["documents"] == len(rows)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as package:
        assert package.testzip() is None
        assert {hashlib.sha256(package.read(name)).hexdigest() for name in package.namelist()} == _digests(rows)
        assert len(package.namelist()) == done.json["saved"]["files"] == len(_digests(rows))
    again = call("list", "--save-xml", tmp_path / "a.zip", "--home", archived)
    assert again.code == 2
    assert call("list", "--save-xml", tmp_path / "a.zip", "--replace", "--home", archived).code == 0


def test_a_folder_keeps_what_stands_there_and_goes_on(call: Call, archived: Path, tmp_path: Path) -> None:
    rows = _listed(call, archived, "--type", "nfe")["documents"]
    options = ("list", "--type", "nfe", "--save-xml", tmp_path / "out", "--json", "--home", archived)
    first = call(*options).json["saved"]
    files = sorted((tmp_path / "out").iterdir())
    assert first["files"] == len(files)
    files[0].write_bytes(b"mine")
    files[1].unlink()
    again = call(*options).json["saved"]
    assert (again["files"], again["already"]) == (2, len(files) - 2)
    assert files[0].read_bytes() == b"mine"
    found = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "out").iterdir() if path != files[0]}
    assert found == _digests(rows)


def test_the_sums_of_the_spreadsheet_are_the_lists(call: Call, archived: Path, tmp_path: Path) -> None:
    listed = _listed(call, archived)
    file = tmp_path / "list.xlsx"
    assert call("list", "--xlsx", file, "--home", archived).code == 0
    page = openpyxl.load_workbook(file).active
    assert page is not None
    head, *lines = page.iter_rows(values_only=True)
    value, void = head.index("Value"), head.index("Value without effect")

    def total(place: int) -> Decimal:
        return sum((Decimal(str(line[place])) for line in lines if line[place] is not None), Decimal(0))

    assert len(lines) == listed["total"]
    assert total(value) + total(void) == Decimal(listed["worth"])
    assert total(void) == Decimal(listed["void"]["worth"])


def test_rows_of_a_file_come_in_its_order_with_people_hidden_and_no_formula(
    call: Call, archived: Path, tmp_path: Path
) -> None:
    rows = _listed(call, archived)["documents"]
    chosen = [row["row"] for row in rows[3:0:-1]]
    (tmp_path / "rows.txt").write_text("".join(f"{number}\n" for number in chosen), encoding="utf-8")
    options = ("--csv", tmp_path / "x.csv", "--ids-from", tmp_path / "rows.txt", "--hide-people")
    assert call("list", *options, "--home", archived).code == 0
    text = (tmp_path / "x.csv").read_text(encoding="utf-8-sig")
    lines = list(csv.DictReader(text.splitlines(), delimiter=";"))
    keys = {row["row"]: row["access_key"] for row in rows}
    assert [line["Access key"] for line in lines] == [keys[number] or "" for number in chosen]
    assert not any(cell.startswith(("=", "+", "@")) for line in lines for cell in line.values())


def test_the_pdfs_of_a_query_go_into_a_folder(call: Call, archived: Path, tmp_path: Path) -> None:
    rows = _listed(call, archived, "--type", "cteos")["documents"]
    done = call("list", "--type", "cteos", "--save-pdf", tmp_path / "pdf", "--json", "--home", archived)
    assert done.json["saved"]["documents"] == len(rows) > 0
    assert len(list((tmp_path / "pdf").glob("*.pdf"))) == done.json["saved"]["files"] == len(rows)


def test_plans_that_make_no_sense_are_refused(call: Call, archived: Path, tmp_path: Path) -> None:
    for options in (
        ("--xlsx", tmp_path / "a.xlsx", "--csv", tmp_path / "a.csv"),
        ("--xlsx", tmp_path / "a.csv"),
        ("--csv", tmp_path / "a.txt"),
        ("--replace",),
        ("--unreadable", "--csv", tmp_path / "a.csv"),
        ("--csv", tmp_path / "a.csv", "--ids-from", tmp_path / "none.txt"),
    ):
        assert call("list", *options, "--home", archived).code == 2
    assert call("list", "nobodyhasthisname", "--csv", tmp_path / "a.csv", "--home", archived).code != 0
    assert not list(tmp_path.glob("a.*"))
