"""The entry point `confere`: streams, language, the command, and an exit code whatever happens."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from confere.cli import errors
from confere.cli.context import Face
from confere.cli.options.global_options import Given, foresee
from confere.cli.output import prepare_streams
from confere.errors import ConfereError
from confere.system.language_choice import LANGUAGE_VARIABLE
from confere.system.messages import set_language
from confere.system.paths import find_home
from confere.system.processes.garbage_collection import leave_garbage
from confere.system.settings import LANGUAGE, Settings


def main() -> NoReturn:
    """Run the command of this process and end it with its exit code."""
    prepare_streams()
    code = run(sys.argv[1:])
    leave_garbage()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code: 0 done, 1 done with failures, 2 wrong use, 3 cannot."""
    seen = foresee(arguments)
    face = Face(seen)
    try:
        _choose_language(seen)
        return _run(arguments, face)
    except (Exception, KeyboardInterrupt) as error:
        return errors.tell(face, error)


def _run(arguments: Sequence[str], face: Face) -> int:
    from confere.cli import command_line, usage_errors  # after the language was chosen: options say theirs on import
    from confere.cli.command import PROGRAM

    try:
        code = command_line.build().main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
    except usage_errors.UsageError as error:
        return errors.tell(face, usage_errors.explain(error))
    except OSError as error:  # of help texts: commands deal with their own
        face.out.failed(error)
        return 0
    face.out.finish()
    return code if isinstance(code, int) else 0


def _choose_language(seen: Given) -> None:
    saved = ""
    # What is wrong there the command itself will say, in the language that is left.
    with suppress(ConfereError, OSError):
        saved = Settings(find_home(seen.home).settings).get(LANGUAGE)
    set_language(None, saved)
    if seen.lang is not None:
        # What we start (the sandbox) speaks the same.
        os.environ[LANGUAGE_VARIABLE] = set_language(seen.lang)
