"""Starts the program, whichever face it shows: the window without a command, else the command."""

from __future__ import annotations

import io
import sys
from typing import NoReturn

from confere.cli import window
from confere.cli.main import main as run_command_line
from confere.desktop import display
from confere.desktop.main import open_window, say_without_terminal


def main() -> NoReturn:
    """The entry point of `confere` and `confere-desktop`, and of every child process of our own."""
    window.use(window.Opener(display.is_there, open_window))
    if sys.stderr is not None:
        run_command_line()
    # Started from an icon on Windows: there is no terminal, but a sentence must reach the person all the same.
    said = io.StringIO()
    sys.stderr = said
    try:
        run_command_line()
    finally:
        if said.getvalue():
            say_without_terminal(said.getvalue())


if __name__ == "__main__":
    main()
