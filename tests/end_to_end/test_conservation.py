"""What the archive loses is named by key, stands in a package's `missing`, and comes back: by sync or by repair."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.overview.overview import StepKind, overview
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.breadth import some_of
from tests.end_to_end.confere import add_account, confere, contents, spoken


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=120, seed=6, orders=False)) as hub:
        yield hub


@pytest.fixture(scope="module")
def synced(hub: RunningHub, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("synced")
    add_account(home, "hub", hub.address, hub.token)
    done = confere(home, "sync")
    assert done.code == 0, done
    assert confere(home, "doctor", "--verify").code == 0
    return home


@pytest.fixture
def home(synced: Path, tmp_path: Path) -> Path:
    """A copy of the synced folder, for a test to damage."""
    return Path(shutil.copytree(synced, tmp_path / "home"))


def change(home: Path, sql: str, *values: object) -> int:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection, connection:
        return connection.execute(sql, values).rowcount


def sale(home: Path) -> tuple[str, int, str]:
    """A note of a month with several: its key, the number of its content, and whose it is."""
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
        found: tuple[str, int, str] = connection.execute(
            "SELECT d.access_key, d.content_id, t.tax_id FROM document d JOIN taxpayer t ON t.id = d.emitter_id"
            " WHERE d.model = '55' AND substr(d.access_key, 3, 18) = (SELECT substr(access_key, 3, 18) FROM document"
            " WHERE model = '55' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) ORDER BY d.id LIMIT 1"
        ).fetchone()
    return found


def export(home: Path, key: str, company: str, name: str) -> tuple[int, dict[str, list[str]], int]:
    """The exit code of an export, the keys it says are missing by kind, and the files in the package."""
    target = home / f"{name}.zip"
    done = confere(home, "export", "--company", company, "--month", f"20{key[2:4]}-{key[4:6]}", "--to", str(target))
    manifest = json.loads(target.with_name(f"{name}.manifest.json").read_text())
    missing = {entry["kind"]: [line["name"] for line in entry["first"]] for entry in manifest["missing"]}
    return done.code, missing, len(manifest["files"])


DAMAGE = {
    "deleted": "DELETE FROM content WHERE id = ?",
    "flipped": "UPDATE content SET payload = CAST(substr(payload, 1, length(payload) - 9) || x'ff' ||"
    " substr(payload, length(payload) - 7) AS BLOB) WHERE id = ?",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_content_that_is_gone_is_named_everywhere_and_comes_back(home: Path, damage: str) -> None:
    before = contents(home)
    key, content_id, company = sale(home)
    _, whole, files = export(home, key, company, "before")
    assert "bytes_missing" not in whole
    assert change(home, DAMAGE[damage], content_id) == 1

    if damage == "deleted":
        assert confere(home, "doctor").code == 1
    code, missing, fewer = export(home, key, company, "damaged")
    assert (code, missing["bytes_missing"]) == (1, [key])
    assert fewer < files
    verified = confere(home, "doctor", "--verify")
    assert verified.code == 1
    assert [entry["key"] for entry in verified.json["facts"]["damaged"]] == [key]
    listed = confere(home, "list", key)
    assert listed.json["documents"][0]["access_key"] == key
    assert ("bytes_missing" in listed.json["documents"][0]) == (damage == "deleted")
    if damage == "deleted":
        assert "bytes missing" in spoken(home, "list", key)[1].decode()
        assert "Its bytes are missing" in json.dumps(confere(home, "show", key).json)
    assert confere(home, "show", key).code == 0
    assert key in json.dumps(confere(home, "doctor").json["findings"])

    done = confere(home, "sync")
    assert (done.code, done.json["sync"]["downloaded"]) == (0, 1)
    assert confere(home, "doctor", "--verify").code == 0
    assert contents(home) == before
    code, missing, again = export(home, key, company, "after")
    assert (again, "bytes_missing" in missing) == (files, False)


def test_a_file_import_of_the_same_bytes_heals(home: Path, tmp_path: Path) -> None:
    before = contents(home)
    key, content_id, _ = sale(home)
    (tmp_path / "one.xml").write_bytes(spoken(home, "show", key, "--xml")[1])
    change(home, DAMAGE["deleted"], content_id)
    confere(home, "import", str(tmp_path / "one.xml"))
    assert confere(home, "doctor", "--verify").code == 0
    assert contents(home) == before


@pytest.mark.exhaustive
def test_repair_asks_backups_and_a_folder_where_the_hub_cannot_be_asked(home: Path, tmp_path: Path) -> None:
    before = contents(home)
    key, content_id, _ = sale(home)
    xml = spoken(home, "show", key, "--xml")[1]
    change(home, "UPDATE account SET address = 'http://127.0.0.1:9/v2'")
    (home / "settings.json").write_text('{"hub_patience": 0}')
    assert confere(home, "doctor", "--backup").code == 0
    change(home, DAMAGE["deleted"], content_id)
    done = confere(home, "doctor", "--repair")
    assert done.json["facts"]["repaired"] == [{"key": key, "from": "backup"}]
    assert (done.code, contents(home)) == (0, before)

    shutil.rmtree(home / "backups")
    change(home, DAMAGE["deleted"], content_id)
    assert confere(home, "doctor", "--repair").code == 1
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "other-name.xml").write_bytes(xml)
    done = confere(home, "doctor", "--repair", "--from", str(tmp_path / "files"))
    assert done.json["facts"]["repaired"] == [{"key": key, "from": "folder"}]
    assert done.json["facts"]["still_missing"] == []
    assert (done.code, contents(home)) == (0, before)


LOSSES = {
    **{table: f"DELETE FROM {table} WHERE id = (SELECT max(id) FROM {table})" for table in ("document", "event")},
    **{
        table: f"DELETE FROM {table} WHERE document_id = (SELECT max(document_id) FROM {table})"
        for table in ("item", "party", "belonging", "tax_group")
    },
    "taxpayer": "DELETE FROM taxpayer WHERE id = (SELECT max(taxpayer_id) FROM party)",
    "download": "DELETE FROM download WHERE id = (SELECT min(id) FROM download WHERE content_id IS NOT NULL)",
    "relation": "DELETE FROM relation WHERE source_key = (SELECT min(source_key) FROM relation)",
}


@pytest.mark.parametrize("table", some_of(LOSSES, 3))
def test_rows_that_are_lost_are_made_anew(home: Path, table: str) -> None:
    before = contents(home)
    assert change(home, LOSSES[table])
    assert confere(home, "doctor", "--verify").code == 1
    done = confere(home, "doctor", "--repair", "--verify")
    assert done.code == 0, done.json["findings"]
    assert done.json["facts"]["still_missing"] == []
    # A document whose row was lost gets a new number; the words of the old one stay in the index, and find nothing.
    assert contents(home) | {"searchable": None} == before | {"searchable": None}


def test_a_record_of_the_hub_that_is_lost_is_listed_again(home: Path) -> None:
    before = contents(home)
    change(home, "DELETE FROM hub_document WHERE id = 3")
    assert confere(home, "doctor").code == 1
    assert confere(home, "doctor", "--repair").code == 0
    assert contents(home) == before


def test_an_export_counts_the_documents_themselves(home: Path) -> None:
    key, _, company = sale(home)
    change(home, "DELETE FROM belonging WHERE document_id = (SELECT id FROM document WHERE access_key = ?)", key)
    code, missing, _ = export(home, key, company, "less")
    assert (code, missing["not_belonging"]) == (1, [key])


@pytest.mark.exhaustive
@pytest.mark.parametrize("damage", ["truncated", "zeroed", "header"])
def test_a_file_that_cannot_be_read_is_rebuilt_or_restored(home: Path, damage: str) -> None:
    before = contents(home)
    assert confere(home, "doctor", "--backup").code == 0
    path = home / "archive.sqlite3"
    data = bytearray(path.read_bytes())
    page = int.from_bytes(data[16:18], "big")
    if damage == "truncated":
        del data[len(data) * 2 // 3 :]
    else:
        at = 0 if damage == "header" else len(data) // page // 2 * page
        data[at : at + page] = bytes(page)
    path.write_bytes(data)
    done = confere(home, "doctor", "--repair", "--verify")
    assert done.code == 0, done.json["findings"]
    after = contents(home)
    assert after == before
    (aside,) = home.glob("archive-damaged-*.sqlite3")
    assert aside.stat().st_size == len(data)


def test_shares_of_a_check_make_a_whole_one_and_wrong_ones_are_refused(home: Path) -> None:
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        transaction.execute("DELETE FROM vault_check")
    first = confere(home, "doctor", "--verify", "--part", "1/2")
    assert (first.code, first.json["facts"]["part"], first.json["facts"]["last_whole_check"]) == (0, "1/2", None)
    second = confere(home, "doctor", "--verify", "--part", "2/2")
    assert second.json["facts"]["last_whole_check"] is not None
    contents_of = [done.json["facts"]["verified"] for done in (first, second)]
    assert sum(contents_of) == first.json["facts"]["archive"]["contents"]
    for part in ("3/2", "0/2", "x", "1/"):
        assert confere(home, "doctor", "--verify", "--part", part).code == 2
    assert confere(home, "doctor", "--part", "1/2").code == 2
    assert confere(home, "doctor", "--from", str(home)).code == 2


def test_the_overview_asks_for_a_sync_where_bytes_are_missing(home: Path) -> None:
    change(home, DAMAGE["deleted"], sale(home)[1])
    with closing(OpenArchive(Workspace.at(home))) as opened:
        steps = {step.kind: step.count for step in overview(opened, None, None).steps}
    assert steps[StepKind.REPAIR] == 1


def test_an_event_without_a_file_and_a_record_not_understood_are_named(home: Path) -> None:
    key, _, company = sale(home)
    change(
        home,
        "INSERT INTO hub_history (hub_document_id, position, status, at)"
        " SELECT id, 99, 'CANCELLED', '2026-01-01' FROM hub_document WHERE access_key = ?",
        key,
    )
    done = confere(home, "doctor")
    assert (done.code, done.json["facts"]["accounts"]["hub"]["without_file"]) == (0, [key])
    code, missing, _ = export(home, key, company, "lacking")
    assert (code, missing["event_without_file"]) == (1, [key])
    change(
        home, "UPDATE hub_document SET problem = 'The hub names no file of this document.' WHERE access_key = ?", key
    )
    done = confere(home, "doctor")
    assert (done.code, done.json["facts"]["accounts"]["hub"]["not_understood"]) == (1, [key])
