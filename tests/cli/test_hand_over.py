"""export and doctor: packages for people and programs, and a look at everything."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from confere.app.packages.export import PROFILES
from tests.cli.running import Call

COMPANY = "34128745000152"


def test_a_month_is_handed_over(call: Call, home: Path, tmp_path: Path, papers: Path) -> None:
    done = call("export", "--company", "34.128.745/0001-52", "--month", "08/2018", "--home", home, "--json")
    assert (done.code, done.err) == (0, "")
    (package,) = done.json["packages"]
    assert package["company"] == COMPANY
    assert package["month"] == "2018-08"
    assert package["xml"] == package["documents"] + package["events"]
    listed = call("list", "--company", COMPANY, "--month", "2018-08", "--all", "--home", home, "--json").json
    assert package["documents"] == listed["total"]
    files = {path.read_bytes() for path in papers.rglob("*.xml")}
    with zipfile.ZipFile(package["path"]) as archive:
        names = [name for name in archive.namelist() if name.endswith(".xml")]
        assert len(names) == package["xml"]
        assert all(archive.read(name) in files for name in names)
    again = call("export", "--company", COMPANY, "--period", "2018-08", "--home", home, "--json")
    assert (again.code, package["identical"], again.json["packages"][0]["identical"]) == (0, False, True)
    Path(package["manifest"]).write_bytes(b"{}")
    again = call("export", "--company", COMPANY, "--month", "2018-08", "--home", home)
    assert again.code == 3
    assert str(package["manifest"]) in again.err
    replaced = call("export", "--company", COMPANY, "--month", "2018-08", "--home", home, "--replace")
    assert replaced.code == 0
    assert "34.128.745/0001-52" in replaced.out
    elsewhere = tmp_path / "out"
    elsewhere.mkdir()
    line = ("export", "--company", COMPANY, "--month", "2018-08", "--to", elsewhere, "--split-models", "--home", home)
    split = call(*line, "--json").json["packages"][0]
    assert Path(split["path"]).parent == elsewhere


def test_whose_documents_no_package_has_is_said(call: Call, home: Path) -> None:
    alone = call("export", "--month", "2018-08", "--home", home, "--replace", "--json")
    assert alone.json["undeclared"] == []
    others = {entry["company"]: entry["documents"] for entry in alone.json["packages"]}
    assert COMPANY in others
    added = ("account", "add", "shop", "--address", "https://hub.example", "--platform", "p", "--cnpj", COMPANY)
    assert call(*added, "--home", home).code == 0
    del others[COMPANY]
    found = call("export", "--month", "2018-08", "--home", home, "--replace", "--json").json
    assert {entry["tax_id"]: entry["documents"] for entry in found["undeclared"]} == others
    named = call("export", "--month", "2018-08", "--company", COMPANY, "--home", home, "--replace", "--json")
    assert named.json["undeclared"] == []
    people = call("export", "--month", "2018-08", "--home", home, "--replace")
    assert ("In no package" in people.err) is bool(others)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_stands_in_the_help_and_works(call: Call, home: Path, profile: str) -> None:
    assert profile in " ".join(call("export", "--help").out.replace("│", " ").split())
    done = call("export", "--company", COMPANY, "--month", "2018-08", "--profile", profile.upper(), "--home", home)
    assert done.code in (0, 3)
    if done.code == 3:
        assert profile == "cancellations"  # the samples hold none


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--month", "2018-08", "--profile", "all"), 2, "with-cancellations"),
        (("--month", "2005-01", "--company", COMPANY), 3, "2005-01"),
        (("--month", "2018-08", "--company", COMPANY, "--name-template", "{nonsense}"), 2, "nonsense"),
    ],
)
def test_what_cannot_be_handed_over(call: Call, home: Path, options: tuple[str, ...], code: int, words: str) -> None:
    done = call("export", *options, "--home", home)
    assert done.code == code
    assert words in done.err
    assert not list((home / "exports").glob("*.zip"))


def test_doctor_finds_nothing_wrong(call: Call, home: Path) -> None:
    done = call("doctor", "--verify", "--home", home, "--json")
    assert (done.code, done.err) == (0, "")
    shape = done.json
    assert shape["well"]
    assert all(entry.keys() == {"topic", "well", "what"} for entry in shape["findings"])
    assert shape["facts"]["verified"] == shape["facts"]["archive"]["contents"] > 20
    assert shape["facts"]["machine"]["python"]
    people = call("doctor", "--home", home)
    assert people.code == 0
    looked_at = [line for line in people.out.splitlines() if not line.startswith("ok ")]
    assert [line.partition(":")[0] for line in looked_at] == ["look  keyring"]


def test_doctor_finds_damage(call: Call, home: Path) -> None:
    archive = home / "archive.sqlite3"
    data = bytearray(archive.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8192] = b"\xff" * 8192
    archive.write_bytes(data)
    done = call("doctor", "--verify", "--home", home, "--json")
    assert done.code == 1
    assert not done.json["well"]
    people = call("doctor", "--verify", "--home", home)
    assert people.code == 1
    assert "look " in people.out


def test_doctor_works_where_nothing_is_yet(call: Call, tmp_path: Path) -> None:
    done = call("doctor", "--home", tmp_path / "none", "--json")
    assert done.code == 0
    assert not (tmp_path / "none").exists()
    assert call("doctor", "--migrate", "--home", tmp_path / "none").code == 0


def test_a_system_by_name_gets_a_folder_of_its_own(call: Call, home: Path, tmp_path: Path) -> None:
    line = ("export", "--company", COMPANY, "--period", "2018-08", "--to", tmp_path, "--system", "questor")
    package = call(*line, "--home", home, "--json").json["packages"][0]
    root = Path(package["path"])
    assert root.is_dir() and len([path for path in root.rglob("*") if path.is_file()]) == package["xml"]
    assert {path.name for path in root.iterdir()} <= {"nfe", "cte"}
    told = call("export", "--systems", "--home", home, "--json").json["systems"]
    assert [entry["name"] for entry in told] == ["standard", "dominio", "alterdata", "questor", "fortes"]
    assert all(
        (fact["source"] is None) == (fact["confidence"] == "not_confirmed") for entry in told for fact in entry["facts"]
    )
    assert "questor" in call("export", "--systems", "--home", home).out
    assert "{key}" in call("export", "--placeholders", "--home", home).out
    assert call("export", "--company", COMPANY, "--home", home).code == 2
    assert call(*line[:-1], "nobody", "--home", home).code == 2
