"""What clients and the panel wrote (feed marks, clock, cancellations), in one file that survives restarts.

The file begins with everything as one JSON object; each save adds a line with what changed since the one before, so
that its cost does not grow with all that was ever written. When those lines are as long as the object, it is written
anew; so it is at an orderly end, and then the file is plain JSON.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox_hub.errors import SandboxError
from sandbox_hub.held_files import replace_held
from sandbox_hub.kept import kept, repeat

_VERSION = 1
_LEAST_LINES = 64_000  # bytes of changes that are worth writing everything anew
_NOT_OURS = -1  # the size of a file that is not as this process left it


class State:
    """Sections by name, one for each world; without a path it lives in memory only.

    A file holds sections of worlds of other seeds and sizes side by side, so one file can serve any start.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._changes: list[str] = []  # not saved yet
        self._size = _NOT_OURS  # of the file, in bytes
        self._base = 0  # of these, what stands before the changes
        sections: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            sections, self._base, self._size = _read(path)
        self._sections: dict[str, dict[str, Any]] = sections if path is None else kept(sections, self._changes.append)

    def section(self, name: str) -> dict[str, Any]:
        """The section to read and change; `save` keeps the change."""
        return self._sections.setdefault(name, {})

    def save(self) -> None:
        """Keep what changed: a process that is killed now has left all of it in the file, or nothing."""
        if self._path is None:
            return
        line = ("[" + ",".join(self._changes) + "]\n").encode()
        self._changes.clear()
        if self._size + len(line) > self._base + max(self._base, _LEAST_LINES) or not self._add(self._path, line):
            self._write_whole(self._path)

    def close(self) -> None:
        """Leave the file as plain JSON; one that others have written since, or nobody has saved to, stays as it is."""
        if self._path is None or self._size in (_NOT_OURS, self._base):
            return
        with suppress(OSError):  # what was saved stands in the file already
            if self._path.stat().st_size == self._size:
                self._changes.clear()
                self._write_whole(self._path)

    def _add(self, path: Path, line: bytes) -> bool:
        """Whether the line stands at the end of the file; not where somebody else has written it since."""
        size, self._size = self._size, _NOT_OURS
        if size == _NOT_OURS:
            return False
        try:
            with path.open("r+b") as file:
                if file.seek(0, os.SEEK_END) != size:
                    return False
                file.write(line)
        except OSError:
            return False
        self._size = size + len(line)
        return True

    def _write_whole(self, path: Path) -> None:
        """Replace the file at once: a reader sees the old or the new one, never half."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"version": _VERSION, "worlds": self._sections}, ensure_ascii=False) + "\n"
        content = text.encode()
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
        self._size = _NOT_OURS
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            replace_held(Path(name), path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink(missing_ok=True)
            raise
        self._base = self._size = len(content)


def _read(path: Path) -> tuple[dict[str, dict[str, Any]], int, int]:
    """The sections, and the file's size before its changes and in all; that is `_NOT_OURS` where it cannot be added to.

    A last line that was not finished was not saved: it is left out.

    Raises SandboxError where the file is not what `State` writes.
    """
    try:
        text = path.read_text("utf-8", errors="surrogateescape")
        content, end = json.JSONDecoder().raw_decode(text)
        worlds = content["worlds"] if content["version"] == _VERSION else None
        if isinstance(worlds, dict):
            *lines, unfinished = text[end:].split("\n")
            for line in lines:
                repeat(json.loads(line or "[]"), worlds)
            base, size = (len(part.encode("utf-8", "surrogateescape")) for part in (text[:end] + "\n", text))
            return worlds, base, size if lines and not unfinished else _NOT_OURS
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise SandboxError(f"The state file {path} cannot be read: {error}. Name another one or remove it.") from error
    raise SandboxError(f"The state file {path} was written by another version. Name another one or remove it.")
