"""Where the steps of a chain stand in a drawing: a column for each stage, a band of rows for all that follows one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from confere.app.documents.relations import ChainStep, Role
from confere.fiscal.references import RelationKind

MOST_IN_STAGE = 8
"""More than so many of one stage are drawn as one that stands for the rest; the list has them all."""
_MOST_CARRIERS = 3
_MOST_BESIDE = 4  # a freight can be of a hundred orders


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the drawing. `lane` counts rows; where two above meet in one, that one stands between them."""

    stage: int
    lane: float


@dataclass(frozen=True, slots=True)
class Grid:
    """The steps that are drawn, where, and how many of a stage are not."""

    cells: Mapping[str, Cell]
    hidden: Mapping[int, int]
    beside: Mapping[str, Cell]  # for each of what was asked to stand beside a step, by its own name


def place(steps: Sequence[ChainStep], beside: Mapping[str, str]) -> Grid:
    """Place the steps of a chain, and what stands `beside` one of them: a name with the step's key."""
    mains = [step for step in steps if step.role is not Role.CARRIER]
    shown, parents, hidden = _choose(mains)
    sides: dict[str, list[str]] = defaultdict(list)
    for key, carriers in _carriers(steps, shown).items():
        sides[key] += carriers[:_MOST_CARRIERS]
        if len(carriers) > _MOST_CARRIERS:
            stage = shown[key].stage
            hidden[stage] = hidden.get(stage, 0) + len(carriers) - _MOST_CARRIERS
    tied: dict[str, list[str]] = defaultdict(list)
    for name, key in beside.items():
        if key in shown:
            tied[key].append(name)
    for key, names in tied.items():
        sides[key] += names[:_MOST_BESIDE]
        if len(names) > _MOST_BESIDE:
            stage = shown[key].stage
            hidden[stage] = hidden.get(stage, 0) + len(names) - _MOST_BESIDE
    lanes = _lanes(shown, parents, sides, set(hidden))
    cells: dict[str, Cell] = {}
    others: dict[str, Cell] = {}
    for key, step in shown.items():
        cells[key] = Cell(step.stage, lanes[key])
        for place, name in enumerate(sides[key], 1):
            (others if name in beside else cells)[name] = Cell(step.stage, lanes[key] + place)
    return Grid(cells, hidden, others)


def _choose(mains: Sequence[ChainStep]) -> tuple[dict[str, ChainStep], dict[str, str], dict[int, int]]:
    """Those that are drawn, each below the nearest that it refers to; first those that hang on something drawn."""
    stages: dict[int, list[ChainStep]] = defaultdict(list)
    for step in mains:
        stages[step.stage].append(step)
    shown: dict[str, ChainStep] = {}
    parents: dict[str, str] = {}
    hidden: dict[int, int] = {}
    for stage in sorted(stages):
        rank = {key: place for place, key in enumerate(shown)}
        above = {
            step.access_key: [key for key in step.refers_to if key in shown and shown[key].stage < stage]
            for step in stages[stage]
        }
        ordered = sorted(
            stages[stage],
            key=lambda step: (
                step.role is not Role.SELF,
                min((rank[key] for key in above[step.access_key]), default=len(rank)),
            ),
        )
        taken = ordered[:MOST_IN_STAGE]
        for step in taken:
            shown[step.access_key] = step
            if above[step.access_key]:
                parents[step.access_key] = max(above[step.access_key], key=lambda key: (shown[key].stage, -rank[key]))
        if len(ordered) > len(taken):
            hidden[stage] = len(ordered) - len(taken)
    return shown, parents, hidden


def _carriers(steps: Sequence[ChainStep], shown: Mapping[str, ChainStep]) -> dict[str, list[str]]:
    """The carriers of the steps that are drawn: each with the last that it carries, or the CT-e that it changes."""
    home: dict[str, str] = {key: key for key in shown}
    left = [step for step in steps if step.role is Role.CARRIER]
    tied: dict[str, list[str]] = defaultdict(list)
    waiting = {step.access_key for step in left}
    changed = {
        step.access_key: [link.target_key for link in step.links if link.kind != RelationKind.CARRIES.value]
        for step in left
    }
    for step in left:
        for key in step.refers_to:
            tied[step.access_key].append(key)
            tied[key].append(step.access_key)
    found: dict[str, list[str]] = defaultdict(list)
    patient = True
    while left:
        settled = []
        for step in left:
            near = [home[key] for key in tied[step.access_key] if key in home]
            if near and not (patient and any(key in waiting for key in changed[step.access_key])):
                settled.append((step.access_key, max(near, key=lambda key: (shown[key].stage, key))))
        if not settled and not patient:
            break
        patient = bool(settled)  # two that change each other wait for ever
        for key, last in settled:
            home[key] = last
            found[last].append(key)
        left = [step for step in left if step.access_key not in home]
        waiting = {step.access_key for step in left}
    return found


def _lanes(
    shown: Mapping[str, ChainStep], parents: Mapping[str, str], sides: Mapping[str, Sequence[str]], crowded: set[int]
) -> dict[str, float]:
    """The first row of each one's band: wide enough for what stands beside it, and for all that hangs on it."""
    children: dict[str, list[str]] = defaultdict(list)
    for key, parent in parents.items():
        children[parent].append(key)
    joint = _joint(shown, children, crowded)
    late_first = sorted(shown, key=lambda key: -shown[key].stage)
    height: dict[str, int] = {}
    for key in late_first:
        below = sum(height[child] for child in children[key] if child != joint)
        height[key] = max(1 + len(sides.get(key, ())), below)
    lanes: dict[str, float] = {}
    free = 0
    for key in shown:
        if key not in parents:
            lanes[key] = free
            free += height[key]
    for key in reversed(late_first):
        if key == joint:
            above = [lanes[other] for other in _above(shown, key)]
            lanes[key] = (min(above) + max(above)) / 2
        start = lanes[key]
        for child in children[key]:
            lanes[child] = start
            start += height[child]
    return lanes


def _joint(shown: Mapping[str, ChainStep], children: Mapping[str, Sequence[str]], crowded: set[int]) -> str | None:
    """The one that refers to several and on which everything later hangs: it stands in the middle of them."""
    for key in shown:
        stage = shown[key].stage
        if stage in crowded or len(_above(shown, key)) < 2:
            continue
        below = {key}
        waiting = [key]
        while waiting:
            found = children.get(waiting.pop(), ())
            below.update(found)
            waiting += found
        if all(other in below for other, step in shown.items() if step.stage >= stage):
            return key
    return None


def _above(shown: Mapping[str, ChainStep], key: str) -> list[str]:
    """What it refers to at the stages before its own."""
    return [other for other in shown[key].refers_to if other in shown and shown[other].stage < shown[key].stage]
