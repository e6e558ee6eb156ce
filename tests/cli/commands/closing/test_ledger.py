"""ledger, and the ledger that export writes beside a package."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest

from tests.cli.running import Call

COMPANY, MONTH = "34128745000152", "2018-08"
NAME = f"{COMPANY}-{MONTH}.xlsx"
OF_COMPANY = ("--company", "34.128.745/0001-52")


def keys_in(path: Path) -> set[str]:
    """The access keys that the ledger's sheet of documents has."""
    page = openpyxl.load_workbook(path)["Documents"]
    rows = page.iter_rows(values_only=True)
    place = next(rows).index("Access key")
    return {str(row[place]) for row in rows if row[place]}


def test_a_ledger_has_the_documents_that_the_list_shows(call: Call, home: Path, tmp_path: Path) -> None:
    done = call("ledger", "--period", "08/2018", *OF_COMPANY, "--home", home, "--json")
    assert (done.code, done.err) == (0, "")
    (written,) = done.json["ledgers"]
    assert (written["company"], written["month"], written["missing"]) == (COMPANY, MONTH, 0)
    assert Path(written["path"]) == home / "exports" / NAME
    listed = call("list", *OF_COMPANY, "--month", MONTH, "--all", "--home", home, "--json").json
    assert written["documents"] == listed["total"]
    assert keys_in(home / "exports" / NAME) == {entry["access_key"] for entry in listed["documents"]}

    people = call("ledger", "--month", MONTH, "--to", tmp_path / "own.xlsx", *OF_COMPANY, "--home", home)
    assert people.code == 0
    assert "own.xlsx" in people.err.replace("\n", "")
    assert (tmp_path / "own.xlsx").read_bytes() == (home / "exports" / NAME).read_bytes()


@pytest.mark.parametrize("form", ["csv", "CSV-RFC4180", "parquet"])
def test_it_comes_in_other_forms(call: Call, home: Path, tmp_path: Path, form: str) -> None:
    line = ("ledger", "--period", MONTH, *OF_COMPANY, "--format", form, "--to", tmp_path / "new", "--home", home)
    (written,) = call(*line, "--json").json["ledgers"]
    path = Path(written["path"])
    assert path.parent == tmp_path / "new"
    if form == "parquet":
        assert list(path.glob("*-documents.parquet"))
    else:
        with zipfile.ZipFile(path) as package:
            assert package.testzip() is None
            assert any(name.endswith("-documents.csv") for name in package.namelist())


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--period", "2005-01"), 3, "2005-01"),
        (("--period", "2018-13"), 2, "2018-13"),
        (("--period", MONTH, *OF_COMPANY, "--format", "ods"), 2, "csv-rfc4180"),
        (("--period", MONTH, *OF_COMPANY, "--to", "ledger.zip"), 2, ".xlsx"),
        ((), 2, "--month"),
    ],
)
def test_what_cannot_be_a_ledger(call: Call, home: Path, options: tuple[str, ...], code: int, words: str) -> None:
    done = call("ledger", *options, "--home", home)
    assert done.code == code
    assert words in done.err
    assert not list((home / "exports").glob("*"))


def test_it_ends_with_1_where_the_month_lacks_something(call: Call, home: Path) -> None:
    added = ("account", "add", "shop", "--address", "https://hub.example", "--platform", "p", "--cnpj", COMPANY)
    assert call(*added, "--home", home).code == 0
    done = call("ledger", "--period", MONTH, "--home", home, "--json")
    (written,) = done.json["ledgers"]
    assert (done.code, written["company"]) == (1, COMPANY)
    assert written["missing"] > 0


def test_export_writes_it_beside_the_package_unless_told_not_to(call: Call, home: Path, tmp_path: Path) -> None:
    line = ("export", *OF_COMPANY, "--month", MONTH, "--home", home, "--json", "--to")
    assert call(*line, tmp_path / "alone", "--no-ledger").code == 0
    assert not list((tmp_path / "alone").glob("*.xlsx"))
    (package,) = call(*line, tmp_path / "both").json["packages"]
    assert {path.name for path in Path(package["path"]).parent.glob("*.xlsx")} == {NAME}
    assert len(keys_in(tmp_path / "both" / NAME)) == package["documents"]


@pytest.mark.logs_problems
def test_a_package_stands_where_its_ledger_cannot_be_written(call: Call, home: Path, tmp_path: Path) -> None:
    (tmp_path / NAME / "in the way").mkdir(parents=True)
    line = ("export", *OF_COMPANY, "--month", MONTH, "--home", home, "--to", tmp_path)
    done = call(*line, "--json")
    assert (done.code, done.err) == (1, "")
    (package,) = done.json["packages"]
    (lack,) = package["missing"]
    assert NAME in str(lack)
    with zipfile.ZipFile(package["path"]) as archive:
        assert archive.testzip() is None
    people = call(*line, "--replace")
    assert people.code == 1
    assert "ledger" in people.out.lower()
