"""account add, list, test, remove: tokens come by stdin, a file or a prompt, and never show."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from confere.cli import context as faces
from confere.system.secrets import system_keyring
from tests.cli.running import Call
from tests.hub.shaped import ListShape
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub

TOKEN = "tok-3n-that-is-no-real-one"
CNPJ = "11.444.777/0001-61"


class Ring:
    """A keyring of this test alone."""

    priority = 5.0

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


def type_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="cp1252"))


def add(name: str, *more: object) -> list[object]:
    return ["account", "add", name, "--address", "https://hub.example/v2/", "--platform", "p", *more]


@pytest.mark.parametrize("piped", [TOKEN.encode(), TOKEN.encode() + b"\r\n", b"\xef\xbb\xbf" + TOKEN.encode() + b"\n"])
def test_a_token_is_piped_in_and_kept_in_the_keyring(
    call: Call, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch, piped: bytes
) -> None:
    type_in(monkeypatch, piped)
    done = call(*add("shop", "--cnpj", CNPJ, "--cnpj", "12ABC34501DE35", "--token-stdin"), "--home", tmp_path, "--json")
    assert (done.code, done.err) == (0, "")
    assert list(ring.kept.values()) == [TOKEN]
    account = done.json["account"]
    assert done.json["token_kept"] == "keyring"
    assert account["address"] == "https://hub.example/v2"
    assert account["environment"] == "production"
    assert [entry["tax_id"] for entry in account["establishments"]] == ["11444777000161", "12ABC34501DE35"]
    never = {"listed_at": None, "listed_days": None, "short": [], "feed_read_at": None, "feed_days": None, "feeds": []}
    token = {"token_origin": "https://hub.example", "disarmed": False}
    assert call("account", "list", "--home", tmp_path, "--json").json == {"accounts": [account | never | token]}
    listed = call("account", "list", "--home", tmp_path)
    assert "11.444.777/0001-61" in listed.out
    assert "12.ABC.345/01DE-35" in listed.out
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored
    assert TOKEN not in done.out + listed.out


def test_an_empty_stdin_is_told(call: Call, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, b"\n")
    done = call(*add("shop", "--token-stdin"), "--home", tmp_path)
    assert done.code == 2
    assert "no token on stdin" in done.err
    assert call("account", "list", "--home", tmp_path, "--json").json == {"accounts": []}


def test_a_name_that_is_taken_costs_nobody_a_token(
    call: Call, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, TOKEN.encode())
    assert call(*add("shop", "--token-stdin"), "--home", tmp_path).code == 0
    type_in(monkeypatch, b"another")
    done = call(*add("shop", "--token-stdin"), "--home", tmp_path)
    assert done.code == 2
    assert "shop" in done.err
    assert list(ring.kept.values()) == [TOKEN]


def test_a_token_file_must_hold_one_and_belong_to_one_person(call: Call, tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "token"
    missing = call(*add("shop", "--token-file", file), "--home", home)
    assert missing.code == 3
    assert str(file) in missing.err
    file.write_text(TOKEN)
    file.chmod(0o600)
    done = call(*add("shop", "--token-file", file), "--home", home, "--json")
    assert done.code == 0
    assert done.json["token_kept"] == "file"
    both = call(*add("other", "--token-file", file, "--token-stdin"), "--home", home)
    assert both.code == 2
    if sys.platform != "win32":
        file.chmod(0o644)
        assert call(*add("third", "--token-file", file), "--home", home).code == 3
    names = [entry["name"] for entry in call("account", "list", "--home", home, "--json").json["accounts"]]
    assert names == ["shop"]


def test_without_a_token_the_ways_are_named(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = call(*add("my shop"), "--home", tmp_path)
    assert done.code == 0
    assert 'no token yet; give it one with `confere account token "my shop"`' in done.err
    tested = call("account", "test", "my shop", "--home", tmp_path)
    assert tested.code == 3
    assert "CONFERE_TOKEN" in tested.err
    monkeypatch.setenv("CONFERE_TOKEN_OTHER", TOKEN)
    assert call(*add("other"), "--home", tmp_path, "--json").json["token_kept"] == "environment"


def test_on_a_terminal_the_token_is_asked_for(
    call: Call, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(prompt: str, stream: object = None) -> str:
        asked.append(prompt)
        return TOKEN

    monkeypatch.setattr(faces, "is_terminal", lambda stream: True)
    monkeypatch.setattr(faces.getpass, "getpass", ask)
    assert call(*add("shop"), "--home", tmp_path).code == 0
    assert asked == ["Token of the account shop for https://hub.example/v2: "]
    assert list(ring.kept.values()) == [TOKEN]
    assert call(*add("other"), "--home", tmp_path, "--json").json["token_kept"] is None
    assert len(asked) == 1  # nobody is asked on behalf of a program


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (["--environment", "moon"], 2, "production, sandbox, embedded"),
        (["--cnpj", "11444777000162"], 2, "check digits"),
        (["--address", "http://hub.example"], 2, "https"),
    ],
)
def test_what_makes_no_sense_adds_nothing(call: Call, tmp_path: Path, change: list[str], code: int, words: str) -> None:
    done = call(*add("shop", *change), "--home", tmp_path)
    assert done.code == code
    assert words in done.err
    assert call("account", "list", "--home", tmp_path, "--json").json == {"accounts": []}


def test_removing_asks_first_and_forgets_the_token(
    call: Call, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    type_in(monkeypatch, TOKEN.encode())
    assert call(*add("shop", "--token-stdin"), "--home", tmp_path).code == 0
    alone = call("account", "remove", "shop", "--home", tmp_path)
    assert alone.code == 2
    assert "--yes" in alone.err
    with monkeypatch.context() as patch:
        patch.setattr(faces, "is_terminal", lambda stream: True)
        answer("no\n")
        refused = call("account", "remove", "shop", "--home", tmp_path)
        assert refused.code == 1
        assert "Nothing was changed" in refused.err
        assert ring.kept
        answer("sim\n")
        assert call("account", "remove", "shop", "--home", tmp_path).code == 0
    assert not ring.kept
    assert call("account", "list", "--home", tmp_path, "--json").json == {"accounts": []}
    gone = call("account", "remove", "shop", "--yes", "--home", tmp_path)
    assert gone.code == 2
    again = call(*add("shop"), "--home", tmp_path)
    assert again.code == 0
    done = call("account", "remove", "shop", "--yes", "--home", tmp_path, "--json")
    assert done.json == {"removed": "shop", "token_forgotten": False}


def test_an_account_gets_another_token(call: Call, tmp_path: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    home, file = tmp_path / "home", tmp_path / "token"
    assert call(*add("shop"), "--home", home).code == 0
    assert call("account", "token", "shop", "--home", home).code == 2
    assert "never taken" in call("account", "token", "shop", "--token", TOKEN, "--home", home).err
    type_in(monkeypatch, TOKEN.encode())
    done = call("account", "token", "shop", "--token-stdin", "--home", home, "--json")
    assert (done.code, done.json) == (0, {"account": "shop", "token_kept": "keyring"})
    assert list(ring.kept.values()) == [TOKEN]
    file.write_text("another")
    file.chmod(0o600)
    people = call("account", "token", "shop", "--token-file", file, "--home", home)
    assert (people.code, "from the file" in people.err) == (0, True)
    assert not ring.kept
    assert call("account", "token", "nobody", "--token-file", file, "--home", home).code == 2


def test_an_account_is_changed(call: Call, tmp_path: Path, ring: Ring) -> None:
    home = ("--home", tmp_path)
    assert call(*add("shop", "--cnpj", CNPJ), *home).code == 0
    assert call("account", "change", "shop", *home).code == 2
    done = call("account", "change", "shop", "--platform", "q", "--cnpj", "12ABC34501DE35", *home, "--json")
    assert done.code == 0
    account = done.json["account"]
    assert (account["platform"], done.json["lists_again"]) == ("q", False)
    assert [entry["tax_id"] for entry in account["establishments"]] == ["12ABC34501DE35"]
    moved = call("account", "change", "shop", "--address", "https://other.example/v2", *home)
    assert "lists everything" in moved.err
    assert "https://other.example/v2" in moved.out
    assert call("account", "change", "shop", "--address", "http://other.example", *home).code == 2


def test_the_terms_of_reconciliation_are_set_without_a_window(call: Call, tmp_path: Path, ring: Ring) -> None:
    home, series = ("--home", tmp_path), ("11444777000161/55/1", "12ABC34501DE35/65/20")
    assert call(*add("shop"), *home).code == 0

    def listed() -> dict[str, object]:
        (account,) = call("account", "list", *home, "--json").json["accounts"]
        return {**account["terms"], "relist_days": account["relist_days"], "mark_feed": account["mark_feed"]}

    usual = listed()
    assert (usual["tolerance"], usual["invoice_after_hours"], usual["visible_series"]) == ("0.01", 48, [])
    told = ("--tolerance", "0,05", "--invoice-after-hours", 12, "--freight-after-days", 5, "--standing-days", 30,
            "--high-from", "75,00")  # fmt: skip
    more = ("--scored-days", 4, "--relist-days", 7, "--no-freight-by-cte", "--mark-feed")
    each = ("--visible-series", series[0], "--visible-series", series[1].lower())
    done = call("account", "change", "shop", *told, *more, *each, *home, "--json")
    assert done.code == 0
    wanted = {
        "tolerance": "0.05",
        "high_from": "75.00",
        "invoice_after_hours": 12,
        "freight_after_days": 5,
        "standing_days": 30,
        "scored_days": 4,
        "relist_days": 7,
        "freight_by_cte": False,
        "visible_series": list(series),
        "mark_feed": True,
    }
    assert listed() == wanted
    assert done.json["account"]["terms"].items() <= wanted.items()
    for wrong in (
        ("--tolerance", "much"),
        ("--tolerance", "0,005"),
        ("--standing-days", "99999"),
        ("--invoice-after-hours", "-1"),
        ("--visible-series", "55/1"),
        ("--visible-series", series[0], "--no-visible-series"),
    ):
        refused = call("account", "change", "shop", "--platform", "q", *wrong, *home, "--json")
        assert (refused.code, bool(refused.json["error"]["remedy"])) == (2, True), wrong
    assert listed() == wanted
    assert call("account", "list", *home, "--json").json["accounts"][0]["platform"] == "p"
    people = call("account", "change", "shop", "--no-visible-series", "--tolerance", "R$ 1.234,56", *home)
    assert people.code == 0
    assert "1.234,56" in people.out
    assert listed() == {**wanted, "visible_series": [], "tolerance": "1234.56"}


def test_a_retry_takes_no_choice(call: Call, tmp_path: Path) -> None:
    done = call("sync", "--retry", "--month", "2026-10", "--home", tmp_path)
    assert done.code == 2
    assert "--retry" in done.err


def test_syncing_nothing_is_wrong_use(call: Call, tmp_path: Path) -> None:
    done = call("sync", "--home", tmp_path)
    assert done.code == 2
    assert "confere account add" in done.err
    assert call("sync", "--account", "nobody", "--home", tmp_path).code == 2


def test_what_a_hub_taught_is_shown_and_forgotten(call: Call, tmp_path: Path, ring: Ring) -> None:
    with serving(SmallHub(shape=ListShape(paging="whole", dates="no zone"))) as hub:
        for number in range(1, 13):
            hub.add(number, number, note="\x1b[31m[red]")
        options = ("--address", hub.address, "--platform", "p", "--environment", "sandbox")
        file = tmp_path / "token"
        file.write_text(TOKEN)
        file.chmod(0o600)
        assert call("account", "add", "shop", *options, "--token-file", file, "--home", tmp_path).code == 0
        nothing = call("account", "shape", "shop", "--home", tmp_path)
        assert (nothing.code, nothing.out) == (0, "")
        assert "Nothing is learnt yet" in nothing.err
        tested = call("account", "test", "shop", "--home", tmp_path, "--json").json
        assert tested["documents"] == 12
        assert tested["record"]["raw"]["id"] == "fd-1"
        assert tested["record"]["understood"]["hub_id"] == "fd-1"
        assert tested["shape"]["documents"]["paging"]["value"] == "whole pages"
        shown = call("account", "test", "shop", "--home", tmp_path)
        assert '"documentKey"' in shown.out
        assert "Access key" in shown.out
        assert "[red]" in shown.out
        assert "\x1b[31m" not in shown.out
    shape = call("account", "shape", "shop", "--home", tmp_path)
    assert "offsets of whole pages" in shape.out
    assert "without zone" in shape.out
    assert call("account", "shape", "shop", "--home", tmp_path, "--json").json["shape"] == tested["shape"]
    forgotten = call("account", "shape", "shop", "--forget", "--home", tmp_path)
    assert (forgotten.code, forgotten.out) == (0, "")
    assert "learns it anew" in forgotten.err
    assert call("account", "shape", "shop", "--home", tmp_path, "--json").json["shape"] == {}
    assert call("account", "shape", "nobody", "--home", tmp_path).code == 2
