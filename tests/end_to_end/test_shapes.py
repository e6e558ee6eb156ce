"""The demo at hubs of other shapes: a success has every file of the world, held against the world itself."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import pytest

from sandbox_hub.shapes.names import Shape
from tests.bench.shapes import combinations, files_of_world, options, outcome_of
from tests.end_to_end.confere import confere

DOCUMENTS = 30
SEED = 7
ALONE = [Shape.HISTORY_FILES, Shape.NO_IDS, Shape.STORAGE_ADDRESS]  # `python -m tests.bench shapes` walks all of them


@pytest.fixture(scope="module")
def world() -> frozenset[str]:
    return files_of_world(DOCUMENTS, SEED)


@pytest.mark.parametrize("shape", ALONE)
def test_a_success_has_every_file(tmp_path: Path, world: frozenset[str], shape: Shape) -> None:
    truth = tmp_path / "truth.json"
    done = confere(tmp_path, *options(DOCUMENTS, SEED, shape), "--truth", str(truth))
    outcome = outcome_of(tmp_path, shape, world, done.code, done.json)
    assert json.loads(truth.read_text("utf-8"))["files"] == len(world) > DOCUMENTS
    assert outcome.verdict != "FAIL", outcome


@pytest.mark.exhaustive
def test_so_has_one_at_a_hub_of_several_shapes(tmp_path: Path, world: frozenset[str]) -> None:
    drawn = secrets.randbits(32)
    (shape,) = combinations(drawn, 1, list(Shape))
    done = confere(tmp_path, *options(DOCUMENTS, SEED, shape))
    outcome = outcome_of(tmp_path, shape, world, done.code, done.json)
    assert outcome.verdict != "FAIL", (drawn, outcome)
    again = confere(tmp_path, "sync")  # at the same hub: its shape is remembered
    assert (again.code, again.json["sync"]["downloaded"]) == (done.code, 0), (drawn, shape, again)
