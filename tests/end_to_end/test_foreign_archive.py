"""A stranger's archive or backup gets no token and no request; what a person gave a token for works as ever."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.cli import context as faces
from confere.system.secrets import system_keyring
from tests.end_to_end.confere import Done, confere, spoken
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub
from tests.recording_listener import RecordingListener, recording_listener

SECRET = "0f-th1s-nobody-may-know"
NAME = "loja"


class Ring:
    """A keyring of one test."""

    priority = 5.0
    name = "ring"

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, user: str) -> str | None:
        return self.kept.get((service, user))

    def set_password(self, service: str, user: str, token: str) -> None:
        self.kept[service, user] = token

    def delete_password(self, service: str, user: str) -> None:
        del self.kept[service, user]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    made = Ring()
    monkeypatch.setattr(system_keyring, "_backend", lambda: made)
    return made


@pytest.fixture
def stranger() -> Iterator[RecordingListener]:
    with recording_listener() as listener:
        yield listener


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as served:
        for number in range(1, 4):
            served.add(number, number)
        yield served


def use_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """Be another installation: another configuration, in the same process."""
    for variable in ("XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / name))


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_machine(monkeypatch, tmp_path, "here")


def secret_file(path: Path) -> Path:
    path.write_text(SECRET)
    path.chmod(0o600)
    return path


def change(home: Path, statement: str, *values: str) -> None:
    """What somebody with the `sqlite3` program makes of an archive."""
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        database.execute(statement, values)


def added(home: Path, address: str, *more: str, name: str = NAME, text: str = "") -> Done:
    hub = ("--address", address, "--platform", "p", "--environment", "sandbox")
    return confere(home, "account", "add", name, *hub, *more, text=text)


def foreign(home: Path, address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **facts: str) -> Path:
    """A data folder that somebody else made on another machine, with an account of theirs."""
    with monkeypatch.context() as elsewhere:
        use_machine(elsewhere, tmp_path, "elsewhere")
        assert added(home, address).code == 0
    change(home, "UPDATE account SET facts = ?, environment = 'production'", json.dumps(facts))
    return home


def products(folder: Path) -> Path:
    file = folder / "produtos.csv"
    file.write_text("SKU;Nome\nA-1;Camisa\n")
    return file


def all_that_ask_a_hub(folder: Path) -> list[tuple[str, ...]]:
    return [
        ("sync",),
        ("run", "--all", "--no-report"),
        ("account", "test", NAME),
        ("account", "shape", NAME, "--refresh"),
        ("account", "record", NAME, str(folder / "recording.json")),
        ("feeds", "read"),
        ("listen", "--account", NAME, "--port", "0"),
        ("hub", "operations"),
        ("hub", "call", "listOrders"),
        ("catalog", "sync"),
        ("catalog", "push", str(products(folder)), "--yes"),
    ]


def refused(home: Path, words: tuple[str, ...], address: str) -> None:
    """The command sends nothing and says of which account, which address and what gives it a token."""
    done = confere(home, *words)
    told = json.dumps(done.json) + done.complaints
    assert done.code in (1, 3), (words, done)
    assert NAME in told, (words, told)
    assert address in told, (words, told)
    assert f"confere account token {NAME}" in told, (words, told)


def test_a_foreign_archive_sends_nothing_whatever_asks(
    stranger: RecordingListener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = secret_file(tmp_path / "secret")
    monkeypatch.setenv("CONFERE_TOKEN", SECRET)
    monkeypatch.setenv("CONFERE_TOKEN_LOJA", SECRET)
    monkeypatch.setenv("CONFERE_TOKEN_FILE", str(file))
    home = foreign(tmp_path / "home", stranger.address, monkeypatch, tmp_path, token_file=str(file), token="t")
    for words in all_that_ask_a_hub(tmp_path):
        refused(home, words, stranger.address)
    confere(home, "doctor", "--repair")
    assert stranger.connections == []
    (listed,) = confere(home, "account", "list").json["accounts"]
    assert (listed["disarmed"], listed["token_origin"]) == (True, None)
    _, _, said = spoken(home, "account", "list")
    assert f"no token on this machine for {stranger.address}" in said


@pytest.mark.parametrize("facts", ['{"token": "t"}', '{"token": "t", "seed": "7"}', "{}"])
def test_what_an_archive_calls_embedded_is_asked_nowhere_else(
    stranger: RecordingListener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: str
) -> None:
    home = foreign(tmp_path / "home", stranger.address, monkeypatch, tmp_path)
    change(home, "UPDATE account SET environment = 'embedded', facts = ?", facts)
    for words in (("sync",), ("hub", "operations"), ("catalog", "sync")):
        refused(home, words, stranger.address)
    assert stranger.connections == []


def test_a_demonstration_is_asked_at_the_hub_that_confere_started_alone(
    stranger: RecordingListener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = foreign(tmp_path / "home", stranger.address, monkeypatch, tmp_path)
    change(home, "UPDATE account SET environment = 'embedded', facts = ?", '{"seed": 7, "documents": 3}')
    assert confere(home, "sync", "--no-orders").json["sync"]["listed"] == 3
    assert stranger.connections == []


def test_a_foreign_backup_is_named_before_it_is_restored_and_sends_nothing_after(
    stranger: RecordingListener, hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = secret_file(tmp_path / "secret")
    theirs = foreign(tmp_path / "theirs", stranger.address, monkeypatch, tmp_path, token_file=str(file))
    assert confere(theirs, "backup", str(tmp_path / "copy.sqlite3")).code == 0
    home = tmp_path / "home"
    assert added(home, hub.address, "--token-file", str(file)).code == 0
    assert confere(home, "sync").code == 0
    monkeypatch.setenv("CONFERE_TOKEN", SECRET)

    seen = confere(home, "restore", str(tmp_path / "copy.sqlite3"), "--preview").json["accounts"]
    assert seen == [
        {
            "name": NAME,
            "address": stranger.address,
            "present_address": hub.address,
            "change": "moved",
            "disarmed": True,
        }
    ]
    _, out, said = spoken(home, "restore", str(tmp_path / "copy.sqlite3"), "--preview")
    assert f"{NAME}: {stranger.address}, and no longer {hub.address}; no token on this machine" in out.decode() + said
    assert confere(home, "restore", str(tmp_path / "copy.sqlite3"), "--yes").json["accounts"] == seen
    for words in (("sync",), ("run", "--all", "--no-report"), ("hub", "operations"), ("account", "test", NAME)):
        refused(home, words, stranger.address)
    assert stranger.connections == []


@pytest.mark.parametrize("way", ["keyring", "file", "variable"])
def test_an_address_changed_in_a_backup_of_the_same_archive_gets_no_token(
    stranger: RecordingListener, hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ring: Ring, way: str
) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy.sqlite3"
    if way == "keyring":
        assert added(home, hub.address, "--token-stdin", text=SECRET).json["token_kept"] == "keyring"
    elif way == "file":
        token_file = str(secret_file(tmp_path / "secret"))
        assert added(home, hub.address, "--token-file", token_file).json["token_kept"] == "file"
    else:
        monkeypatch.setenv("CONFERE_TOKEN", SECRET)
        assert added(home, hub.address).json["token_kept"] == "environment"
    change(home, "UPDATE account SET environment = 'production'")
    assert confere(home, "sync").code == 0
    assert confere(home, "backup", str(copy)).code == 0
    good = shutil.copy(copy, tmp_path / "good.sqlite3")
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute("UPDATE account SET address = ?", (stranger.address,))

    assert confere(home, "restore", str(copy), "--preview").json["accounts"][0]["change"] == "moved"
    assert confere(home, "restore", str(copy), "--yes").code == 0
    for words in (("sync",), ("run", "--all", "--no-report"), ("hub", "operations"), ("catalog", "sync")):
        refused(home, words, stranger.address)
    told = json.dumps(confere(home, "sync").json)
    assert hub.address.removesuffix("/v2") in told
    assert f"confere account token {NAME} --origin {stranger.origin}" in told
    assert stranger.connections == []

    assert confere(home, "restore", str(good), "--yes").code == 0  # the token of before is still there for its address
    assert confere(home, "sync").code == 0
    assert stranger.connections == []


def test_the_same_token_goes_to_another_address_once_a_person_confirmed_it(
    hub: SmallHub, tmp_path: Path, ring: Ring
) -> None:
    home = tmp_path / "home"
    with serving(SmallHub()) as other:
        other.add(9, 9)
        assert added(home, hub.address, "--token-stdin", text=SECRET).code == 0
        changed = confere(home, "account", "change", NAME, "--address", other.address)
        before = hub.address.removesuffix("/v2")
        assert (changed.code, changed.json["token_origin"]) == (0, before)
        assert confere(home, "sync").code == 3
        wrong = confere(home, "account", "token", NAME, "--origin", "https://elsewhere.example")
        assert (wrong.code, confere(home, "sync").code) == (2, 3)
        assert confere(home, "account", "token", NAME, "--origin", other.address).json["token_kept"] == "keyring"
        assert confere(home, "sync").json["sync"]["listed"] == 1
        assert [user for _, user in ring.kept] == [NAME]
        assert confere(home, "account", "change", NAME, "--address", hub.address).code == 0
        assert confere(home, "account", "token", NAME, "--token-stdin", text="another").code == 0
        assert list(ring.kept.values()) == ["another"]
        assert confere(home, "sync").code == 0


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_on_a_terminal_the_question_is_asked_with_both_addresses(
    hub: SmallHub, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    home = tmp_path / "home"
    with serving(SmallHub()) as other:
        assert added(home, hub.address, "--token-stdin", text=SECRET).code == 0
        monkeypatch.setattr(faces, "is_terminal", lambda stream: True)
        code, _, said = spoken(home, "account", "change", NAME, "--address", other.address, text=answer)
        monkeypatch.undo()
        monkeypatch.setattr(system_keyring, "_backend", lambda: ring)
        use_machine(monkeypatch, tmp_path, "here")
        assert code == 0
        assert hub.address.removesuffix("/v2") in said
        assert other.address in said
        assert confere(home, "sync").code == (0 if answer.startswith("y") else 3)


def test_a_data_folder_moved_to_another_machine_needs_one_command(
    hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ring: Ring
) -> None:
    assert added(tmp_path / "home", hub.address, "--token-stdin", text=SECRET).code == 0
    assert confere(tmp_path / "home", "sync").code == 0
    home = Path(shutil.copytree(tmp_path / "home", tmp_path / "moved"))
    use_machine(monkeypatch, tmp_path, "another machine")
    ring.kept.clear()
    asked = len(hub.asked)
    refused(home, ("sync",), hub.address)
    assert len(hub.asked) == asked
    assert confere(home, "account", "token", NAME, "--token-stdin", text=SECRET).json["token_kept"] == "keyring"
    assert confere(home, "sync").code == 0


def test_a_server_that_never_saw_the_archive_names_the_origin_beside_the_token(
    hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = foreign(tmp_path / "home", hub.address, monkeypatch, tmp_path)
    monkeypatch.setenv("CONFERE_TOKEN", SECRET)
    refused(home, ("run", "--all", "--no-report"), hub.address)
    monkeypatch.setenv("CONFERE_TOKEN_ORIGIN", "https://hub.example")
    refused(home, ("run", "--all", "--no-report"), hub.address)
    assert hub.asked == []
    monkeypatch.setenv("CONFERE_TOKEN_ORIGIN", hub.address)
    assert confere(home, "run", "--all", "--no-report").json["accounts"][0]["problem"] is None
    assert hub.asked


def test_what_older_releases_wrote_of_tokens_leaves_the_archive(hub: SmallHub, tmp_path: Path, ring: Ring) -> None:
    home = tmp_path / "home"
    assert added(home, hub.address, "--token-stdin", text=SECRET).code == 0
    change(home, "UPDATE account SET facts = ?", json.dumps({"token_file": "/etc/shadow", "token": "t", "odd": 1}))
    assert confere(home, "sync").code == 0
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        facts = json.loads(transaction.scalar("SELECT facts FROM account"))
    assert not {"token", "token_file"} & set(facts)
    assert facts["odd"] == 1


def test_a_bindings_file_that_is_damaged_stops_every_account_with_the_way_out(
    stranger: RecordingListener, tmp_path: Path, ring: Ring
) -> None:
    home, file = tmp_path / "home", tmp_path / "here" / "Confere" / "tokens.json"
    assert added(home, stranger.address, "--token-stdin", text=SECRET).code == 0
    if sys.platform.startswith("linux"):
        assert file.is_file()
        file.write_text("{")
        done = confere(home, "sync")
        assert done.code == 3
        assert str(file) in done.complaints + json.dumps(done.json)
    assert stranger.connections == []
