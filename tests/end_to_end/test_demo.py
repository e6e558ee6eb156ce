"""The main job in one command, twice: sandbox, sync, packages; and nothing is downloaded a second time."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from confere.archive.documents.recorder import CLAIMED_BY_HUB, CLAIMED_BY_XML
from confere.archive.store import Archive
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.world import World
from tests.end_to_end.confere import Done, confere, spoken

DOCUMENTS = 200
OPTIONS = ("demo", "--no-window", "--documents", str(DOCUMENTS), "--seed", "7")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def first(home: Path) -> Done:
    return confere(home, *OPTIONS, "--truth", str(home / "truth.json"))


def test_everything_is_listed_and_downloaded(first: Done) -> None:
    world = World(7, DOCUMENTS, forget=True, lies=read_spec("all"))
    papers = sum(len(world.occurrences(index)) + len(world.copies(index)) for index in world.all_documents())
    assert first.code == 0, first
    sync = first.json["sync"]
    assert (sync["listed"], sync["new"], sync["failed"], sync["already"]) == (DOCUMENTS, DOCUMENTS, 0, 0)
    assert sync["downloaded"] == papers
    details, pages = DOCUMENTS, -(-DOCUMENTS // 100)
    # A round number of documents is looked at closely: behind the last page, and for others by their dates.
    assert sync["requests"] <= details + papers + pages + 5


def test_the_archive_knows_every_relation_that_the_sandbox_knows(first: Done, home: Path) -> None:
    assert first.code == 0
    truth = json.loads((home / "truth.json").read_text(encoding="utf-8"))
    wanted = {(entry["from"], entry["kind"], entry["to"]) for entry in truth["relations"]}
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        rows = transaction.fetch("SELECT source_key, kind, target_key, claims FROM relation")
    found = {(source, kind, target) for source, kind, target, claims in rows if claims & CLAIMED_BY_XML}
    assert wanted
    assert wanted <= found
    archived = {(source, target) for source, _, target in wanted}
    claimed = {(source, target) for source, _, target, claims in rows if claims == CLAIMED_BY_XML | CLAIMED_BY_HUB}
    assert archived <= claimed  # the hub names them too, and both claims meet in one row


def test_invoices_are_held_against_the_catalog(first: Done, home: Path) -> None:
    catalog = first.json["catalog"]
    assert catalog["listed"] == catalog["archived"] > 0
    assert confere(home, "findings", "list", "--rule", "R27").json["total"] == 0


def test_each_package_holds_what_the_list_totals(first: Done, home: Path) -> None:
    assert len(first.json["packages"]) == 2
    for package in first.json["packages"]:
        listed = confere(home, "list", "--company", package["company"], "--month", package["month"], "--all").json
        assert package["month"] == "2026-10"
        assert package["documents"] == listed["total"] == len(listed["documents"]) > 0
        with zipfile.ZipFile(package["path"]) as opened:
            assert opened.testzip() is None
            assert len(opened.namelist()) == package["xml"] == package["documents"] + package["events"]


@pytest.mark.system_program("unzip")
def test_unzip_accepts_the_packages(first: Done) -> None:
    for package in first.json["packages"]:
        subprocess.run(["unzip", "-tqq", package["path"]], check=True)


def test_what_goes_out_is_what_show_gives(first: Done, home: Path) -> None:
    package = first.json["packages"][0]
    with zipfile.ZipFile(package["path"]) as opened:
        for name in opened.namelist()[::17]:
            key = Path(name).name[:44]
            if "-proc" in name and "Evento" not in name and "Inut" not in name:
                assert spoken(home, "show", key, "--xml") == (0, opened.read(name), "")


def test_again_nothing_is_downloaded(first: Done, home: Path) -> None:
    again = confere(home, *OPTIONS)
    assert again.code == 0, again
    assert again.json["sync"]["downloaded"] == 0
    assert again.json["sync"]["failed"] == 0
    assert again.json["sync"]["new"] == 0
    strip = ("seconds", "bytes")
    assert [{k: v for k, v in p.items() if k not in strip} for p in again.json["packages"]] == [
        {k: v for k, v in p.items() if k not in strip} for p in first.json["packages"]
    ]


def test_a_person_gets_a_summary_without_json(first: Done, home: Path) -> None:
    code, said, _ = spoken(home, *OPTIONS)
    text = said.decode()
    assert code == 0
    assert "Documents listed" in text
    assert first.json["packages"][0]["path"] in text.replace("\n", "")
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
