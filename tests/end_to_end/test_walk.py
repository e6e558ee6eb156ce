"""A small part of the walk through the real window: find a document, read it, list the cancelled ones of the month.

`python -m tests.walk` does all of it, at four sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.system.messages import set_language
from tests.end_to_end.screen import needs_a_screen
from tests.walk.stage import Size, demo_home
from tests.walk.tasks import chosen
from tests.walk.walker import walk

pytestmark = needs_a_screen


@pytest.fixture
def _in_portuguese() -> Iterator[None]:
    set_language("pt_BR")
    yield
    set_language("en")


@pytest.mark.usefixtures("_in_portuguese")
def test_documents_are_found_read_and_filtered_on_a_small_screen(tmp_path: Path) -> None:
    archive = demo_home(tmp_path / "demo", documents=240, orders=False)
    walked = walk(tmp_path, archive, Size.of("1280x720"), chosen(["1", "2", "6"]))
    assert walked.problems == []
    assert {found.task.number: found.problem for found in walked.tasks} == {"1": "", "2": "", "6": ""}
