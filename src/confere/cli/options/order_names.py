"""Which orders a command is about: named one by one, or by a file that has one a line."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.options.file_input import input_bytes
from confere.errors import EnvironmentFault, UsageFault, message
from confere.system.files import system_words
from confere.system.messages import t

IdsFrom = Annotated[
    Path | None,
    typer.Option(
        "--ids-from",
        metavar="FILE|-",
        help=t("The orders that this file names, one a line, or that stdin names: a command line has an end."),
    ),
]


def names_of(face: Face, named: Sequence[str] | None, file: Path | None, *, asks: bool) -> tuple[str, ...]:
    """The orders of both; `asks`: a person has to say yes on stdin afterwards. Raises `UsageFault`."""
    return (*map(str.strip, named or ()), *(() if file is None else _listed(face, file, asks=asks)))


def _listed(face: Face, file: Path, *, asks: bool) -> tuple[str, ...]:
    """The orders that a file names, each once; `asks`: a person has to say yes on stdin afterwards."""
    if str(file) == "-" and (asks or face.given.exit_with_stdin):
        raise UsageFault(
            message("What comes by stdin cannot be followed by a yes from there."),
            message("Look at it with --preview, then give --yes."),
        )
    try:
        data = input_bytes(file)
        # What PowerShell 5 writes by `>` is UTF-16, and says so by its first two bytes.
        text = data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
        names = tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    except EnvironmentFault as error:
        raise UsageFault(
            error.what, error.remedy or message("Write one order a line into a text file (UTF-8).")
        ) from error
    except (OSError, ValueError) as error:
        why = system_words.why(error)
        raise UsageFault(
            message("The list of orders {file} cannot be read: {why}.", file=str(file), why=why),
            message("Write one order a line into a text file (UTF-8)."),
        ) from error
    if not names:
        raise UsageFault(
            message("The list of orders {file} names none.", file=str(file)),
            message("Write one order a line into a text file (UTF-8)."),
        )
    return names
