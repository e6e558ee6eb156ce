"""doctor as a job of the window: verifying and copying tell how far they are, and can be stopped without a trace."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.cli.commands.maintenance.doctor import doctor
from confere.cli.context import Face
from confere.cli.options.global_options import Given
from confere.errors import Cancelled
from tests.archive.papers import cancellation, note, store
from tests.cli.running import Call
from tests.held import Held


def test_verifying_and_copying_tell_how_far_they_are(call: Call, home: Path) -> None:
    done = call("doctor", "--verify", "--backup", "--home", home, "--progress-json")
    assert (done.code, done.err) == (0, "")
    *progress, last = [json.loads(line) for line in done.out.splitlines()]
    assert {line["type"] for line in progress} == {"progress"}
    ends = {line["text"]: (line["done"], line["total"]) for line in progress}
    contents = last["result"]["facts"]["archive"]["contents"]
    assert ends["Reading the archive back"] == (contents, contents)
    copied, pages = ends["Copying the archive"]
    assert copied == pages > 0
    assert (last["type"], last["exit_code"]) == ("result", 0)
    (backup,) = (home / "backups").iterdir()
    assert last["result"]["facts"]["backup"] == str(backup)
    assert last["result"]["facts"]["backups"]["whole"] == 1
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT count(*) FROM content").fetchone() == (contents,)


def test_one_is_told_as_one(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Workspace.at(home).writing("test") as archive:
        store(archive, note(1))
    said = call("doctor", "--verify", "--home", home).out
    assert "The archive holds 1 document and 0 events." in said
    assert "The only content matches its SHA-256." in said
    assert "1 document, worth R$ 10,00." in call("list", "--all", "--home", home).err
    with Workspace.at(home).writing("test") as archive:
        store(archive, note(2), cancellation(1))
    said = call("doctor", "--verify", "--home", home).out
    assert "The archive holds 2 documents and 1 event." in said
    assert "All 3 contents match their SHA-256." in said
    (tmp_path / "broken.xml").write_bytes(b"<nfeProc><NFe>")
    assert call("import", tmp_path / "broken.xml", "--home", home).code == 1
    assert "look  archive: 1 received file cannot be read" in call("doctor", "--home", home).out
    assert "\n1 file that cannot be read." in "\n" + call("list", "--unreadable", "--home", home).err


def test_a_look_alone_has_no_progress(call: Call, home: Path) -> None:
    (line,) = call("doctor", "--home", home, "--progress-json").out.splitlines()
    assert json.loads(line)["type"] == "result"


@pytest.mark.parametrize("work", ["verify", "backup"])
def test_what_is_stopped_leaves_nothing(home: Path, work: str) -> None:
    face = Face(Given(home=home, progress_json=True))
    face.stop.set()
    with pytest.raises(Cancelled, match="stopped"):
        doctor(face, verify=work == "verify", backup=work == "backup")
    assert list((home / "backups").iterdir()) == []


def test_of_the_copies_of_a_day_the_newest_stays(call: Call, home: Path) -> None:
    written = [call("doctor", "--backup", "--home", home, "--json").json["facts"]["backup"] for _ in range(3)]
    assert [str(path) for path in (home / "backups").iterdir()] == written[2:]


def test_an_old_backup_that_is_open_elsewhere_is_no_fault(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    Workspace.at(home).writing("test").close()
    assert call("doctor", "--backup", "--home", home).code == 0
    (old,) = (home / "backups").iterdir()
    Held(monkeypatch).hold(old.name, 1000)
    done = call("doctor", "--backup", "--home", home)
    assert done.code == 0
    assert f"The older copy {old} could not be removed now" in done.out
    assert len(list((home / "backups").iterdir())) == 2
