"""A line that makes no sense ends with exit code 2 and a sentence with a way out, in the user's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Call

WRONG = [
    ("lits", "There is no command confere lits.", "confere list"),
    ("account ad", "There is no command confere account ad.", "confere account add"),
    ("xyzzy", "There is no command confere xyzzy.", "confere --help"),
    ("list --lmit 3", "There is no option --lmit.", "--limit"),
    ("list --limit many", "--limit takes a whole number within its limits.", "confere list --help"),
    ("list --limit -1", "--limit takes a whole number within its limits.", "confere list --help"),
    ("demo --rate-limit fast", "--rate-limit takes a number.", "confere demo --help"),
    ("demo --retry-after soon", "--retry-after cannot be soon.", "none, seconds, date"),
    ("export", "No month was named.", "--period 2026-10"),
    ("export --month", "--month needs a value after it.", "--help"),
    ("export --month tomorrow", "tomorrow is not a month.", "2026-10"),
    ("list --json=1", "--json takes no value.", "--help"),
    ("show", "KEY|SHA256|row:N is missing.", "confere show --help"),
    ("import", "PATH is missing.", "confere import --help"),
    ("doctor now", "More was given than this command takes.", "confere doctor --help"),
    ("list --company 123", "123 is not a CNPJ or CPF", "Copy it"),
    ("list --state gone", "--state cannot be gone.", "no-protocol"),
    ("list --direction up", "--direction cannot be up.", "in, out"),
    ("sync --from 2026-10-02 --to 2026-10-01", "is after the last", "Exchange"),
    ("--lang xx list", "There is no language xx here.", "pt_BR, en, es"),
    ("list --lang xx", "There is no language xx here.", "pt_BR, en, es"),
]


@pytest.mark.parametrize(("line", "what", "remedy"), WRONG)
def test_wrong_use_is_told_to_people_and_to_programs(
    call: Call, tmp_path: Path, line: str, what: str, remedy: str
) -> None:
    home = tmp_path / "home"
    people = call("--home", home, *line.split())
    assert (people.code, people.out) == (2, "")
    assert what in people.err
    assert remedy in people.err
    program = call("--home", home, "--json", *line.split())
    assert (program.code, program.err) == (2, "")
    assert program.json.keys() == {"error"}
    error = program.json["error"]
    assert error.keys() == {"title", "what", "remedy", "hub_words"}
    assert what in error["what"]
    assert remedy in error["remedy"]
    assert not home.exists()


@pytest.mark.parametrize("line", ["--json list", "list --json", "account --json list", "account list --json"])
def test_common_options_stand_anywhere(call: Call, tmp_path: Path, line: str) -> None:
    words = line.split()
    for place in range(len(words) + 1):
        done = call(*words[:place], "--home", tmp_path / "none", *words[place:])
        assert ("accounts" if "account" in words else "error") in done.json
        assert call(*words[:place], "--home=" + str(tmp_path / "none"), *words[place:]).json == done.json


def test_the_language_stands_anywhere_and_is_remembered(call: Call, child: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    said = {}
    for lang in ("pt_BR", "en", "es"):
        said[lang] = call("--lang", lang, "show", "1", "--home", home).err
        assert call("show", "1", "--home", home, f"--lang={lang}").err == said[lang]
    assert len(set(said.values())) == 3
    home.mkdir()
    (home / "settings.json").write_text('{"language": "es"}')
    saved = child("show", "1", "--home", home, CONFERE_LANGUAGE="", LC_ALL="en_US.UTF-8")
    assert saved.err == said["es"]
    assert child("show", "1", "--home", home, CONFERE_LANGUAGE="pt_BR").err == said["pt_BR"]
    (home / "settings.json").write_text("{")
    assert child("show", "1", "--home", home, CONFERE_LANGUAGE="", LC_ALL="en_US.UTF-8").err == said["en"]


@pytest.mark.parametrize("token", [("--token", "s3cr3t-t0k3n"), ("--token=s3cr3t-t0k3n",)])
def test_a_token_is_not_taken_from_the_line_nor_repeated(call: Call, tmp_path: Path, token: tuple[str, ...]) -> None:
    line = ("account", "add", "shop", "--address", "https://hub.example", "--platform", "p", *token)
    for options in ((), ("--json",)):
        done = call(*line, *options, "--home", tmp_path / "home")
        assert done.code == 2
        assert "s3cr3t" not in done.out + done.err
        assert "--token-stdin" in done.out + done.err
    stray = call("account", "add", "shop", "s3cr3t-t0k3n", "--address", "https://hub.example", "--platform", "p")
    assert stray.code == 2
    assert "s3cr3t" not in stray.out + stray.err
    other = call("sync", *token)
    assert other.code == 2
    assert "s3cr3t" not in other.out + other.err
    assert not (tmp_path / "home").exists()
