"""A flipped bit in the archive: every command answers or says damage; it is never a fault of the program's.

`python -m tests.bench bits` does so with hundreds of bits anywhere, and prints what nothing finds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.bench import bits

PLACES = ("document", "content", "sales_order", "item", "belonging", "sqlite_schema")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bits.World]:
    folder = tmp_path_factory.mktemp("bits")
    with running(SandboxOptions(documents=60, seed=17)) as hub, bits.quiet():
        bits.make(folder / "world", hub)
        yield bits.learn(folder / "world", folder)


def in_tables(world: bits.World) -> Iterator[bits.Flip]:
    """A bit in the used end of a page of each of `PLACES`: the same on every run over the same archive."""
    import sqlite3

    chance = random.Random(11)
    archive = world.home / "archive.sqlite3"
    with closing(sqlite3.connect(archive)) as database:
        roots = dict(database.execute("SELECT name, rootpage FROM sqlite_master"))
    for place in PLACES:
        page = roots.get(place, 1)
        yield bits.Flip(page * 8192 - chance.randrange(1, 200), chance.randrange(8), place)


def test_damage_is_said_and_nothing_is_our_fault(world: bits.World, tmp_path: Path) -> None:
    for flip in list(in_tables(world))[::2]:
        for command, outcome, detail in bits.outcomes(world, tmp_path, flip):
            assert outcome not in ("fault", "traceback"), f"{command} after {flip}: {outcome}: {detail}"
