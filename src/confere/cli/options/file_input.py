"""The bytes of a file that a command is given, or of its standard input where the name is `-`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from confere.errors import UsageFault, message
from confere.system.files.regular_files import open_regular

_MOST_BYTES: Final = 16_000_000


def input_bytes(file: Path) -> bytes:
    """The content, at most 16 MB. Raises `UsageFault` for more, `EnvironmentFault` or `OSError` where it cannot be
    read."""
    if str(file) == "-":
        data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        with open_regular(file) as opened:
            data = opened.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise UsageFault(message("{file} is larger than {size} MB.", file=str(file), size=_MOST_BYTES // 1_000_000))
    return data
