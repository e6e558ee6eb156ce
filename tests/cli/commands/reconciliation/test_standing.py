"""What a person must be told of an account, a file or a record, and was not: old lists, files left out, odd answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.archive.papers import key, note
from tests.cli.running import Call
from tests.intake.served import Answer, serving
from tests.intake.small_hub import SmallHub


class Forbidding(SmallHub):
    """Records are kept from the token, files are not."""

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        is_record = path.removeprefix("/v2/fiscalDocuments/").startswith("fd-")
        return (403, {"message": "sem permissão"}) if is_record else super().answer(method, path, query, body)


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub(now=datetime.now(UTC))) as running:
        yield running


def add(call: Call, home: Path, address: str, name: str = "loja", environment: str = "sandbox") -> None:
    account = ("account", "add", name, "--address", address, "--platform", "p", "--environment", environment)
    assert call(*account, "--home", home).code == 0


@pytest.fixture
def home(call: Call, tmp_path: Path, hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    home = tmp_path / "home"
    add(call, home, hub.address)
    return home


def aged(home: Path, days: int) -> None:
    """As if nobody had synced for so many days."""
    at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection, connection:
        connection.execute("UPDATE coverage SET finished_at = ?, to_at = min(to_at, ?)", (at, at))


def accounts_of(call: Call, home: Path) -> tuple[int, list[str]]:
    """The exit code of doctor, and what it says of accounts, each with its mark."""
    done = call("doctor", "--home", home)
    lines = [" ".join(line.split()) for line in done.out.replace("\n    ", " ").splitlines()]
    return done.code, [line for line in lines if "account: " in line]


@pytest.mark.parametrize(("days", "mark", "code"), [(2, "ok", 0), (3, "look", 1), (99, "look", 1)])
def test_a_list_grows_old(call: Call, hub: SmallHub, home: Path, days: int, mark: str, code: int) -> None:
    hub.add(1, 1)
    assert call("sync", "--no-orders", "--home", home).code == 0
    aged(home, days)
    done = call("doctor", "--home", home, "--json")
    assert done.code == code
    assert done.json["facts"]["accounts"]["loja"]["listed_days"] == days
    (told,) = [entry for entry in done.json["findings"] if entry["topic"] == "account"]
    assert told["well"] is (code == 0)
    assert ("confere sync --account loja" in told["what"]) is (mark == "look")
    assert (f"{days} days ago" in told["what"]) is (mark == "look")
    assert accounts_of(call, home)[1][0].startswith(mark)
    listed = call("account", "list", "--home", home, "--json").json["accounts"][0]
    assert listed["listed_days"] == days
    assert (f"{days} days ago" in " ".join(call("account", "list", "--home", home).out.split())) is (mark == "look")
    assert call("sync", "--no-orders", "--home", home).code == 0
    assert call("doctor", "--home", home).code == 0


def fed(home: Path, days: int, fact: str) -> None:
    """As if a feed had been read so many days ago."""
    at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection, connection:
        connection.execute("UPDATE account SET facts = json_set(facts, ?, ?)", (f'$."{fact}"', at))


@pytest.mark.parametrize(
    ("fact", "feed", "word"),
    [
        ("feed_read_at", "orders", "changed orders"),
        ("feed_read_at:transmissions-price", "transmissions-price", "changed prices"),
        ("feed_read_at:reservations", "reservations", "stock reservations"),
    ],
)
@pytest.mark.parametrize(
    ("days", "said", "code"), [(24, None, 0), (25, "before changes are lost", 0), (30, "changes may have been lost", 1)]
)
def test_a_feed_is_about_to_forget_changes(
    call: Call,
    hub: SmallHub,
    home: Path,
    days: int,
    said: str | None,
    code: int,
    fact: str,
    feed: str,
    word: str,
) -> None:
    hub.add(1, 1)
    assert call("sync", "--no-orders", "--home", home).code == 0
    fed(home, days, fact)
    done = call("doctor", "--home", home, "--json")
    known = done.json["facts"]["accounts"]["loja"]
    assert (done.code, known["feeds"][feed]["days"]) == (code, days)
    assert known["feed_days"] == (days if feed == "orders" else None)
    told = [entry["what"] for entry in done.json["findings"] if f"feed of {word}" in entry["what"]]
    assert [said in what and f"{days} days ago" in what for what in told] == ([True] if said else [])
    listed = call("account", "list", "--home", home, "--json").json["accounts"][0]
    assert [(entry["feed"], entry["days"]) for entry in listed["feeds"]] == [(feed, days)]
    assert listed["feed_days"] == (days if feed == "orders" else None)
    shown = " ".join(call("account", "list", "--home", home).err.split())
    assert (f"the feed of {word} was last read {days} days ago" in shown) is (said is not None)


def test_a_demonstration_does_not_grow_old(
    call: Call, hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    home = tmp_path / "home"
    add(call, home, hub.address, environment="embedded")
    hub.add(1, 1)
    assert call("sync", "--no-orders", "--home", home).code == 0
    aged(home, 99)
    fed(home, 99, "feed_read_at")
    assert call("doctor", "--home", home).code == 0
    assert call("account", "list", "--home", home, "--json").json["accounts"][0]["listed_days"] is None


def test_a_named_file_that_is_neither_xml_nor_zip_is_told(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "nota.pdf").write_bytes(b"%PDF-1.7")
    (folder / "nota.xml").write_bytes(note(1))
    whole = call("import", folder, "--home", tmp_path / "home", "--json")
    assert (whole.code, whole.json["ignored"]) == (0, 1)
    named = call("import", folder / "nota.pdf", folder / "nota.xml", "--home", tmp_path / "home")
    assert named.code == 1
    assert "nota.pdf is neither XML nor ZIP." in " ".join(named.err.split())


def test_orders_of_a_file_are_nobodys_where_there_are_two_accounts(
    call: Call, hub: SmallHub, home: Path, tmp_path: Path
) -> None:
    add(call, home, hub.address, name="demonstracao", environment="embedded")
    file = tmp_path / "orders.csv"
    file.write_text("Pedido;Data;Total\n1;2026-10-01;10,00\n", encoding="utf-8")
    done = call("orders", "import", file, "--home", home)
    assert done.code == 2
    assert "--account: demonstracao, loja" in " ".join(done.err.split())


def test_a_retry_promises_nothing_of_records_without_a_name(call: Call, hub: SmallHub, home: Path) -> None:
    nameless = hub.add(3, 1, documents=[], history=[])
    del nameless["id"], nameless["documentKey"]
    said = " ".join(call("sync", "--no-orders", "--home", home).err.split())
    assert "--retry asks for it again" not in said
    assert "cannot be asked for again" in said


def test_records_kept_from_the_token_say_what_it_is(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    home = tmp_path / "home"
    with serving(Forbidding(now=datetime.now(UTC))) as hub:
        add(call, home, hub.address)
        hub.add(1, 1)
        del hub.add(2, 1)["documents"]
        done = call("sync", "--no-orders", "--home", home, "--json")
        assert done.code == 1
        assert [entry["item_id"] for entry in done.json["failures"]] == ["fd-2"]
        assert "does not let this token read the record of fd-2 (403)" in done.json["failures"][0]["reason"]
    code, said = accounts_of(call, home)
    assert code == 1
    assert any("Another sync" in line for line in said)
    assert not any("sync it again" in line for line in said)
    assert key(1) in call("list", "--home", home, "--json").out
