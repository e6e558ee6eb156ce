"""What a person says holds at once and from then on, and each act is taken back and done again as one."""

from __future__ import annotations

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import decisions as decisions_use_case
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingQuery, FindingRow, FindingState
from confere.archive.accounts import accounts, audit
from confere.archive.reconciliation import decisions
from confere.errors import NotInArchive, UsageFault
from confere.sales.links import Decision, LinkKind, PersonsWord
from tests.app import business
from tests.app.business import ACCOUNT
from tests.app.made import account
from tests.archive.papers import key

OPEN, EXPLAINED, IGNORED = FindingState.OPEN, FindingState.EXPLAINED, FindingState.IGNORED


def pairs(opened: OpenArchive) -> set[tuple[str, str]]:
    return {(entry.link.order_id, entry.link.key) for entry in queries.links(opened, ACCOUNT)}


def rows(opened: OpenArchive) -> dict[str, FindingRow]:
    """Findings by rule and first order or key."""
    return {
        f"{row.finding.rule} {(row.finding.orders or row.finding.keys)[0]}": row
        for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1)
    }


def words(workspace: Workspace) -> tuple[Decision, ...]:
    with workspace.reading() as archive, archive.reading() as transaction:
        return decisions.standing(transaction, accounts.named(transaction, ACCOUNT).id)


def test_a_link_holds_at_once(workspace: Workspace, opened: OpenArchive) -> None:
    done = decisions_use_case.link(workspace, ACCOUNT, [("o3", key(4))], "by phone")
    assert (done.links, done.findings, done.waiting) == (1, 0, 1)
    (made,) = queries.links(opened, ACCOUNT, order_id="o3")
    assert (made.link.key, made.link.kind, made.link.confidence, made.manual) == (key(4), LinkKind.PERSON, 100, True)
    assert words(workspace) == (Decision("o3", key(4), PersonsWord.LINK),)
    assert {name for name, row in rows(opened).items() if row.stored.is_stale} == {"R1 o3"}
    assert queries.ties(opened, ACCOUNT)[0].decided
    (line,) = decisions_use_case.history(opened, ACCOUNT, order_id="o3")
    assert (line.note, line.undone, line.act) == ("by phone", False, done.act)
    assert str(line.what) == f"Order o3 was linked with document {key(4)}."
    with opened.reading() as transaction:
        told = audit.lines(transaction, 1)[0]
    assert (told.action, told.subject, told.actor) == ("link link", ACCOUNT, line.actor)


def test_unlink_cuts_and_confirm_keeps(workspace: Workspace, opened: OpenArchive) -> None:
    decisions_use_case.unlink(workspace, ACCOUNT, [("o1", key(1)), ("o4", key(4))])
    assert pairs(opened) == {("o2", key(2)), ("o2", key(3))}
    decisions_use_case.confirm(workspace, ACCOUNT, [("o2", key(2))])
    confirmed = next(entry for entry in queries.links(opened, ACCOUNT) if entry.link.key == key(2))
    assert (confirmed.manual, confirmed.confirmed) == (False, True)
    assert [str(entry) for entry in confirmed.link.evidence] == ["a person confirmed it", "made by hand"]
    with pytest.raises(UsageFault, match="nothing to confirm"):
        decisions_use_case.confirm(workspace, ACCOUNT, [("o1", key(1))])


def test_merge_links_each_with_each_and_split_cuts_from_the_rest(workspace: Workspace, opened: OpenArchive) -> None:
    assert decisions_use_case.merge(workspace, ACCOUNT, ["o1", "o2"], [key(1), key(2)]).links == 4
    assert pairs(opened) == {("o1", key(1)), ("o1", key(2)), ("o2", key(1)), ("o2", key(2)), ("o2", key(3))}
    assert decisions_use_case.split(workspace, ACCOUNT, ["o1"], [key(1)]).links == 2
    assert pairs(opened) == {("o1", key(1)), ("o2", key(2)), ("o2", key(3))}
    assert {(entry.order_id, entry.key) for entry in words(workspace) if entry.word is PersonsWord.UNLINK} == {
        ("o1", key(2)),
        ("o2", key(1)),
    }
    with pytest.raises(UsageFault, match="an order and a document"):
        decisions_use_case.merge(workspace, ACCOUNT, [], [key(1)])


def test_what_is_not_here_cannot_be_linked(workspace: Workspace, opened: OpenArchive) -> None:
    before = pairs(opened)
    with pytest.raises(NotInArchive, match="no order nobody"):
        decisions_use_case.link(workspace, ACCOUNT, [("o1", key(2)), ("nobody", key(1))])
    with pytest.raises(NotInArchive, match=f"no document {key(99)}"):
        decisions_use_case.link(workspace, ACCOUNT, [("o1", key(99))])
    with pytest.raises(NotInArchive, match="no account"):
        decisions_use_case.link(workspace, "other", [("o1", key(1))])
    assert pairs(opened) == before
    assert not words(workspace), "all of an act or nothing"


def test_the_same_again_is_no_act(workspace: Workspace, opened: OpenArchive) -> None:
    decisions_use_case.unlink(workspace, ACCOUNT, [("o1", key(1))])
    assert decisions_use_case.unlink(workspace, ACCOUNT, [("o1", key(1))]).act is None
    number = rows(opened)["R1 o1"].id
    decisions_use_case.explain(workspace, [number], "agreed")
    assert decisions_use_case.explain(workspace, [number], "agreed").act is None
    assert decisions_use_case.reopen(workspace, [rows(opened)["R3 o2"].id]).act is None
    assert len(decisions_use_case.history(opened, ACCOUNT)) == 2


def test_findings_are_settled_together_and_keep_their_notes(workspace: Workspace, opened: OpenArchive) -> None:
    found = rows(opened)
    both = [found["R1 o1"].id, found["R3 o2"].id, found["R1 o1"].id]
    assert decisions_use_case.explain(workspace, both, "  as agreed \n").findings == 2
    assert [(rows(opened)[name].stored.state, rows(opened)[name].stored.note) for name in ("R1 o1", "R3 o2")] == [
        (EXPLAINED, "as agreed")
    ] * 2
    assert rows(opened)["R1 o1"].stored.author == decisions_use_case.history(opened, ACCOUNT)[0].actor
    decisions_use_case.ignore(workspace, both[:1], "small")
    assert (rows(opened)["R1 o1"].stored.state, rows(opened)["R1 o1"].stored.note) == (IGNORED, "small")
    decisions_use_case.reopen(workspace, both[:1])
    assert (rows(opened)["R1 o1"].stored.state, rows(opened)["R1 o1"].stored.note) == (OPEN, "small")
    decisions_use_case.note(workspace, both[:1], "")
    assert (rows(opened)["R1 o1"].stored.state, rows(opened)["R1 o1"].stored.note) == (OPEN, None)
    about = decisions_use_case.history(opened, ACCOUNT, finding=both[0])
    assert [str(line.what) for line in about] == [
        "The note of 1 finding was changed.",
        "1 finding was opened again.",
        "1 finding was ignored.",
        "2 findings were explained.",
    ]


def test_what_was_not_checked_is_not_checked_again_when_it_is_reopened(
    workspace: Workspace, opened: OpenArchive
) -> None:
    number = rows(opened)["R1 o3"].id
    decisions_use_case.explain(workspace, [number], "agreed")
    decisions_use_case.reopen(workspace, [number])
    assert rows(opened)["R1 o3"].stored.state is FindingState.NOT_CHECKED


def test_a_reason_is_needed_and_a_note_has_an_end(workspace: Workspace, opened: OpenArchive) -> None:
    number = rows(opened)["R1 o1"].id
    for reason in ("", " \n"):
        with pytest.raises(UsageFault, match="for a reason"):
            decisions_use_case.ignore(workspace, [number], reason)
        with pytest.raises(UsageFault, match="explained by a reason"):
            decisions_use_case.explain(workspace, [number], reason)
    with pytest.raises(UsageFault, match="too long"):
        decisions_use_case.note(workspace, [number], "x" * 4001)
    with pytest.raises(NotInArchive, match="no finding 999"):
        decisions_use_case.explain(workspace, [number, 999], "agreed")
    assert rows(opened)["R1 o1"].stored.state is OPEN


def test_what_vanished_is_left_at_rest(workspace: Workspace, opened: OpenArchive) -> None:
    number = rows(opened)["R1 o1"].id
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        business.run(archive, owner, found=business.FOUND[:3])
    assert decisions_use_case.explain(workspace, [number], "agreed").act is None
    assert decisions_use_case.note(workspace, [number], "gone").findings == 1
    assert (rows(opened)["R1 o1"].stored.state, rows(opened)["R1 o1"].stored.note) == (FindingState.RESOLVED, "gone")


def test_findings_of_two_accounts_are_no_single_act(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        business.run(archive, account(archive, "other"))
    others = queries.findings(opened, FindingQuery("other"))
    with pytest.raises(UsageFault, match="several accounts"):
        decisions_use_case.explain(workspace, [rows(opened)["R1 o1"].id, others[0].id], "agreed")


def test_undo_and_redo_walk_the_acts(workspace: Workspace, opened: OpenArchive) -> None:
    first, finding = pairs(opened), rows(opened)["R3 o2"].id
    decisions_use_case.unlink(workspace, ACCOUNT, [("o1", key(1)), ("o2", key(2))])
    second = pairs(opened)
    decisions_use_case.link(workspace, ACCOUNT, [("o1", key(1))])
    third = pairs(opened)
    decisions_use_case.explain(workspace, [finding], "why")
    steps = decisions_use_case.steps(opened, ACCOUNT)
    assert (str(steps.undo), steps.redo) == ("1 finding was explained.", None)
    done = decisions_use_case.undo(workspace, ACCOUNT)
    assert str(done.what) == "Undone: 1 finding was explained."
    assert (rows(opened)["R3 o2"].stored.state, rows(opened)["R3 o2"].stored.note) == (OPEN, None)
    decisions_use_case.undo(workspace, ACCOUNT)
    assert pairs(opened) == second
    decisions_use_case.undo(workspace, ACCOUNT)
    assert pairs(opened) == first
    assert {entry.link.kind for entry in queries.links(opened, ACCOUNT)} == {LinkKind.ORDER_KEY, LinkKind.SCORED}
    assert not words(workspace)
    with pytest.raises(UsageFault, match="nothing to undo"):
        decisions_use_case.undo(workspace, ACCOUNT)
    assert str(decisions_use_case.steps(opened, ACCOUNT).redo) == "2 links were cut."
    decisions_use_case.redo(workspace, ACCOUNT)
    assert pairs(opened) == second
    decisions_use_case.redo(workspace, ACCOUNT)
    assert pairs(opened) == third
    decisions_use_case.redo(workspace, ACCOUNT)
    assert (rows(opened)["R3 o2"].stored.state, rows(opened)["R3 o2"].stored.note) == (EXPLAINED, "why")
    with pytest.raises(UsageFault, match="nothing to do again"):
        decisions_use_case.redo(workspace, ACCOUNT)
    assert [line.undone for line in decisions_use_case.history(opened, ACCOUNT)] == [False] * 3


def test_a_new_act_ends_what_could_be_done_again(workspace: Workspace, opened: OpenArchive) -> None:
    decisions_use_case.unlink(workspace, ACCOUNT, [("o1", key(1))])
    decisions_use_case.unlink(workspace, ACCOUNT, [("o2", key(2))])
    decisions_use_case.undo(workspace, ACCOUNT)
    decisions_use_case.unlink(workspace, ACCOUNT, [("o2", key(3))])
    assert decisions_use_case.steps(opened, ACCOUNT).redo is None
    decisions_use_case.undo(workspace, ACCOUNT)
    decisions_use_case.undo(workspace, ACCOUNT)
    decisions_use_case.redo(workspace, ACCOUNT)
    decisions_use_case.redo(workspace, ACCOUNT)
    with pytest.raises(UsageFault):
        decisions_use_case.redo(workspace, ACCOUNT)
    assert pairs(opened) == {("o2", key(2))}
    assert [line.undone for line in decisions_use_case.history(opened, ACCOUNT)] == [False, True, False]


def test_undo_brings_back_the_word_before(workspace: Workspace, opened: OpenArchive) -> None:
    decisions_use_case.unlink(workspace, ACCOUNT, [("o1", key(1))])
    decisions_use_case.link(workspace, ACCOUNT, [("o1", key(1))])
    decisions_use_case.undo(workspace, ACCOUNT)
    assert words(workspace) == (Decision("o1", key(1), PersonsWord.UNLINK),)
    number = rows(opened)["R1 o1"].id
    decisions_use_case.explain(workspace, [number], "one")
    decisions_use_case.ignore(workspace, [number], "two")
    decisions_use_case.undo(workspace, ACCOUNT)
    assert (rows(opened)["R1 o1"].stored.state, rows(opened)["R1 o1"].stored.note) == (EXPLAINED, "one")


def test_undo_brings_back_the_mark_that_it_changed_and_takes_the_author_away(
    workspace: Workspace, opened: OpenArchive
) -> None:
    number = rows(opened)["R1 o1"].id
    decisions_use_case.explain(workspace, [number], "agreed")
    moved = business.a_finding("R1", "o1", amount=9000)
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        business.run(archive, owner, found=(*business.FOUND[:3], moved))
    assert rows(opened)["R1 o1"].stored.is_changed
    decisions_use_case.explain(workspace, [number], "it grew")
    assert not rows(opened)["R1 o1"].stored.is_changed
    decisions_use_case.undo(workspace, ACCOUNT)
    assert (rows(opened)["R1 o1"].stored.is_changed, rows(opened)["R1 o1"].stored.state) == (True, OPEN)
    assert rows(opened)["R1 o1"].stored.author is not None
    decisions_use_case.redo(workspace, ACCOUNT)
    assert not rows(opened)["R1 o1"].stored.is_changed
    decisions_use_case.undo(workspace, ACCOUNT)
    decisions_use_case.undo(workspace, ACCOUNT)
    assert (rows(opened)["R1 o1"].stored.state, rows(opened)["R1 o1"].stored.author) == (OPEN, None)


def test_undo_after_a_run_does_not_raise_the_dead(workspace: Workspace, opened: OpenArchive) -> None:
    number = rows(opened)["R1 o1"].id
    decisions_use_case.explain(workspace, [number], "why")
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        business.run(archive, owner, found=business.FOUND[:3])
    decisions_use_case.undo(workspace, ACCOUNT)
    assert rows(opened)["R1 o1"].stored.state is FindingState.RESOLVED
    with workspace.writing("test") as archive:
        business.run(archive, owner)
    assert rows(opened)["R1 o1"].stored.state is OPEN
