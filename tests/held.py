"""Files as Windows holds them while another program has them open: no renaming, no removing."""

from __future__ import annotations

import os
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from confere.system.files import held_files
from sandbox_hub import held_files as of_sandbox

ACCESS_DENIED, SHARING_VIOLATION = 5, 32


def refusal(code: int, path: object) -> PermissionError:
    """What Python raises on Windows for `code`."""
    error = PermissionError(13, "The process cannot access the file", str(path))
    error.winerror = code  # type: ignore[attr-defined]
    return error


class Held:
    """Refuses files whose name is like `name` so many `times`; the pauses between the attempts cost no time."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.name, self.times, self.code = "", 0, SHARING_VIOLATION
        self.slept: list[float] = []
        for room in (held_files, of_sandbox):
            patch.setattr(room, "time", SimpleNamespace(sleep=self.slept.append))
        for call in ("replace", "rename", "link", "unlink", "remove"):
            patch.setattr(os, call, self._holding(getattr(os, call)))

    def hold(self, name: str, times: int, code: int = SHARING_VIOLATION) -> None:
        self.name, self.times, self.code = name, times, code

    def _holding(self, really: Callable[..., Any]) -> Callable[..., Any]:
        def call(*paths: Any, **options: Any) -> Any:
            if self.times and any(fnmatch(Path(path).name, self.name) and Path(path).exists() for path in paths):
                self.times -= 1
                raise refusal(self.code, paths[0])
            return really(*paths, **options)

        return call
