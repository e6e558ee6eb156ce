"""Killed in the middle, an export leaves nothing half; see `python -m tests.export_kill` for many moments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import export_kill


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("killed")
    export_kill.make(home, 300)
    return home


@pytest.mark.parametrize("form", export_kill.FORMS[:2])
def test_a_kill_in_the_middle_leaves_nothing_half(home: Path, tmp_path: Path, form: tuple[str, ...]) -> None:
    export_kill.check(home, tmp_path, form, [0.5])
