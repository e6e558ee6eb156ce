"""Running every row at both ends: what was called, and whether its fact held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from tests.hub.rows import probes
from tests.hub.rows.bench import Bench, Call
from tests.hub.rows.table import Row


class End(StrEnum):
    HUB = "hub"
    CLIENT = "client"


class Outcome(StrEnum):
    OK = "ok"
    FAILED = "failed"
    MISSING = "missing"  # no probe of that name
    ONE_END = "one end"  # with a reason


class Result(NamedTuple):
    """What became of one end of a row; `why` is the failure, or the reason for one end."""

    row: Row
    end: End
    outcome: Outcome
    calls: tuple[Call, ...] = ()
    why: str = ""

    @property
    def is_good(self) -> bool:
        return self.outcome in (Outcome.OK, Outcome.ONE_END)


def run(bench: Bench, rows: Iterable[Row], ends: Iterable[End] = tuple(End)) -> Iterator[Result]:
    """Each row at each end, in order."""
    probes.load()
    for row in rows:
        for end in ends:
            yield _result(bench, row, end)


def _result(bench: Bench, row: Row, end: End) -> Result:
    if end is End.CLIENT and not row.client:
        return Result(row, end, Outcome.ONE_END, why=row.reason)
    probe = probes.HUB.get(row.hub) if end is End.HUB else probes.CLIENT.get(row.client)
    if probe is None:
        return Result(row, end, Outcome.MISSING, why="there is no probe of this name")
    bench.calls = []
    try:
        probe(bench, row.subject)
    except Exception as failure:  # whatever a probe meets is the row's failure
        return Result(row, end, Outcome.FAILED, tuple(bench.calls), f"{type(failure).__name__}: {failure}")
    if not bench.calls:
        return Result(row, end, Outcome.FAILED, why="the probe called nothing")
    return Result(row, end, Outcome.OK, tuple(bench.calls))
