"""The options that every command has, before or after its name, and the first look at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Given:
    """What was given of the common options. The last two are for programs that start a job as a child."""

    home: Path | None = None
    json: bool = False
    lang: str | None = None
    verbose: bool = False
    progress_json: bool = False
    exit_with_stdin: bool = False

    def after(self, earlier: Given) -> Given:
        """These options, with those that stood earlier in the line where nothing was given here."""
        return Given(
            home=self.home or earlier.home,
            json=self.json or earlier.json,
            lang=self.lang or earlier.lang,
            verbose=self.verbose or earlier.verbose,
            progress_json=self.progress_json or earlier.progress_json,
            exit_with_stdin=self.exit_with_stdin or earlier.exit_with_stdin,
        )


def foresee(arguments: Sequence[str]) -> Given:
    """The common options as far as they can be seen without knowing the command.

    The language must be known before help texts are made, and how to tell errors before a line is understood.
    """
    values, flags = _sorted_out(arguments)
    home = values.get("--home")
    return Given(
        home=Path(home) if home else None,
        json="--json" in flags,
        lang=values.get("--lang") or None,
        verbose="--verbose" in flags,
        progress_json="--progress-json" in flags,
    )


def asks_for_window(arguments: Sequence[str]) -> bool:
    """Whether the line names no command, so that the program opens its window."""
    _, others = _sorted_out(arguments)
    return all(argument.startswith("-") for argument in others)


def _sorted_out(arguments: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """The common options that have a value, and everything else before a `--`."""
    values: dict[str, str] = {}
    others: set[str] = set()
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            break
        name, equals, value = argument.partition("=")
        if name in ("--home", "--lang"):
            values[name] = value if equals else next(rest, "")
        else:
            others.add(argument)
    return values, others
