"""The entry point `confere-desktop`: this version has no window and says so."""

from __future__ import annotations

import sys
from typing import NoReturn

from confere.system.messages import t

CANNOT = 3


def main() -> NoReturn:
    """Say in one sentence what there is instead, and end."""
    if sys.stderr is not None:  # a windowed program on Windows has none
        sys.stderr.write(t("This version of Confere has no window yet; use the command confere in a terminal.") + "\n")
    sys.exit(CANNOT)
