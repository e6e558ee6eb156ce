"""Common options stand before or after a command, and are foreseen before the line is understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.cli.options.global_options import Given, foresee


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("", Given()),
        ("list --json", Given(json=True)),
        ("--lang=es list --home x", Given(lang="es", home=Path("x"))),
        ("--home=a=b --verbose", Given(home=Path("a=b"), verbose=True)),
        ("list -- --json", Given()),
        ("list --lang", Given()),
        ("--home --json", Given(home=Path("--json"))),
        ("sync --progress-json", Given(progress_json=True)),
    ],
)
def test_what_can_be_seen_without_a_command(line: str, seen: Given) -> None:
    assert foresee(line.split()) == seen


def test_what_stands_later_wins() -> None:
    early = Given(home=Path("a"), lang="en", json=True)
    late = Given(home=Path("b"), verbose=True)
    assert late.after(early) == Given(home=Path("b"), lang="en", json=True, verbose=True)
