"""Findings from run to run: found, moved, gone and back; a person's word stands through all of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.accounts.accounts import Account
from confere.archive.orders import orders
from confere.archive.orders.orders import HUB, ReceivedOrder
from confere.archive.reconciliation import decisions, finding_search, findings, reopenings
from confere.archive.reconciliation.decisions import Said
from confere.archive.reconciliation.finding_search import FindingFilter
from confere.archive.reconciliation.findings import StoredCounts, StoredFinding
from confere.archive.reconciliation.reopenings import Outgrown
from confere.archive.store import Archive
from confere.errors import message
from confere.hub.orders.orders import order_of_text
from confere.sales.findings import Finding, FindingState, Severity
from tests.archive.books import NOW, a_finding, account, rows
from tests.archive.papers import key

LATER = "2026-12-01T03:00:00+00:00"
OPEN, EXPLAINED, IGNORED = FindingState.OPEN, FindingState.EXPLAINED, FindingState.IGNORED


def store(
    archive: Archive, owner: Account, run: int, *found: Finding, period: str | None = None, at: str = NOW
) -> StoredCounts:
    with archive.writing() as transaction:
        return findings.store(transaction, owner.id, run, found, period=period, at=at, tolerance=1)


def every(archive: Archive, owner: Account) -> dict[str, StoredFinding]:
    with archive.reading() as transaction:
        return {entry.fingerprint: entry for entry in finding_search.page(transaction, owner.id, FindingFilter())}


def one(archive: Archive, owner: Account) -> StoredFinding:
    (found,) = every(archive, owner).values()
    return found


def settle(
    archive: Archive, owner: Account, kind: str, state: FindingState, note: str | None = None, amount: int | None = None
) -> int:
    """A person's act on everything that there is."""
    known = every(archive, owner).values()
    with archive.writing() as transaction:
        amounts = {entry.fingerprint: entry.found.amount if amount is None else amount for entry in known}
        act = decisions.begin(transaction, owner.id, kind, {"amounts": amounts})
        said = [Said(entry.fingerprint, entry.state, state, entry.note, note) for entry in known]
        decisions.say(transaction, act, owner.id, said)
        for entry in known:
            findings.settle(transaction, entry.id, state=state, note=note, author="ana", at=NOW)
    return act


def test_a_finding_is_written_whole_and_once(archive: Archive) -> None:
    owner = account(archive)
    found = a_finding(keys=(key(1), key(2)), subject="a/b", evidence=(message("one"), message("two {n}", n=2)))
    assert store(archive, owner, 7, found, found) == StoredCounts(new=1)
    entry = one(archive, owner)
    assert (entry.found, entry.fingerprint, entry.state) == (found, found.fingerprint, OPEN)
    assert (entry.first_run, entry.last_run, entry.resolved_run, entry.changed_at) == (7, 7, None, NOW)
    assert len(rows(archive, "finding_key")["finding_key"]) == 2
    assert rows(archive, "finding_order")["finding_order"] == [(owner.id, "o1", entry.id)]


def test_the_same_again_writes_nothing(archive: Archive) -> None:
    owner = account(archive)
    found = [a_finding(order="o1"), a_finding("R2", "o2", checked=False, amount=None), a_finding("R3", "o3")]
    store(archive, owner, 1, *found)
    before = rows(archive)
    assert store(archive, owner, 2, *found[::-1], at=LATER) == StoredCounts()
    assert rows(archive) == before


def test_what_vanished_is_resolved_and_what_comes_back_is_open_again(archive: Archive) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding())
    assert store(archive, owner, 2, at=LATER) == StoredCounts(resolved=1)
    gone = one(archive, owner)
    assert (gone.state, gone.resolved_run, gone.changed_at) == (FindingState.RESOLVED, 2, LATER)
    assert store(archive, owner, 3) == StoredCounts()
    assert one(archive, owner) == gone
    assert store(archive, owner, 4, a_finding(amount=5)) == StoredCounts(reopened=1)
    back = one(archive, owner)
    assert (back.id, back.state, back.resolved_run, back.found.amount) == (gone.id, OPEN, None, 5)
    assert (back.first_run, back.last_run) == (1, 4)


def test_a_run_of_a_month_leaves_the_others_alone(archive: Archive) -> None:
    owner = account(archive)
    october, november = a_finding(order="o1"), a_finding(order="o2", period="2026-11")
    assert store(archive, owner, 1, october, november, period="2026-10") == StoredCounts(new=1)
    assert store(archive, owner, 2, october, november) == StoredCounts(new=1)
    assert store(archive, owner, 3, period="2026-11") == StoredCounts(resolved=1)
    assert every(archive, owner)[october.fingerprint].state is OPEN
    moved = a_finding(order="o1", period="2026-12")
    assert store(archive, owner, 4, moved, period="2026-10") == StoredCounts(rewritten=1), (
        "it is the same, of another month"
    )
    assert every(archive, owner)[october.fingerprint].found.period == "2026-12"


def test_accounts_do_not_know_each_other(archive: Archive) -> None:
    one_of, other = account(archive), account(archive, "other")
    store(archive, one_of, 1, a_finding())
    assert store(archive, other, 2, a_finding()) == StoredCounts(new=1)
    assert store(archive, other, 3) == StoredCounts(resolved=1)
    assert one(archive, one_of).state is OPEN


@pytest.mark.parametrize(
    ("moved", "changes"),
    [
        (a_finding(amount=1001), False),  # within the tolerance
        (a_finding(amount=1002), True),
        (a_finding(amount=98_998), True),
        (a_finding(amount=None), True),
        (a_finding(checked=False), True),
        (a_finding(version=2), False),
        (a_finding(version=2, evidence=(message("something else"),)), False),  # a newer rule says it otherwise
        (a_finding(evidence=(message("order {order} has no invoice", order="o1 since 3 days"),)), False),
        (a_finding(evidence=(message("the order {order} lacks its invoice", order="o1"),)), False),  # in other words
        (a_finding(evidence=(message("order {order} has no invoice", order="R$ 3,00"),)), True),  # another amount
        (a_finding(evidence=(message("something else"),)), True),
    ],
)
@pytest.mark.parametrize(("kind", "state"), [("explain", EXPLAINED), ("ignore", IGNORED)])
def test_a_settled_finding_that_moves_is_open_again_with_its_history(
    archive: Archive, moved: Finding, changes: bool, kind: str, state: FindingState
) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding())
    settle(archive, owner, kind, state, "as agreed")
    assert store(archive, owner, 2, a_finding()) == StoredCounts()
    done = store(archive, owner, 3, moved)
    assert done == (StoredCounts(changed=1) if changes else StoredCounts(rewritten=1))
    entry = one(archive, owner)
    stands = state if not changes else OPEN if moved.checked else FindingState.NOT_CHECKED
    assert (entry.state, entry.note, entry.author, entry.is_changed) == (stands, "as agreed", "ana", changes)
    assert entry.found == moved
    with archive.reading() as transaction:
        told = reopenings.outgrown(transaction, owner.id, entry.fingerprint)
        assert not reopenings.of_finding(transaction, owner.id, entry.fingerprint)
    lines = [Outgrown(entry.fingerprint, state, stands, 3, 1000, moved.amount, "as agreed")]
    assert list(told) == (lines if changes else [])
    before = rows(archive)
    assert store(archive, owner, 4, moved) == StoredCounts()
    assert rows(archive) == before
    settle(archive, owner, kind, state, "still")
    assert not one(archive, owner).is_changed
    assert store(archive, owner, 5, moved) == StoredCounts()
    assert one(archive, owner).state is state


def test_a_settled_finding_does_not_drift(archive: Archive) -> None:
    """Each run stays within the tolerance of the one before, not of what was explained."""
    owner = account(archive)
    store(archive, owner, 1, a_finding())
    settle(archive, owner, "explain", EXPLAINED, "as agreed", amount=1000)
    store(archive, owner, 2, a_finding(amount=1001))
    assert one(archive, owner).state is EXPLAINED
    store(archive, owner, 3, a_finding(amount=1002))
    assert one(archive, owner).state is OPEN


def test_a_settled_finding_that_comes_back_larger_is_open(archive: Archive) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding(amount=2))
    settle(archive, owner, "explain", EXPLAINED, "rounding")
    store(archive, owner, 2)
    assert store(archive, owner, 3, a_finding(amount=98_998)) == StoredCounts(reopened=1)
    assert (one(archive, owner).state, one(archive, owner).is_changed) == (OPEN, True)


def test_a_settled_finding_that_comes_back_is_settled(archive: Archive) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding())
    settle(archive, owner, "ignore", IGNORED, "small")
    store(archive, owner, 2)
    assert (one(archive, owner).state, one(archive, owner).note) == (FindingState.RESOLVED, "small")
    assert store(archive, owner, 3, a_finding()) == StoredCounts(reopened=1)
    assert (one(archive, owner).state, one(archive, owner).note) == (IGNORED, "small")


def test_what_a_person_opened_again_is_open(archive: Archive) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding())
    settle(archive, owner, "explain", EXPLAINED)
    settle(archive, owner, "reopen", OPEN)
    assert store(archive, owner, 2, a_finding()) == StoredCounts()
    assert one(archive, owner).state is OPEN


def test_what_was_not_checked_is_open_when_it_is(archive: Archive) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding(checked=False))
    assert one(archive, owner).state is FindingState.NOT_CHECKED
    assert store(archive, owner, 2, a_finding(), at=LATER) == StoredCounts(rewritten=1)
    assert (one(archive, owner).state, one(archive, owner).changed_at) == (OPEN, LATER)


def test_a_decision_marks_what_the_next_run_clears(archive: Archive) -> None:
    owner = account(archive)
    found = [a_finding(order="o1"), a_finding("R3", "o2", keys=(key(5),)), a_finding("R4", "o3")]
    store(archive, owner, 1, *found)
    with archive.writing() as transaction:
        assert findings.make_stale(transaction, owner.id, ["o1", "nobody"], [key(5)]) == 2
    stale = [entry.is_stale for entry in every(archive, owner).values()]
    assert stale == [True, True, False]
    assert store(archive, owner, 2, *found) == StoredCounts(rewritten=2)
    assert not any(entry.is_stale for entry in every(archive, owner).values())
    store(archive, owner, 3)
    with archive.writing() as transaction:
        assert findings.make_stale(transaction, owner.id, ["o1"], []) == 0, "what is resolved waits for nothing"


def test_digits_name_one_thing_whole(archive: Archive) -> None:
    owner = account(archive)
    store(
        archive,
        owner,
        1,
        a_finding("R1", "5001"),
        a_finding("R2", "15001", evidence=(message("order 5001 is another"),)),
        a_finding("R3", "o3", keys=(key(5001),)),
        a_finding("R4", "o4", keys=(key(50),)),
        a_finding("R5", "o5", subject=f"{'9' * 14}/market/7890000050018"),
        a_finding("R6", "o6", subject="o1,5001"),
    )
    with archive.writing() as transaction:
        raw = b'{"id": "o4", "marketPlaceId": "702-50017-9", "createdAt": "2026-10-04T15:00:00Z"}'
        told = [ReceivedOrder(order_of_text(raw).order, raw, HUB, NOW)]
        orders.record(transaction, archive.vault_writer, owner.id, 1, told)

    def listed(text: str) -> list[str]:
        with archive.reading() as transaction:
            found = finding_search.page(transaction, owner.id, FindingFilter(text=text))
        return [entry.found.rule for entry in found]

    assert listed("5001") == ["R1", "R3", "R6"], "not where it is a part of a number or a key"
    assert listed("000.005.001") == ["R3"]
    assert listed("702-50017-9") == ["R4"]
    assert listed("50017") == []
    assert listed("7890000050018") == listed("9" * 14) == ["R5"]
    assert listed(key(50)) == ["R4"]
    assert listed(key(50)[:43]) == listed(key(50)[-12:]) == ["R4"]
    assert listed(key(50)[:8]) == ["R3", "R4"]
    assert listed("55") == listed("0") == listed(key(50)[8:20]) == []


def test_lists_are_narrowed_ordered_and_counted(archive: Archive) -> None:
    owner = account(archive)
    made = [
        a_finding("R10", "o1", amount=5),
        a_finding("R2", "o2", amount=7),
        a_finding("R2", "o3", amount=9),
        a_finding("R2", "o4", amount=None, checked=False),
        a_finding("R7a", "o5", period="2026-11", keys=(key(7),)),
        a_finding("R7b", "o_6", period="2026-11", subject="100% off"),
    ]
    store(archive, owner, 1, *made)
    store(archive, owner, 2, *made[:-1], a_finding("R1", "ç"))

    def listed(**how: object) -> list[str]:
        with archive.reading() as transaction:
            wanted = FindingFilter(**how)  # type: ignore[arg-type]
            found = finding_search.page(transaction, owner.id, wanted)
            assert finding_search.count(transaction, owner.id, wanted) == len(found)
            assert finding_search.page(transaction, owner.id, wanted, 2, 1) == found[1:3]
            assert sum(entry.count for entry in finding_search.tallies(transaction, owner.id, wanted)) == len(found)
        return [entry.found.orders[0] for entry in found]

    assert listed() == ["ç", "o3", "o2", "o4", "o5", "o_6", "o1"]
    assert listed(period="2026-11") == ["o5", "o_6"]
    assert listed(rules=("R2", "R10"), states=("open",)) == ["o3", "o2", "o1"]
    assert listed(severities=("low",)) == []
    assert listed(run=2) == ["ç", "o_6"]
    assert listed(first_run=1) == ["o3", "o2", "o4", "o5", "o_6", "o1"]
    assert listed(text=" ".join((key(7)[:4], key(7)[4:]))) == ["o5"]
    assert listed(text="100% OFF") == ["o_6"]
    assert listed(text="o_") == ["o_6"], "no wildcard"
    assert listed(text="no invoice") == ["ç", "o3", "o2", "o4", "o5", "o_6", "o1"]
    with archive.reading() as transaction:
        (tally,) = finding_search.tallies(transaction, owner.id, FindingFilter(rules=("R2",), states=("open",)))
        assert (tally.severity, tally.count, tally.amount) == (Severity.HIGH.value, 2, 16)
        assert finding_search.periods(transaction, owner.id) == ("2026-11", "2026-10")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with Archive.to_write(tmp_path_factory.mktemp("shared") / "archive.sqlite3", "test") as archive:
        yield archive


MOMENTS = st.lists(
    st.tuples(st.sampled_from(["run", "explain", "ignore", "reopen"]), st.sets(st.integers(0, 5))), max_size=12
)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moments=MOMENTS)
def test_states_follow_from_the_last_run_and_the_last_word(
    shared: Archive, moments: list[tuple[str, set[int]]]
) -> None:
    """Against a model: nothing is there twice, what is gone is resolved, what is there stands as a person said last."""
    owner = account(shared, f"a{id(moments)}-{len(rows(shared, 'account')['account'])}")
    states = {"explain": EXPLAINED, "ignore": IGNORED, "reopen": OPEN}
    last_run: set[int] = set()
    ever: set[int] = set()
    word: dict[int, FindingState] = {}
    for number, (what, which) in enumerate(moments):
        if what == "run":
            store(shared, owner, number, *(a_finding(order=f"o{place}") for place in sorted(which)))
            last_run, ever = which, ever | which
            continue
        with shared.writing() as transaction:
            act = decisions.begin(transaction, owner.id, what, {})
            prints = {a_finding(order=f"o{place}").fingerprint: place for place in which & last_run}
            known = findings.with_fingerprints(transaction, owner.id, list(prints))
            for fingerprint, entry in known.items():
                said = Said(fingerprint, entry.state, states[what], None, None)
                decisions.say(transaction, act, owner.id, [said])
                findings.settle(transaction, entry.id, state=states[what], note=None, author="a", at=NOW)
                word[prints[fingerprint]] = states[what]
    found = {int(entry.found.orders[0][1:]): entry.state for entry in every(shared, owner).values()}
    assert found == {place: word.get(place, OPEN) if place in last_run else FindingState.RESOLVED for place in ever}


def test_the_list_of_an_account_is_read_by_its_index(archive: Archive) -> None:
    owner = account(archive)
    store(archive, owner, 1, a_finding())
    with sqlite3.connect(archive.path) as database:
        plan = database.execute(
            "EXPLAIN QUERY PLAN SELECT count(*) FROM finding f WHERE f.account_id = 1 AND f.period = '2026-10'"
        ).fetchall()
    database.close()
    assert "ix_finding_list" in str(plan)
