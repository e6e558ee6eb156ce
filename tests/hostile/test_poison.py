"""A file that ends the program whenever it is touched: it is named and set aside, and everything else gets done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from confere.archive.store import Archive
from confere.errors import message
from confere.intake.isolated_reading import Received
from confere.intake.recorder import record
from confere.system.secrets import system_keyring
from tests.archive.papers import key, note
from tests.cli.running import ENVIRONMENT
from tests.end_to_end.confere import confere
from tests.hostile import answers
from tests.hostile.answers import Raw, page, raw
from tests.hostile.poisoned import POISON

GOOD = 37
BAD = 20  # the number of the poison among them
NUMBERS = range(1, GOOD + 2)


def paper(number: int) -> bytes:
    text = note(number)
    if number != BAD:
        return text
    assert b"</infNFe>" in text
    return text.replace(b"</infNFe>", b"<infAdic>" + POISON + b"</infCpl></infAdic></infNFe>")


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.poisoned", str(home / "peak"), "--home", str(home), "--json", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def run(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    process = start(home, *arguments)
    out, err = process.communicate()
    assert "Traceback" not in err
    return process.returncode, json.loads(out) if out.strip() else {}


def untouched(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Run a command in this process, which reads the poison as any other text."""
    done = confere(home, *arguments)
    return done.code, done.json


@pytest.fixture(autouse=True)
def _no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    monkeypatch.setattr(system_keyring, "_backend", none)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir(0o700)
    return folder


class Hub:
    """A hub of 38 notes, one of them the poison. `victim` is killed while that one is served."""

    def __init__(self) -> None:
        self.victim: subprocess.Popen[str] | None = None
        self.served = threading.Event()

    def __call__(self, path: str, _: dict[str, str]) -> Raw:
        if path == "/v2/fiscalDocuments":
            return raw(page([answers.record(number) for number in NUMBERS]))
        if path.startswith("/v2/fiscalDocuments/download/n"):
            number = int(path.rpartition("n")[2])
            if number == BAD and self.victim is not None:
                return Raw(self._kill(paper(number)))
            return raw(paper(number), Content_Type="application/xml")
        return raw(b'{"message": "nothing here"}', status=404)

    def _kill(self, body: bytes) -> Iterator[bytes]:
        yield body[:100]
        assert self.victim is not None
        self.victim.kill()
        self.victim.wait()
        yield body[100:]


@pytest.fixture
def hub(home: Path) -> Iterator[Hub]:
    made = Hub()
    with answers.serving(made) as address:
        token = home / "token"
        token.touch(0o600)
        token.write_text("t0ken", encoding="ascii")
        code, _ = untouched(
            home, "account", "add", "hostile", "--address", address, "--platform", "x", "--environment", "sandbox",
            "--token-file", str(token),
        )  # fmt: skip
        assert code == 0
        yield made


def archived(home: Path) -> set[str]:
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        return {row[0] for row in transaction.fetch("SELECT access_key FROM document")}


def every_good_one() -> set[str]:
    return {key(number) for number in NUMBERS if number != BAD}


def test_a_sync_that_dies_of_reading_it(home: Path, hub: Hub) -> None:
    code, _ = run(home, "sync", "--no-orders")
    assert code < 0 or code > 100  # killed
    code, told = run(home, "sync", "--no-orders")
    assert code == 1
    assert [entry["item_id"] for entry in told["failures"]] == [f"n{BAD}"]
    assert "set aside" in told["failures"][0]["reason"]
    assert archived(home) == every_good_one()
    # It stays told, without being touched, and its bytes are here.
    code, told = untouched(home, "sync", "--no-orders")
    assert code == 1
    assert [entry["item_id"] for entry in told["failures"]] == [f"n{BAD}"]
    _, unread = untouched(home, "list", "--unreadable")
    assert "set aside" in json.dumps(unread)
    # In a program that can read it, it is asked for once more.
    code, told = untouched(home, "sync", "--retry")
    assert (code, told["failures"]) == (0, [])
    assert archived(home) == every_good_one() | {key(BAD)}


@pytest.mark.exhaustive
def test_a_sync_that_is_killed_while_it_is_served(home: Path, hub: Hub) -> None:
    for _ in range(2):
        hub.victim = start(home, "sync", "--no-orders")
        hub.victim.communicate()
        assert hub.victim.returncode not in (0, 1, 2, 3)
    code, told = run(home, "sync", "--no-orders")
    assert code == 1
    (failure,) = told["failures"]
    assert failure["item_id"] == f"n{BAD}"
    assert "set aside" in failure["reason"]
    assert archived(home) == every_good_one()
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        rows = transaction.fetch("SELECT attempts, state FROM download WHERE item_id = ?", (f"n{BAD}",))
    assert rows == [(2, "failed")]
    code, told = run(home, "doctor")
    assert code == 1
    (finding,) = [entry["what"] for entry in told["findings"] if not entry["well"]]
    assert finding == f"hostile: what ended the program was set aside: 1 (n{BAD}). `confere sync --retry` tries again."
    hub.victim = None
    code, told = untouched(home, "sync", "--retry")
    assert (code, told["failures"]) == (0, [])
    assert archived(home) == every_good_one() | {key(BAD)}


def test_an_import_that_dies_of_reading_it(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in NUMBERS:
        (folder / f"{number}.xml").write_bytes(paper(number))
    code, _ = run(home, "import", str(folder))
    assert code not in (0, 1, 2, 3)
    for again in range(2):
        code, told = run(home, "import", str(folder))
        assert code == 1
        (problem,) = told["problems"]
        assert problem["source"].endswith(f"{BAD}.xml")
        assert "set aside" in problem["reason"]
        assert archived(home) == every_good_one(), again


@pytest.mark.exhaustive
@pytest.mark.parametrize("alone", ["3000", "1"])
def test_reading_and_judging_the_archive_again_goes_on(home: Path, alone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive.to_write(home / "archive.sqlite3", "test") as archive:
        record(archive, 1, [Received(paper(number), "test") for number in NUMBERS])
    monkeypatch.setitem(ENVIRONMENT, "POISON_ALONE", alone)
    kept = archived(home)
    ends = 0
    for command in (("verify",), ("reindex", "--all")):
        code, told = run(home, *command)
        if code not in (0, 1, 2, 3):
            ends += 1
            code, told = run(home, *command)
        assert code == 1, told
        assert told["set_aside"] == [sha256(paper(BAD)).hexdigest()]
        done = told["counts"]["judged"] if command[0] == "verify" else told["documents"]
        assert done == GOOD
        assert archived(home) == kept
    assert ends == (2 if alone == "3000" else 0)  # workers die in our place
