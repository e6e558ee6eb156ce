"""Hubs with limits of the usual kinds, and threads that ask them, in simulated time."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from confere.hub.retry.rate_adjustment import Pace

Limit = Callable[[float], bool]


def bucket(rate: float, room: float) -> Limit:
    """A token bucket."""
    level, seen = room, 0.0

    def allows(now: float) -> bool:
        nonlocal level, seen
        level, seen = min(room, level + (now - seen) * rate), now
        if level < 1:
            return False
        level -= 1
        return True

    return allows


def fixed_window(rate: float, seconds: float) -> Limit:
    window, used = -1, 0

    def allows(now: float) -> bool:
        nonlocal window, used
        if int(now // seconds) != window:
            window, used = int(now // seconds), 0
        used += 1
        return used <= rate * seconds

    return allows


def sliding_window(rate: float, seconds: float) -> Limit:
    passed: deque[float] = deque()

    def allows(now: float) -> bool:
        while passed and passed[0] <= now - seconds:
            passed.popleft()
        if len(passed) >= rate * seconds:
            return False
        passed.append(now)
        return True

    return allows


def bursts(share: float, length: int, seed: int) -> Limit:
    """No limit: refuses `length` requests in a row, `share` of all, whoever asks and however slowly."""
    count = itertools.count()

    def allows(_: float) -> bool:
        return random.Random(f"{seed}-{next(count) // length}").random() >= share

    return allows


@dataclass
class Outcome:
    accepted: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)

    def rate(self, start: float, end: float) -> float:
        return sum(1 for moment in self.accepted if start <= moment < end) / (end - start)


def ask(
    allows: Limit,
    *,
    seconds: float,
    threads: int = 8,
    latency: float = 0.02,
    retry_after: float | None = None,
    ceiling: float | None = None,
    seed: int = 1,
) -> Outcome:
    """Threads that always have a next request, for `seconds`; answers take `latency`, half to half as much again."""
    chance = random.Random(seed)
    pace, outcome = Pace(ceiling), Outcome()
    order = itertools.count()
    queue: list[tuple[float, int, str, tuple[float, bool]]] = []

    def later(moment: float, what: str, data: tuple[float, bool] = (0.0, False)) -> None:
        heapq.heappush(queue, (moment, next(order), what, data))

    for _ in range(threads):
        later(0.0, "want")
    while queue:
        now, _, what, data = heapq.heappop(queue)
        if now > seconds:
            break
        if what == "want":
            slot = pace.reserve(now)
            later(max(now, slot + chance.uniform(0, 0.001)), "slot", (pace.generation, False))
        elif what == "slot":
            pace.settle(now)
            if data[0] != pace.generation:
                later(now, "want")
            else:
                later(now + latency * chance.uniform(0.25, 0.75), "arrive", (now, False))
        elif what == "arrive":
            let_through = allows(now)
            (outcome.accepted if let_through else outcome.refused).append(now)
            later(now + latency * chance.uniform(0.25, 0.75), "answer", (data[0], let_through))
        elif data[1]:
            pace.accepted(now, data[0])
            later(now, "want")
        else:
            later(now + pace.refused(now, data[0], retry_after), "want")
    return outcome
