"""Walks through tasks at one size of the screen: what each took, and what was wrong beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.walk.hand import Hand
from tests.walk.stage import Size, Stage, stage
from tests.walk.tasks import Task

_ENDS_WITHIN = 60.0  # seconds
_COMPLAINTS = ("WARNING", "ERROR", "CRITICAL", "Traceback")


@dataclass(frozen=True, slots=True)
class Walked:
    """What became of a task; `problem` is empty where it was done."""

    task: Task
    steps: int
    problem: str


@dataclass(slots=True)
class Walk:
    """What became of all of them at one size, and of what holds for the whole walk."""

    size: Size
    tasks: list[Walked] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        return not self.problems and not any(walked.problem for walked in self.tasks)


def walk(
    folder: Path,
    archive: Path,
    size: Size,
    tasks: Iterable[Task],
    pictures: Path | None = None,
    tell: Callable[[Walked], None] = lambda _: None,
) -> Walk:
    """Do the tasks one after the other on a copy of `archive`. After one that fails the next is tried all the same,
    unless it needs it. Every task leaves a picture, where `pictures` is a folder. `tell` hears of each."""
    home = shutil.copytree(archive, folder / "home")
    done = Walk(size)
    with stage(folder, home, size) as on:
        hand = Hand(on.shown, on.eyes, (size.width, size.height))
        hand.main_window()
        hand.at_rest()
        for task in tasks:
            done.tasks.append(_walked(task, hand, on, done.tasks))
            tell(done.tasks[-1])
            _leave_picture(on, pictures, f"{size}-{task.number}{'-failed' if done.tasks[-1].problem else ''}.png")
            if done.tasks[-1].problem:
                _tidy_up(hand)
        done.problems += hand.faults
        done.problems += _moves(hand)
        hand.chord("ctrl+q")
        done.problems += _end(on)
    done.problems += complaints(home, on.complaints)
    return done


def complaints(home: Path, stderr: Path) -> list[str]:
    """What the program and its children logged as wrong, and whatever they wrote to nobody."""
    said = [line for line in stderr.read_text(errors="replace").splitlines() if line.strip()]
    for log in sorted((home / "logs").iterdir()):
        if log.is_file():
            lines = log.read_text(errors="replace").splitlines()
            said += [f"{log.name}: {line}" for line in lines if any(word in line for word in _COMPLAINTS)]
    return said


def _walked(task: Task, hand: Hand, on: Stage, before: list[Walked]) -> Walked:
    failed = [walked.task.number for walked in before if walked.problem]
    lacking = [number for number in task.needs if number in failed]
    if lacking:
        return Walked(task, 0, f"needs task {', '.join(lacking)}")
    hand.steps = 0
    try:
        if task.by_keys:
            with hand.without_mouse():
                task.act(hand, on)
        else:
            task.act(hand, on)
    except Exception as error:
        return Walked(task, hand.steps, f"step {hand.steps + 1}: {type(error).__name__}: {error}")
    return Walked(task, hand.steps, "")


def _tidy_up(hand: Hand) -> None:
    """Close what a task that failed has left open, as far as Escape does."""
    for _ in range(4):
        view = hand.look()
        if not view.facts["popup"] and not any(window["modal"] for window in view.windows):
            return
        hand.chord("Escape")


def _moves(hand: Hand) -> Iterator[str]:
    for move in hand.look().facts["moves"]:
        yield f"{move['widget']} moved from {move['from']} to {move['to']} while {move['message']!r} showed"


def _end(on: Stage) -> list[str]:
    code = on.process.wait(_ENDS_WITHIN)
    return [] if code == 0 else [f"the program ended with {code}"]


def _leave_picture(on: Stage, pictures: Path | None, name: str) -> None:
    if pictures is not None:
        on.shown.picture(pictures / name)
