"""A current folder with files named as modules that Confere, Qt or Python itself would import: none may ever run."""

from __future__ import annotations

from pathlib import Path

NAMES = (
    *("confere", "sandbox_hub", "PySide6", "shiboken6", "lxml", "typer", "brazilfiscalreport"),
    *("__future__", "json", "typing", "signal", "pathlib", "multiprocessing", "pickle", "logging"),
)


class Planted:
    """The folder; each file writes its name to a list when it is run."""

    def __init__(self, folder: Path, *, without: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self._list = folder.parent / f"{folder.name}-ran.txt"
        folder.mkdir()
        for name in set(NAMES) - set(without):
            code = f"open({str(self._list)!r}, 'a').write('{name}\\n')\nraise SystemExit('{name} was run')\n"
            (folder / f"{name}.py").write_text(code, encoding="utf-8")

    @property
    def ran(self) -> list[str]:
        """Which files were run."""
        return self._list.read_text(encoding="utf-8").split() if self._list.exists() else []
