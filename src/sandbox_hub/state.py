"""What clients and the panel wrote (feed marks, clock, cancellations), in one JSON file that survives restarts."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox_hub.errors import SandboxError
from sandbox_hub.held_files import replace_held

_VERSION = 1


class State:
    """Sections by name, one for each world; without a path it lives in memory only.

    A file holds sections of worlds of other seeds and sizes side by side, so one file can serve any start.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._sections: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            self._sections = _read(path)

    def section(self, name: str) -> dict[str, Any]:
        """The section to read and change; `save` keeps the change."""
        return self._sections.setdefault(name, {})

    def save(self) -> None:
        """Replace the file at once: a reader sees the old or the new one, never half."""
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"version": _VERSION, "worlds": self._sections}, ensure_ascii=False)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            replace_held(Path(name), self._path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink(missing_ok=True)
            raise


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        content = json.loads(path.read_text("utf-8"))
        worlds = content["worlds"] if content["version"] == _VERSION else None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SandboxError(f"The state file {path} cannot be read: {error}. Name another one or remove it.") from error
    if not isinstance(worlds, dict):
        raise SandboxError(f"The state file {path} was written by another version. Name another one or remove it.")
    return worlds
