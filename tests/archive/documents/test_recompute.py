"""States in whatever order papers come: documents, events, complements, substitutes, annulments, cancellations."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.documents import recompute
from confere.archive.store import Archive
from tests.archive.freights import freight, freight_event, freight_key
from tests.archive.papers import cancellation, key, note, store


def complementary(number: int, of: int, emitter: str | None = None) -> bytes:
    """A note of purpose 2 that references the note `of`."""
    made = note(number, refers=key(of)) if emitter is None else note(number, refers=key(of), emitter=emitter)
    return made.replace(b"<finNFe>1", b"<finNFe>2")


PAPERS: dict[str, bytes] = {
    "note": note(1),
    "its complement": complementary(2, 1),
    "the complement's cancellation": cancellation(2),
    "its refused cancellation": cancellation(1, cstat="573"),
    "freight": freight(11),
    "freight's complement": freight(12, complements=freight_key(11)),
    "freight's substitute": freight(13, replaces=freight_key(11)),
    "the substitute's cancellation": freight_event(13),
    "freight's annulment": freight(14, annuls=freight_key(11)),
    "the substitute's substitute": freight(15, replaces=freight_key(13)),
    "freight's event of substitution": freight_event(11, "240140", cstat="134"),
    "freight's other bytes": freight(11, cstat=None),
    "late": note(3),
    "late's cancellation": cancellation(3, cstat="155"),
}


def states_of(archive: Archive) -> dict[int, str]:
    with archive.reading() as transaction:
        return dict(transaction.fetch("SELECT number, state FROM document WHERE is_current = 1 ORDER BY number"))


def states_after(steps: Sequence[Sequence[bytes]]) -> dict[int, str]:
    with tempfile.TemporaryDirectory() as folder, Archive.to_write(Path(folder) / "a.sqlite3", "test") as archive:
        for step in steps:
            store(archive, *step)
        return states_of(archive)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.sampled_from(sorted(PAPERS))), st.data())
def test_any_order_gives_the_same_states(names: set[str], data: st.DataObject) -> None:
    order = data.draw(st.permutations(sorted(names)))
    cut = data.draw(st.integers(0, len(order)))
    at_once = states_after([[PAPERS[name] for name in sorted(names)]])
    assert states_after([[PAPERS[name]] for name in order]) == at_once
    assert states_after([[PAPERS[name] for name in part] for part in (order[:cut], order[cut:]) if part]) == at_once


@pytest.mark.parametrize(
    ("names", "number", "state"),
    [
        (["note"], 1, "authorized"),
        (["note", "its complement"], 1, "complemented"),
        (["note", "its complement", "the complement's cancellation"], 1, "authorized"),
        (["note", "its complement", "its refused cancellation"], 1, "unregistered"),
        (["freight", "freight's complement"], 11, "complemented"),
        (["freight", "freight's complement", "freight's substitute"], 11, "replaced"),
        (["freight", "freight's substitute", "the substitute's cancellation"], 11, "authorized"),
        (["freight", "freight's substitute", "the substitute's substitute"], 11, "replaced"),
        (["freight", "freight's substitute", "the substitute's substitute"], 13, "replaced"),
        (["freight", "freight's substitute", "freight's annulment"], 11, "annulled"),
        (["freight", "freight's event of substitution"], 11, "replaced"),
        (
            ["freight", "freight's event of substitution", "freight's substitute", "the substitute's cancellation"],
            11,
            "authorized",
        ),
        (["freight's other bytes", "freight's substitute"], 11, "replaced"),
        (["late", "late's cancellation"], 3, "cancelled_late"),
    ],
)
def test_what_they_amount_to(archive: Archive, names: list[str], number: int, state: str) -> None:
    for name in reversed(names):
        store(archive, PAPERS[name])
    assert states_of(archive)[number] == state


def test_another_companys_paper_changes_nothing(archive: Archive) -> None:
    store(archive, note(1), complementary(2, 1, emitter="11444777000161"))
    assert states_of(archive) == {1: "authorized", 2: "authorized"}


def test_a_return_complements_nothing(archive: Archive) -> None:
    store(archive, note(1), note(2, refers=key(1)).replace(b"<finNFe>1", b"<finNFe>4"))
    assert states_of(archive) == {1: "authorized", 2: "authorized"}


def test_papers_that_replace_each_other_end(archive: Archive) -> None:
    store(archive, freight(1, replaces=freight_key(2)), freight(2, replaces=freight_key(1)))
    store(archive, freight_event(1, cstat="573"))
    assert states_of(archive) == {1: "replaced", 2: "replaced"}


def test_the_papers_that_change_a_document_are_told_with_their_own_states(archive: Archive) -> None:
    store(archive, *(PAPERS[name] for name in PAPERS if "freight" in name or "substitute" in name))
    with archive.reading() as transaction:
        found = recompute.changes_of(transaction, [freight_key(11)])[freight_key(11)]
    assert {(entry.kind, entry.access_key, entry.state) for entry in found} == {
        ("complements", freight_key(12), "authorized"),
        ("replaces", freight_key(13), "cancelled"),
        ("annuls", freight_key(14), "authorized"),
    }


def test_a_version_that_becomes_current_again_belongs_to_its_company_again(archive: Archive) -> None:
    bare, whole = note(1, cstat=None), note(1)
    store(archive, bare, whole)
    with archive.writing() as transaction:
        before = sorted(transaction.fetch("SELECT tax_id, issued_on, direction FROM belonging"))
        transaction.execute("UPDATE document SET cstat = '204' WHERE is_current = 1")
        transaction.execute("UPDATE document SET cstat = '100' WHERE is_current = 0")
        recompute.documents(transaction, [key(1)])
        (current,) = transaction.fetch("SELECT id FROM document WHERE is_current = 1")
        owned = transaction.fetch("SELECT tax_id, issued_on, direction FROM belonging")
        assert {row[0] for row in transaction.fetch("SELECT document_id FROM belonging")} == {current[0]}
    assert sorted(owned) == before
