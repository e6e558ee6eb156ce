"""The tasks of the walk in their order, each with what it needs before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.walk import documents_tasks, intake_tasks, papers_tasks, reconcile_tasks
from tests.walk.hand import Hand
from tests.walk.stage import Stage


@dataclass(frozen=True, slots=True)
class Task:
    """`needs` are the numbers of tasks that have to be done before. One that is `by_keys` uses no mouse."""

    number: str
    title: str
    act: Callable[[Hand, Stage], None]
    needs: tuple[str, ...] = ()
    by_keys: bool = False


TASKS = (
    Task("1", "find a document", documents_tasks.find_by_mouse),
    Task("2", "read it", documents_tasks.read_by_mouse, ("1",)),
    Task("3", "print it", papers_tasks.print_document, ("1",)),
    Task("5", "follow its freight", documents_tasks.follow_freight, ("1",)),
    Task("4", "send eight", papers_tasks.send_eight, ("1",)),
    Task("6", "the cancelled ones", documents_tasks.cancelled_by_mouse, ("1",)),
    Task("7", "export the month", papers_tasks.export_month),
    Task("8", "decide ten findings", reconcile_tasks.decide_ten_by_mouse),
    Task("9", "link by hand", reconcile_tasks.link_by_hand, ("8",)),
    Task("10", "undo the link", reconcile_tasks.undo_link, ("8", "9")),
    Task("11", "explain many", reconcile_tasks.explain_many, ("8",)),
    Task("1k", "find, by keys", documents_tasks.find_by_keys, by_keys=True),
    Task("2k", "read, by keys", documents_tasks.read_by_keys, ("1k",), by_keys=True),
    Task("6k", "the cancelled ones, by keys", documents_tasks.cancelled_by_keys, by_keys=True),
    Task("8k", "decide ten, by keys", reconcile_tasks.decide_ten_by_keys, by_keys=True),
    Task("12", "add an account", intake_tasks.add_account),
    Task("13", "import a folder", intake_tasks.import_folder),
    Task("14", "stop a sync, resume it", intake_tasks.stop_and_resume, ("12",)),
)


def chosen(numbers: list[str]) -> tuple[Task, ...]:
    """The tasks of these numbers with what they need, in their order; all, where none is named. Raises KeyError."""
    by_number = {task.number: task for task in TASKS}
    wanted = set(numbers) or set(by_number)
    for number in tuple(wanted):
        wanted |= set(by_number[number].needs)
    return tuple(task for task in TASKS if task.number in wanted)
