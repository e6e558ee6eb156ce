"""`confere verify`, `reindex`, `account trust` and lists by verdict: their JSON, tables, exit codes and refusals."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.app.sandboxed import DOCUMENTS, copied, files_of, synced
from tests.cli.running import Call

CHECKS = [
    *("check_digit", "key_fields", "digest", "signature", "protocol_digest", "protocol", "signer"),
    *("certificate_dates", "chain", "environment", "schema"),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synced(tmp_path_factory)


@pytest.fixture
def home(world: Path, tmp_path: Path) -> Path:
    return copied(world, tmp_path / "home").home.root


def test_the_whole_archive(call: Call, home: Path) -> None:
    done = call("verify", "--home", home, "--json")
    assert done.code == 0
    counts = done.json["counts"]
    assert (counts["documents"], counts["ok"], counts["failed"], counts["unchecked"]) == (DOCUMENTS, DOCUMENTS, 0, 0)
    assert (counts["judged"], counts["none"]) == (DOCUMENTS, 0)
    assert len(done.json["documents"]) == DOCUMENTS
    for entry in done.json["documents"]:
        assert entry["verdict"] == "ok"
        assert [line["check"] for line in entry["lines"]] == CHECKS
        for line in entry["lines"]:
            assert line["result"] in ("ok", "failed", "not_applicable", "unchecked")
            assert line["result"] == "ok" or line["result"] == "not_applicable" or line["why"]
    assert (
        sum(len(entry["events"]) for entry in done.json["documents"]) == 2 * counts["events_judged"]
    )  # half were when they came
    again = call("verify", "--home", home)
    assert again.code == 0
    assert "Authentic" in again.out
    assert call("verify", "--home", home, "--again", "--json").json["counts"]["judged"] == DOCUMENTS


def test_one_document_is_told_line_by_line(call: Call, home: Path) -> None:
    listed = call("list", "state:cancelled", "--home", home, "--json", "--limit", "1").json["documents"][0]
    assert listed["verdict"] is None
    done = call("verify", listed["access_key"], "--home", home, "--json")
    assert done.code == 0
    (entry,) = done.json["documents"]
    assert (entry["access_key"], entry["verdict"]) == (listed["access_key"], "ok")
    assert [line["check"] for line in entry["lines"]] == CHECKS
    assert entry["events"][0]["code"] == "110111"
    assert done.json["counts"] == {"documents": 1, "ok": 1, "unchecked": 0, "failed": 0, "test": 0}
    said = call("verify", str(listed["row"]), "--home", home)
    assert "Signature" in said.out
    assert "trusted for sandbox accounts only" in said.out
    key = listed["access_key"]
    spaced = " ".join(key[start : start + 4] for start in range(0, 44, 4))
    assert call("verify", spaced, listed["sha256"], "--home", home, "--json").json["counts"]["documents"] == 2


def test_what_fails_is_named_and_ends_with_one(call: Call, home: Path, tmp_path: Path) -> None:
    from confere.app.context import Workspace

    files_of(Workspace.at(home), tmp_path / "files")
    other = tmp_path / "other"
    assert call("import", tmp_path / "files", "--home", other).code == 0
    done = call("verify", "--home", other)
    assert done.code == 1
    assert "Not authentic" in done.out
    assert call("verify", "--home", other, "--json").code == 1
    for arguments in (("--verdict", "failed"), ("autenticidade:falhou",), ("authenticity:failed",)):
        assert call("list", *arguments, "--home", other, "--json").json["total"] == DOCUMENTS
    assert call("list", "--verdict", "ok,none", "--home", other, "--json").json["total"] == 0
    first = call("list", "--sort", "verdict", "--home", other, "--json").json["documents"][0]
    one = call("verify", first["access_key"], "--home", other, "--json")
    assert one.code == 1
    failed = {line["check"] for line in one.json["documents"][0]["lines"] if line["result"] == "failed"}
    assert failed == {"chain"}
    assert call("doctor", "--home", other, "--json").json["facts"]["verdicts"]["failed"] == DOCUMENTS


def test_a_forged_copy_is_told_beside_the_genuine_one(call: Call, home: Path, tmp_path: Path) -> None:
    listed = call("list", "state:authorized", "--type", "nfe", "--home", home, "--json", "--limit", "1").json
    (listed,) = listed["documents"]
    key = listed["access_key"]
    forged = tmp_path / "forged.xml"
    assert call("show", key, "--home", home, "--xml", "--output", forged).code == 0
    forged.write_bytes(forged.read_bytes().replace(b"<xProd>", b"<xProd>X", 1))
    call("import", forged, "--home", home)
    done = call("verify", "--home", home, "--json")
    assert done.code == 1
    assert (done.json["counts"]["failing_versions"], done.json["counts"]["altered_versions"]) == (1, 1)
    assert call("verify", "--home", home, "--fail-on", "altered").code == 1
    assert call("verify", "--company", listed["emitter"]["tax_id"], "--home", home, "--fail-on", "altered").code == 1
    shown = call("show", key, "--home", home, "--json").json
    assert (shown["sha256"], shown["verdict"]) == (listed["sha256"], "ok")
    said = call("verify", "--home", home)
    assert said.code == 1
    assert "Another content" in said.out + said.err
    assert "altered after signing" in call("show", key, "--home", home).out
    # Its own verdict: not authentic, as ever, and told apart beside it.
    digest = hashlib.sha256(forged.read_bytes()).hexdigest()
    one = call("verify", digest, "--home", home, "--json")
    (entry,) = one.json["documents"]
    assert (one.code, entry["verdict"], entry["altered"]) == (1, "failed", True)
    lines = {line["check"]: (line["result"], line["altered"]) for line in entry["lines"]}
    assert lines["digest"] == ("failed", True)
    assert lines["signature"] == ("ok", False)
    for worst, code in (("altered", 1), ("failed", 1), ("unchecked", 1)):
        assert call("verify", digest, "--fail-on", worst, "--home", home).code == code
    assert call("verify", listed["sha256"], "--fail-on", "unchecked", "--home", home).code == 0


def test_what_was_altered_is_found_and_ends_a_schedulers_run(call: Call, home: Path, tmp_path: Path) -> None:
    from confere.app.context import Workspace

    genuine, *others = files_of(Workspace.at(home), tmp_path / "files")
    other = tmp_path / "other"
    assert call("import", *others[:3], "--home", other).code == 0
    assert call("verify", "--home", other, "--fail-on", "altered").code == 0  # they fail, and are what was signed
    assert call("verify", "--home", other).code == 1
    changed = tmp_path / "changed.xml"
    text = genuine.read_bytes()
    changed.write_bytes(re.sub(rb"<(xNome|xProd|xJust)>", rb"<\1>X", text, count=1))
    assert changed.read_bytes() != text
    assert call("import", changed, "--home", other).code == 0
    done = call("verify", "--home", other, "--fail-on", "altered", "--json")
    counts = done.json["counts"]
    assert (done.code, counts["altered"] + counts["altered_events"], counts["documents"]) == (1, 1, counts["failed"])
    listed = call("list", "--verdict", "altered", "--home", other, "--json").json
    assert [(entry["verdict"], entry["altered"]) for entry in listed["documents"]] == [("failed", True)] * listed[
        "total"
    ]
    assert listed["total"] == counts["altered"]
    assert call("list", "autenticidade:alterado", "--home", other, "--json").json["total"] == counts["altered"]
    assert call("list", "--verdict", "failed", "--home", other, "--json").json["total"] == counts["failed"]
    assert call("verify", "--fail-on", "perhaps", "--home", other).code == 2


def test_what_could_not_be_checked_ends_with_one_where_that_is_asked(call: Call, home: Path) -> None:
    """Nothing speaks against it, and a scheduler may still want to hear of it."""
    assert call("verify", "--home", home, "--fail-on", "unchecked").code == 0
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        database.execute("DELETE FROM account_root")
    done = call("verify", "--home", home, "--json")
    assert (done.code, done.json["counts"]["unchecked"]) == (0, DOCUMENTS)
    assert call("verify", "--home", home, "--fail-on", "altered").code == 0
    assert call("verify", "--home", home, "--fail-on", "unchecked").code == 1
    key = done.json["documents"][0]["access_key"]
    assert (
        call("verify", key, "--home", home).code,
        call("verify", key, "--home", home, "--fail-on", "unchecked").code,
    ) == (0, 1)


def test_an_event_that_failed_before_ends_with_one_too(call: Call, home: Path) -> None:
    assert call("verify", "--home", home).code == 0
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        database.execute(
            "UPDATE verdict SET result = 2 WHERE kind = 1"
            " AND content_id = (SELECT min(content_id) FROM verdict WHERE kind = 1)"
        )
        (key,) = database.execute(
            "SELECT e.access_key FROM event e JOIN verdict v USING (content_id) WHERE v.result = 2"
        ).fetchone()
    done = call("verify", "--home", home)
    assert done.code == 1
    assert "Events that failed" in done.out
    assert key in done.out
    done = call("verify", "--home", home, "--json")
    assert (done.code, done.json["counts"]["failing_events"]) == (1, 1)


def test_a_month_of_a_company(call: Call, home: Path) -> None:
    listed = call("list", "--home", home, "--json", "--all").json["documents"]
    month = listed[0]["issued_at"][:7]
    owner = listed[0]["emitter"]["tax_id"]
    chosen = ("--month", month, "--company", owner, "--home", home, "--json")
    wanted = call("list", *chosen, "--all").json["total"]
    done = call("verify", *chosen)
    assert done.json["counts"]["judged"] == len(done.json["documents"]) == wanted
    assert wanted < DOCUMENTS


def test_wrong_use_is_refused(call: Call, home: Path) -> None:
    assert call("verify", "1", "--again", "--home", home).code == 2
    assert call("verify", "1", "--month", "2026-10", "--home", home).code == 2
    assert call("verify", "0" * 44, "--home", home).code == 2
    assert call("list", "--verdict", "perhaps", "--home", home).code == 2


def test_reading_again(call: Call, home: Path) -> None:
    assert call("reindex", "--home", home, "--json").json["contents"] == 0
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        database.execute("UPDATE content SET reader = NULL WHERE family = 0")
        contents = database.execute("SELECT count(*) FROM content WHERE family = 0").fetchone()[0]
    doctor = call("doctor", "--home", home, "--json")
    assert doctor.json["facts"]["older_reader"] == contents
    assert doctor.code == 1
    done = call("reindex", "--home", home, "--json")
    assert done.code == 0
    assert (done.json["contents"], done.json["documents"]) == (contents, DOCUMENTS)
    assert call("doctor", "--home", home, "--json").json["facts"]["older_reader"] == 0
    assert "Files read again" in call("reindex", "--all", "--home", home).out


def test_an_authority_of_an_accounts_own(call: Call, home: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        pem = database.execute("SELECT certificate FROM account_root").fetchone()[0]
    (tmp_path / "root.pem").write_bytes(pem)
    done = call("account", "trust", "world", tmp_path / "root.pem", "--home", home, "--json")
    assert done.code == 0
    assert [entry["new"] for entry in done.json["trusted"]] == [False]
    assert "Trusted for world alone" in call("account", "trust", "world", tmp_path / "root.pem", "--home", home).err
    add = ("account", "add", "real", "--address", "http://127.0.0.1:9", "--platform", "p", "--home", home)
    assert call(*add).code == 0
    refused = call("account", "trust", "real", tmp_path / "root.pem", "--home", home)
    assert refused.code == 2
    assert "ICP-Brasil alone" in refused.err


def test_an_authority_of_nobody_or_out_of_nothing(call: Call, home: Path, tmp_path: Path) -> None:
    unknown = call("account", "trust", "nobody", tmp_path / "none.pem", "--home", home)
    assert unknown.code == 2
    assert "There is no account nobody." in unknown.err
    missing = call("account", "trust", "world", tmp_path / "none.pem", "--home", home)
    assert missing.code == 2
    assert f"There is no file {tmp_path / 'none.pem'}." in missing.err
    assert "No such file" not in missing.err
    (tmp_path / "empty.pem").touch()
    assert "There is no certificate in" in call("account", "trust", "world", tmp_path / "empty.pem", "--home", home).err


def test_the_doctor_marks_what_is_to_be_looked_at(call: Call, home: Path, tmp_path: Path) -> None:
    from confere.app.context import Workspace

    def marks(folder: Path) -> dict[str, str]:
        done = call("doctor", "--home", folder)
        assert done.code == 0
        return {line.partition("  ")[2]: line.partition("  ")[0] for line in done.out.splitlines()}

    well = marks(home)
    assert [mark for said, mark in well.items() if said.startswith("archive: The archive holds")] == ["ok"]
    assert [mark for said, mark in well.items() if "no keyring to use" in said] == ["look"]
    files_of(Workspace.at(home), tmp_path / "files")
    other = tmp_path / "other"
    assert call("import", tmp_path / "files", "--home", other).code == 0
    assert call("verify", "--home", other).code == 1
    sentence = f"archive: {DOCUMENTS} documents are not authentic; see `confere list --verdict failed`."
    assert marks(other)[sentence] == "look"
    assert call("doctor", "--home", other, "--json").json["well"] is True
