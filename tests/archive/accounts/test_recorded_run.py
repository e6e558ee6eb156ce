"""A run is written down from its beginning to its end, however it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from confere.archive import message_encoding
from confere.archive.accounts import audit, runs
from confere.archive.accounts.recorded_run import booked
from confere.archive.accounts.runs import Run
from confere.archive.store import Archive
from confere.errors import Cancelled, UsageFault, message


class Figures:
    """A result as the use cases have one."""

    def __init__(self) -> None:
        self.seconds = -1.0
        self.found = 0

    def counts(self) -> Mapping[str, Any]:
        return {"found": self.found, "measured": self.seconds >= 0}


def newest(archive: Archive) -> Run:
    with archive.reading() as transaction:
        return runs.newest(transaction, 1)[0]


def test_it_is_there_while_the_work_goes_on_and_has_its_figures_afterwards(archive: Archive) -> None:
    figures = Figures()
    with booked(archive, "test", None, {"a": 1}, "everything", figures, detail="why") as run:
        begun = newest(archive)
        figures.found = 3
        run.outcome = "partial"
    assert (begun.id, begun.kind, begun.outcome, begun.finished_at) == (run.id, "test", None, None)
    ended = newest(archive)
    assert (ended.outcome, ended.counts, ended.problem) == ("partial", {"found": 3, "measured": True}, None)
    assert ended.parameters == {"a": 1}
    with archive.reading() as transaction:
        line = audit.lines(transaction, 1)[0]
    assert (line.action, line.subject, line.detail) == ("test", "everything", "why")


@pytest.mark.parametrize(
    ("error", "outcome", "problem"),
    [
        (UsageFault(message("It is {what}.", what="wrong"), message("Do not.")), "failed", "It is wrong. Do not."),
        (Cancelled(message("It was stopped.")), "stopped", None),
        (ZeroDivisionError(), "failed", None),
    ],
)
def test_what_ends_it_is_told(archive: Archive, error: Exception, outcome: str, problem: str | None) -> None:
    with pytest.raises(type(error)), booked(archive, "test", None, {}, "all", Figures()):
        raise error
    ended = newest(archive)
    assert ended.outcome == outcome
    assert ended.finished_at is not None
    assert (None if ended.problem is None else str(message_encoding.read(ended.problem))) == problem
