"""Takes a file's place although a virus scanner has it open for an instant, as on Windows."""

from __future__ import annotations

import time
from pathlib import Path

_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds
_HELD = (5, 32, 33)  # Windows: access denied, sharing violation, lock violation


def replace_held(source: Path, target: Path) -> None:
    """Give `source` the name `target`, trying again while Windows says that another program has one of them open."""
    for pause in _PAUSES:
        try:
            source.replace(target)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD:
                raise
            time.sleep(pause)
    source.replace(target)
