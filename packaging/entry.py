"""What a frozen Confere runs: the same as `python -m confere`, for both of its executables."""

from __future__ import annotations

import os
import sys


def forget_own_libraries() -> None:
    """Let the programs that we start (a browser, a file manager) find the system's libraries and not ours.

    PyInstaller's starter points LD_LIBRARY_PATH at our folder; it matters to this process no more.
    """
    if sys.platform.startswith("linux"):
        former = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        if former is None:
            os.environ.pop("LD_LIBRARY_PATH", None)
        else:
            os.environ["LD_LIBRARY_PATH"] = former


if __name__ == "__main__":
    forget_own_libraries()
    from confere.__main__ import main

    main()
