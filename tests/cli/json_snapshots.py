"""Expected shapes of the JSON of every command, one file a command: `python -m tests.cli.json_snapshots --write`.

Without `--write` it only tells which files would change. A shape that changes is a change that scripts and the window
feel: write the files anew only where that is meant, and say so in the changelog.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.cli.json_requests import recorded
from tests.cli.json_shape import Shape, as_text

FOLDER: Final = Path(__file__).parent / "snapshots"


def file_of(command: str) -> str:
    """The name of a command's file: `findings-list.json`."""
    return f"{command.replace(' ', '-')}.json"


def texts_of(shapes: Mapping[str, Mapping[str, Shape]]) -> dict[str, str]:
    """The files as they should be, by name."""
    return {file_of(command): f"{as_text(cases)}\n" for command, cases in sorted(shapes.items())}


def expected() -> dict[str, str]:
    """The files as they are, by name."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.json"))}


def main() -> int:
    """1 where files differ and were not written."""
    with tempfile.TemporaryDirectory() as folder:
        now = texts_of(recorded(Path(folder) / "snapshots"))
    before = expected()
    changed = sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name))
    for name in changed:
        print(name)
        if "--write" in sys.argv[1:]:
            if name in now:
                (FOLDER / name).write_text(now[name], encoding="utf-8", newline="\n")
            else:
                (FOLDER / name).unlink()
    return 1 if changed and "--write" not in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
