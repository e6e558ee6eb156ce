"""Every shape of the hub alone and ten random combinations: what a demo brings home of all that the world has."""

from __future__ import annotations

import json
import random
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from confere.archive.store import Archive
from sandbox_hub.environment import Environment
from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SANDBOX, SandboxOptions
from sandbox_hub.shapes.names import Shape, in_order, read_shapes
from sandbox_hub.state import State
from sandbox_hub.web.files import files_held

_COMBINATIONS = 10
_SMALLEST, _LARGEST = 2, 6  # shapes of a combination
_PATIENCE = 600.0  # seconds for one demo


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one demo came to. `named` counts what it says that it did not get or understand.

    `again` is the exit code of a sync after it, None where there was none.
    """

    shape: str
    code: int
    world: int
    archived: int
    named: int
    requests: int | None
    words: str
    again: int | None = None

    @property
    def verdict(self) -> str:
        """FAIL where a success lacks files, or where what is lacking is not named; a crash is one, too."""
        if self.code == 0 and self.again not in (0, None):
            return "FAIL"
        if self.code == 0:
            return "OK" if self.archived == self.world else "FAIL"
        if self.code == 1 and self.archived == self.world:
            return "OK"
        return "OK, named" if self.code == 1 and self.named else "FAIL"


def run(documents: int = 400, seeds: tuple[int, ...] = (7,)) -> None:
    """One line for each shape and combination; the draw's own seed is printed, so that it can be drawn again."""
    drawn = secrets.randbits(32)
    shapes = [shape.value for shape in Shape] + list(combinations(drawn, _COMBINATIONS))
    print(f"combinations drawn by {drawn}")
    print(
        f"{'seed':>4} {'shape':64} {'exit':>4} {'files':>6} {'got':>6} {'named':>6} {'asked':>6} {'again':>5}  verdict"
    )
    verdicts = []
    for seed in seeds:
        world = files_of_world(documents, seed)
        for shape in ["", *shapes]:
            with tempfile.TemporaryDirectory() as folder:
                code, said = _confere(folder, *options(documents, seed, shape))
                again, _ = _confere(folder, "sync")  # with dates, at the same hub once more
                outcome = outcome_of(Path(folder), shape or "(plain)", world, code, said, again)
            verdicts.append(outcome.verdict)
            print(f"{seed:4} {_line(outcome)}", flush=True)
    print(f"{len(verdicts) - verdicts.count('FAIL')} of {len(verdicts)} are OK")


def _confere(home: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "confere", "--home", home, *arguments, "--json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_PATIENCE,
        check=False,
    )
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}


def options(documents: int, seed: int, shape: str) -> list[str]:
    """The command line of one demo, without --json."""
    given = ["demo", "--no-window", "--documents", str(documents), "--seed", str(seed)]
    return [*given, "--shape", shape] if shape else given


def combinations(seed: int, count: int, among: Iterable[Shape] = Shape) -> Iterator[str]:
    """That many combinations that do not contradict themselves, as comma lists; the same for the same seed."""
    source, pool = random.Random(seed), list(among)
    while count:
        drawn = source.sample(pool, source.randint(_SMALLEST, _LARGEST))
        try:
            yield ",".join(in_order(read_shapes(drawn)))
        except SandboxError:
            continue
        count -= 1


def files_of_world(documents: int, seed: int) -> frozenset[str]:
    """SHA-256 of every file that the demo's hub has, read from the world itself."""
    options = SandboxOptions(documents=documents, seed=seed, forget=True, anomalies="all")
    held = files_held(Environment(SANDBOX, options, State(None)), digests=True)
    return frozenset(file.sha256 for file in held if file.sha256 is not None)


def outcome_of(
    home: Path, shape: str, world: frozenset[str], code: int, said: dict[str, Any], again: int | None = None
) -> Outcome:
    """What lies in the archive at `home`, beside what the demo said (its JSON) and its exit code."""
    path = home / "archive.sqlite3"
    digests: set[str] = set()
    if path.exists():
        with Archive.to_read(path) as archive, archive.reading() as transaction:
            digests = {row[0].hex() for row in transaction.fetch("SELECT digest FROM content")}
    error = said.get("error") or {}
    sync = said.get("sync") or {}
    named = _count(said, ("not_understood", "failures", "missing")) or (1 if error else 0)
    return Outcome(
        shape, code, len(world), len(world & digests), named, sync.get("requests"), error.get("what", ""), again
    )


def _count(value: object, names: tuple[str, ...]) -> int:
    """How many are counted or listed under one of these names, anywhere in an answer."""
    if isinstance(value, list):
        return sum(_count(entry, names) for entry in value)
    if not isinstance(value, dict):
        return 0
    total = 0
    for name, entry in value.items():
        if name in names and isinstance(entry, int | list):
            total += entry if isinstance(entry, int) else len(entry)
        else:
            total += _count(entry, names)
    return total


def _line(outcome: Outcome) -> str:
    asked, again = ("-" if figure is None else str(figure) for figure in (outcome.requests, outcome.again))
    figures = f"{outcome.code:4} {outcome.world:6} {outcome.archived:6} {outcome.named:6} {asked:>6} {again:>5}"
    return f"{outcome.shape:64} {figures}  {outcome.verdict}  {outcome.words[:60]}".rstrip()
