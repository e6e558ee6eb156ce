"""Whether the tests notice: `python -m tests.house.mutants [--count 50] [--seed N] [--only ROOM]`.

Draws one-line changes in the code of some rooms, tries each in a copy of the project against the nearest tests
and, where none fails, the type checker, and names the survivors. Ends with 1 where fewer than 95 % are noticed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.conftest import ROOT
from tests.house.measures.source import Tree, load
from tests.house.mutation.equivalent import reason_of
from tests.house.mutation.mutant import Mutant, is_code, mutants_of
from tests.house.mutation.nearest import nearest_tests
from tests.house.mutation.rooms import ROOMS, modules_of
from tests.house.mutation.trial import Fate, Trial

_ENOUGH: Final = 0.95


def draw(tree: Tree, rooms: list[str], count: int, seed: int) -> Iterator[tuple[str, Mutant]]:
    """Mutants with their rooms, all rooms alike, none twice; fewer than `count` where there are no more.

    Those known to change nothing (`equivalent`) are left out.
    """
    chance = random.Random(seed)
    pools = {room: _shuffled(tree, room, chance) for room in rooms}
    drawn = 0
    while drawn < count and any(pools.values()):
        for room, pool in pools.items():
            while pool and (reason_of(pool[-1]) is not None or not is_code(pool[-1])):
                pool.pop()
            if pool and drawn < count:
                drawn += 1
                yield room, pool.pop()


def _shuffled(tree: Tree, room: str, chance: random.Random) -> list[Mutant]:
    pool = [mutant for module in modules_of(room, tree) for mutant in mutants_of(module)]
    chance.shuffle(pool)
    return pool


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.house.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=50, help="how many mutants (50)")
    parser.add_argument("--seed", type=int, default=None, help="what is drawn; without it other ones each time")
    parser.add_argument("--only", choices=tuple(ROOMS), default=None, help="of this room alone")
    parser.add_argument("--skip", type=int, default=0, help="leave the first ones out, which ran already")
    parser.add_argument("--files", type=int, default=12, help="how many test files each mutant meets at most (12)")
    parser.add_argument("--limit", type=float, default=90.0, help="seconds each test file may take (90)")
    parser.add_argument("--budget", type=float, default=180.0, help="seconds after which no further file begins (180)")
    given = parser.parse_args()
    seed = random.randrange(10_000) if given.seed is None else given.seed
    rooms = [given.only] if given.only else list(ROOMS)
    fates: Counter[Fate] = Counter()
    survivors: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trial = Trial(ROOT, Path(folder))
        nearest = nearest_tests(trial.root)
        drawn = list(draw(load(trial.root / "src"), rooms, given.count, seed))[given.skip :]
        print(f"{len(drawn)} mutants, seed {seed}", flush=True)
        for number, (room, mutant) in enumerate(drawn, 1 + given.skip):
            started = time.monotonic()
            outcome = trial.run(mutant, nearest.of(mutant.module)[: given.files], given.limit, given.budget)
            fates[outcome.fate] += 1
            took = f"{time.monotonic() - started:.0f} s"
            print(f"{number:3} {outcome.fate.value:8} {room}: {mutant}\n  {took} {outcome.by}", flush=True)
            if outcome.fate is Fate.SURVIVED:
                survivors.append(f"{room}: {mutant}")
    if trial.broken:
        print("\n".join(["\nTests that fail without any mutant", *trial.broken]))
    noticed = len(drawn) - fates[Fate.SURVIVED]
    counted = ", ".join(f"{fates[fate]} {fate.value}" for fate in Fate)
    print(f"\n{noticed} of {len(drawn)} noticed ({noticed / max(1, len(drawn)):.1%}): {counted}")
    print("\n".join(["", "Survivors", *survivors] if survivors else []))
    return 0 if drawn and noticed >= _ENOUGH * len(drawn) else 1


if __name__ == "__main__":
    sys.exit(main())
