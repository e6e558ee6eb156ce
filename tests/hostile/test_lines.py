"""One attempt of each kind, as `python -m tests.hostile` runs all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.breadth import some_of
from tests.hostile.files import remove
from tests.hostile.lines import Case, cases, run_in

QUICK = {case.name: case for case in cases() if not case.is_slow}
CHOSEN = (
    "a key that is an absolute path: pdf",
    "keys that are paths: export {key}.xml",
    "controls, lines and bidi in names",
    "a note of 480,000 items",
    "workbook with a shared text -1.xlsx",
    "an export where nothing can be written",
    "verify --json over damaged verdicts",
    "an archive cut to no bytes",
)


@pytest.mark.parametrize("name", some_of(CHOSEN, 1))
def test_nothing_acts_outside_its_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    folder.mkdir()
    ended = run_in(QUICK[name], folder)
    assert ended.is_well, ended
    remove(folder)


def test_what_is_written_elsewhere_or_crashes_would_be_seen(tmp_path: Path) -> None:
    def escape(folder: Path) -> object:
        (folder / "outside" / "x").write_text("here", encoding="ascii")
        return QUICK["a period that is a path"].run(folder)

    ended = run_in(Case("paths", "escaping", escape), tmp_path)  # type: ignore[arg-type]
    assert ended.wrong == "wrote outside/x"
    assert not ended.is_well
