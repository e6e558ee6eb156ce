"""Starts the program, whichever face it shows: the window without a command, else the command."""

import os
import sys

# `python -m` looks for every import in the current folder first, and a folder of downloads may hold any file: it leaves
# the path before the next import. Above this line stands only what Python has loaded already, so no `__future__`.
if __name__ == "__main__" and not sys.flags.safe_path:
    try:
        _current = os.getcwd()  # noqa: PTH109 - pathlib is a file too
    except OSError:  # it was removed
        _current = ""
    if sys.path[:1] in ([""], [_current]):
        sys.path.pop(0)

from typing import NoReturn

from confere.cli import window
from confere.cli.main import main as run_command_line
from confere.cli.options.global_options import asks_for_window
from confere.desktop.core import display_check, error_box
from confere.desktop.main import open_window
from confere.system.files.permissions import keep_private


def main() -> NoReturn:
    """The entry point of `confere` and `confere-desktop`, and of every child process of our own."""
    keep_private()
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support

        freeze_support()  # a worker goes to its work from here, and does not come back
    # A command without a terminal is a scheduler's: nobody is there to close a box.
    boxed = asks_for_window(sys.argv[1:]) and not error_box.has_readers()
    window.use(window.Opener(display_check.is_there, open_window, error_box.show if boxed else None))
    run_command_line()


if __name__ == "__main__":
    main()
