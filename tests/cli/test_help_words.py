"""Usage lines and help name values in the user's language, in every command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import NamedTuple

import pytest

from tests.cli.running import ENVIRONMENT

# Prints each command with its usage line and the names of its values, as help shows them.
WALK = """
import json
from confere.system.messages import set_language
set_language({language!r})
from confere.cli import command_line, help_text
from confere.cli.command import _usage
from typer import Context
def walk(command, path):
    arguments, options = help_text.parameter_lines(command.params)
    yield path, [
        _usage(command, Context(command))[1],
        [line.name for line in arguments],
        [line.value for line in options],
        command.help or "",
        [line.text for line in options],
    ]
    for name in getattr(command, "specs", ()):
        yield from walk(command.get_command(None, name), f"{{path}} {{name}}")
print(json.dumps(dict(walk(command_line.build(), "confere"))))
"""
# What is called the same in the three languages, codes of formats, and letters that count.
SAME = {
    "-",
    *("N", "K", "ID", "API", "URL", "CPF", "CNPJ", "CFOP", "SHA256", "HH", "MM", "REAIS"),
    *("ITEM", "FEED", "STATUS", "MARKETPLACE", "pt_BR", "en", "es", "sandbox"),
    *("zip", "xlsx", "csv", "csv-rfc4180", "parquet"),
}
LANGUAGES = ("pt_BR", "es")
INFINITIVE = re.compile(r"\w+[aeiíê]r(?:-?[lns][aoe]s?)?")
NOT = re.compile(r"^(?:Não|No) ")
NO_VERBS = ("Primer ",)


class HelpOfCommand(NamedTuple):
    """What the help of one command says: its usage line, its arguments and the values of its options, its texts."""

    usage: str
    arguments: list[str]
    option_values: list[str]
    what: str
    options: list[str]

    @property
    def values(self) -> list[str]:
        return [*self.arguments, *self.option_values]


Helps = dict[str, dict[str, HelpOfCommand]]


@pytest.fixture(scope="module")
def helps() -> Helps:
    """By language and command. Each language is asked in a process of its own: options say theirs on import."""

    def of(language: str) -> dict[str, HelpOfCommand]:
        done = subprocess.run(
            [sys.executable, "-c", WALK.format(language=language)],
            capture_output=True,
            encoding="utf-8",
            env=ENVIRONMENT,
            check=True,
            timeout=120,
        )
        return {path: HelpOfCommand(*said) for path, said in json.loads(done.stdout).items()}

    return {language: of(language) for language in ("en", *LANGUAGES)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_value_is_named_by_an_english_word(helps: Helps, language: str) -> None:
    english = {word for said in helps["en"].values() for value in said.values for word in _words(value)}
    left = {
        (path, value): words
        for path, said in helps[language].items()
        for value in said.values
        if (words := (_words(value) & english) - SAME)
    }
    assert left == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_usage_line_names_values_as_the_help_below_it(helps: Helps, language: str) -> None:
    for path, said in helps[language].items():
        for name in said.arguments:
            assert name.strip("[]") in said.usage, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_says_what_a_command_does_in_one_grammatical_form(helps: Helps, language: str) -> None:
    """In the third person, `Mostra`, never `Mostrar`: of commands and of options."""
    infinitives = {
        (path, sentence)
        for path, said in helps[language].items()
        for sentence in (said.what, *said.options)
        if INFINITIVE.fullmatch(NOT.sub("", sentence).partition(" ")[0]) and not sentence.startswith(NO_VERBS)
    }
    assert infinitives == set()


def _words(value: str) -> set[str]:
    return {word for word in re.split(r"[|/=,…:.\[\]\s]+", value) if word}
