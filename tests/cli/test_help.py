"""Help is there for every command, in the user's language, at once, and without anything heavy."""

from __future__ import annotations

import pytest

from tests.cli.running import WITHOUT_QT, Call

COMMANDS = [
    *(
        "demo",
        "account add",
        "account list",
        "account test",
        "account token",
        "account change",
        "account remove",
        "sync",
        "import",
        "list",
        "show",
    ),
    *("export", "doctor", "sandbox"),
]
HEAVY = ["httpx", "sqlalchemy", "alembic", "lxml", "fastapi", "uvicorn", "cryptography", "zstandard", "keyring", "isal"]
LOOK_AT_THE_END = f"""
import atexit, sys
def look():
    found = sorted(set({HEAVY!r}) & set(sys.modules))
    if found:
        sys.stderr.write("loaded: " + " ".join(found))
atexit.register(look)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(call: Call, command: str) -> None:
    for flag in ("--help", "-h"):
        done = call(*command.split(), flag)
        assert (done.code, done.err) == (0, "")
        assert f"Usage: confere {command}" in done.out
        for option in ("--home", "--json", "--lang", "--verbose", "--help"):
            assert option in done.out
        assert "--exit-with-stdin" not in done.out
        assert "--token " not in done.out


def test_the_whole_help_names_every_command(call: Call) -> None:
    for line in ((), ("--help",), ("account",)):
        done = call(*line)
        assert (done.code, done.err) == (0, "")
        for command in COMMANDS:
            group, _, name = command.rpartition(" ")
            if bool(group) == (line == ("account",)):
                assert f" {name} " in done.out


def test_help_speaks_the_language_that_was_asked_for(child: Call) -> None:
    said = {lang: child("export", "--help", "--lang", lang).out for lang in ("pt_BR", "en", "es")}
    assert len(set(said.values())) == 3
    assert "Usage: confere export" in said["en"]
    assert "Uso: confere export" in said["pt_BR"]
    assert "Uso: confere export" in said["es"]
    assert "Opções" in said["pt_BR"]
    assert "Opciones" in said["es"]
    for text in (said["pt_BR"], said["es"]):
        for english in ("Options", "Usage", "required", "default", " the "):
            assert english not in text


EXPLAINING = ("--help", "--version", "list --help", "list --limit x", "sync --nonsense")
EXPLAIN = f"from confere.cli.main import run\nfor line in {EXPLAINING[1:]!r}: assert run(line.split()) in (0, 2)"


def test_nothing_heavy_is_loaded_to_explain(child: Call) -> None:
    done = child(EXPLAINING[0], prelude="\n".join((LOOK_AT_THE_END, WITHOUT_QT, EXPLAIN)))
    assert done.code == 0
    assert "--limit" in done.err
    assert "loaded" not in done.err


def test_the_look_sees_what_is_loaded(child: Call) -> None:
    """Otherwise the test above could not fail."""
    assert "sqlalchemy" in child("reconcile", prelude=LOOK_AT_THE_END, CONFERE_HOME="/nowhere/at/all").err


def test_the_version(call: Call) -> None:
    from importlib.metadata import version

    assert call("--version").out == f"confere {version('confere')}\n"
    assert call("--json", "--version").json == {"version": version("confere")}


def test_a_narrow_terminal_breaks_nothing(child: Call) -> None:
    done = child("list", "--help", COLUMNS="20")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 20


def test_values_of_options_are_named_in_the_users_language(child: Call) -> None:
    said = {lang: child("list", "--help", "--lang", lang).out for lang in ("pt_BR", "en", "es")}
    assert "cancelled-late" in said["en"]
    assert "substituída" in said["pt_BR"]
    assert "sustituida" in said["es"]
    assert "entrada|saída" in said["pt_BR"]
