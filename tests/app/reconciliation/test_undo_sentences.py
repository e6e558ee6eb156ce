"""What an act did is said right for one and for many."""

from __future__ import annotations

import pytest

from confere.app.reconciliation import undo_log
from confere.app.reconciliation.review import review_acts
from confere.system.messages import render, set_language


@pytest.fixture(autouse=True)
def _in_english() -> None:
    set_language("en")


@pytest.mark.parametrize(
    ("kind", "one", "many"),
    [
        ("link", "1 link was made.", "1,200 links were made."),
        ("unlink", "1 link was cut.", "1,200 links were cut."),
        ("confirm", "1 link was confirmed.", "1,200 links were confirmed."),
        (
            "merge",
            "1 link was made to put together what belongs together.",
            "1,200 links were made to put together what belongs together.",
        ),
        ("note", "The note of 1 finding was changed.", "The note of 1,200 findings was changed."),
        ("of a newer release", "of a newer release", "of a newer release"),
    ],
)
def test_what_an_act_did_to_so_many(kind: str, one: str, many: str) -> None:
    assert render(undo_log.sentence(kind, 1)) == one
    assert render(undo_log.sentence(kind, 1200)) == many


@pytest.mark.parametrize(
    ("assignee", "due_on", "count", "text"),
    [
        ("Ana", None, 1, "1 finding was assigned to Ana."),
        ("Ana", "2026-10-31", 2, "2 findings were assigned to Ana, until 2026-10-31."),
        (None, "2026-10-31", 1, "1 finding was given the day 2026-10-31."),
        (None, None, 1, "Assignee and day of 1 finding were taken away."),
    ],
)
def test_to_whom_so_many_were_assigned(assignee: str | None, due_on: str | None, count: int, text: str) -> None:
    detail = {"count": count, "assignee": assignee, "due_on": due_on}
    assert render(review_acts.sentence(review_acts.ASSIGN, detail)) == text
