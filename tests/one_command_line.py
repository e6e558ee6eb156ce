"""The commands made once for a whole process of tests: making them costs more than most of what they then do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from confere.system import messages

if TYPE_CHECKING:
    from confere.cli.command import LocalizedGroup


@contextmanager
def one_command_line() -> Iterator[None]:
    """Every run in this process takes the commands as they were made first in its language.

    How they are made is tested where processes of their own run them.
    """
    before = messages.language()
    from confere.cli import (
        command_line,  # the help texts of the options are made here, once for the whole process as ever
    )

    really_build = command_line.build
    command_line.build = lambda: _built(messages.language(), really_build)
    messages._Choice.code = before
    try:
        yield
    finally:
        command_line.build = really_build


@cache
def _built(language: str, build: Callable[[], LocalizedGroup]) -> LocalizedGroup:
    return build()
