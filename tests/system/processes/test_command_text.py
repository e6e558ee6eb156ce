"""Commands to copy: each word comes back whole from a shell, and every hint of the program quotes what it puts in."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import confere
from confere.system.processes.command_text import argument, command_text

NAMES = (
    "loja", "Loja São João", "meu nome", "a,b", "d'Água & Cia", 'o "bom"', "R$ 10", "`id`", "100%", "50 % menos", "!!",
    "a;b|c>d", "(x)", "~", "#1", "*", "?", "", "@x", "“aspas”", "C:\\Meus documentos\\", "C:\\x", "a\\\\b", "--x",
    "key=1", "{a}", "a\tb",
)  # fmt: skip
# What a placeholder of a command may be without quotes: digits, a month, words of the program itself.
_SAFE = {"company", "month", "operation", "api", "first", "last", "all", "name", "command", "options", "text"}
_ATTRIBUTES = {"company", "text", "source_key", "access_key"}


@pytest.mark.skipif(os.name == "nt", reason="There is no POSIX shell.")
@pytest.mark.parametrize("shell", sorted({"sh", *filter(shutil.which, ("bash", "zsh"))}))
def test_a_posix_shell_takes_each_word_whole(shell: str) -> None:
    line = " ".join(argument(name, windows=False) for name in NAMES)
    told = subprocess.run([shell, "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True).stdout
    assert told.decode().split("\0")[:-1] == list(NAMES)


def test_the_shells_of_windows_are_given_what_both_take_where_there_is_such_a_thing() -> None:
    told = {name: argument(name, windows=True) for name in NAMES}
    assert [told[name] for name in ("loja", "meu nome", "a,b", "d'Água & Cia", "C:\\x", "--x", "")] == [
        "loja", '"meu nome"', '"a,b"', '"d\'Água & Cia"', "C:\\x", "--x", '""',
    ]  # fmt: skip
    assert told["C:\\Meus documentos\\"] == '"C:\\Meus documentos\\\\"'
    assert (told["R$ 10"], told["`id`"], told["“aspas”"]) == ("'R$ 10'", "'`id`'", "'“aspas”'")
    assert argument("$ d'Água", windows=True) == "'$ d''Água'"
    assert (told["!!"], told["100%"]) == ('"!!"', '"100%"')


def test_a_name_with_a_space_is_one_line_for_every_system() -> None:
    assert command_text(("confere", "list", "--saved", "meu nome")) == 'confere list --saved "meu nome"'
    assert argument("meu nome", windows=True) == argument("meu nome", windows=False)


def test_every_hint_of_the_program_quotes_what_it_puts_into_a_command() -> None:
    hints = [hint for path in sorted(Path(confere.__file__).parent.rglob("*.py")) for hint in _bare(path)]
    assert hints == []


def test_the_scan_of_hints_sees_a_bare_name(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        'message("Run `confere sync --account {account}`.", account=owner.name)\n'
        'command = f"confere sync --account {account}"\n'
        'again = "confere sync --account {account}".format(account=owner)\n'
        'message("Run `confere sync --account {account}`.", account=argument(owner.name))\n'
        'shlex.join(["confere", "x"])\n',
        encoding="utf-8",
    )
    assert [line for _, line, _ in _bare(file)] == [1, 2, 3, 5]


def _bare(path: Path) -> Iterator[tuple[str, int, str]]:
    """Where a command of this file takes something unquoted: the file, the line and what it is."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"confere [a-z][^`]*\{|shlex|list2cmdline", text):  # reading all of them would take seconds
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            parts = [*_placeholders(node), *_other_quoting(node, path)]
        elif isinstance(node, ast.JoinedStr) and re.match(r"confere [a-z]", _start(node)):
            parts = [part for value in node.values if (part := _unquoted(value))]
        else:
            continue
        yield from ((path.name, node.lineno, part) for part in parts)


def _placeholders(call: ast.Call) -> Iterator[str]:
    """The placeholders of a message's commands that are given as they are."""
    texts = [*call.args, call.func.value] if isinstance(call.func, ast.Attribute) else call.args
    given = {word.arg: word.value for word in call.keywords}
    for text in texts:
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield from (name for name in _in_commands(text.value) - _SAFE if not _is_quoted(given.get(name)))


def _other_quoting(call: ast.Call, path: Path) -> Iterator[str]:
    """Another function that quotes; the files of a system's scheduler are for nobody to copy."""
    name = ast.unparse(call.func)
    quotes = name in ("shlex.join", "shlex.quote", "subprocess.list2cmdline")
    if quotes and path.name != "command_text.py" and path.parent.name != "schedulers":
        yield name


def _unquoted(part: ast.expr) -> str:
    if not isinstance(part, ast.FormattedValue) or _is_quoted(part.value):
        return ""
    value, text = part.value, ast.unparse(part.value)
    name = getattr(value, "attr", getattr(value, "id", None))
    return "" if name in _SAFE | _ATTRIBUTES or text.isupper() else text


def _is_quoted(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("argument", "command_text")


def _in_commands(text: str) -> set[str]:
    """The placeholders that stand within a command of this sentence."""
    commands = re.findall(r"confere [a-z][^`)]*", text)
    return {name for command in commands for name in re.findall(r"\{(\w+)\}", command)}


def _start(node: ast.JoinedStr) -> str:
    first = node.values[0]
    return str(first.value) if isinstance(first, ast.Constant) else ""
