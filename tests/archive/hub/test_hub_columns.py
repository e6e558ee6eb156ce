"""The hub's word stands on the document's row, whichever came first, and follows what the hub says later."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search import facets
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.archive.vault.vault import digest_of
from tests.archive.listed import PLAIN, add_accounts, download, observe
from tests.archive.papers import key, note, store

Word = tuple[str | None, str | None, str | None, str | None]


def row(archive: Archive) -> documents.DocumentRow:
    with archive.reading() as transaction:
        (found,) = documents.page(transaction, DocumentQuery(), -1)
    return found


def word(archive: Archive) -> Word:
    found = row(archive)
    return (found.hub_account, found.hub_subtype, found.hub_marketplace, found.hub_order_id)


def count(archive: Archive, **filters: object) -> int:
    with archive.reading() as transaction:
        return documents.summary(transaction, DocumentQuery(**filters)).count  # type: ignore[arg-type]


def test_paper_and_record_meet_in_either_order(tmp_path: Path) -> None:
    steps: tuple[Callable[[Archive], object], ...] = (
        lambda archive: store(archive, note(1)),
        lambda archive: observe(archive, 1, subtype="sale_return"),
    )
    for place, order in enumerate(itertools.permutations(steps)):
        with Archive.to_write(tmp_path / str(place) / "a.sqlite3", "test") as archive:
            add_accounts(archive)
            for step in order:
                step(archive)
            assert word(archive) == ("shop", "sale_return", "Vitrine", "900")
            assert row(archive).operation == "sale_return"


@pytest.mark.parametrize("late", [False, True])
def test_a_changed_record_changes_the_row(archive: Archive, late: bool) -> None:
    add_accounts(archive)
    if not late:
        store(archive, note(1))
    observe(archive, 1)
    observe(archive, 1, subtype="devolution", marketplace="Feira", order="901")
    if late:
        store(archive, note(1))
    assert word(archive) == ("shop", "devolution", "Feira", "901")
    assert row(archive).operation == "devolution"
    assert (count(archive, marketplaces=("Feira",)), count(archive, marketplaces=("Vitrine",))) == (1, 0)


def test_a_record_that_takes_another_key_leaves_its_first_document(archive: Archive) -> None:
    add_accounts(archive)
    store(archive, note(1))
    observe(archive, 1)
    assert word(archive)[0] == "shop"
    observe(archive, 2)
    assert word(archive) == (None, None, None, None)
    assert count(archive, marketplaces=("Vitrine",)) == 0


@pytest.mark.parametrize("paper_at", [0, 1, 2])
def test_of_two_accounts_the_first_speaks_and_both_are_found(archive: Archive, paper_at: int) -> None:
    add_accounts(archive)
    for place in range(3):
        if place == paper_at:
            store(archive, note(1))
        if place == 0:
            observe(archive, 1, account=2, marketplace="Feira", order="901")
        if place == 1:
            observe(archive, 1, account=1, subtype="devolution")
    assert word(archive) == ("other", "sale", "Feira", "901")
    for name in ("Feira", "Vitrine"):
        assert count(archive, marketplaces=(name,)) == 1
    for subtype in ("sale", "devolution"):
        assert count(archive, subtype=subtype) == 1
    assert count(archive, marketplaces=("Feira", "Vitrine")) == 1
    assert count(archive, marketplaces=("Feira",), subtype="devolution") == 0
    assert count(archive, marketplaces=("Vitrine",), subtype="devolution") == 1
    assert count(archive, account="shop", marketplaces=("Vitrine",)) == count(archive, order_id="900") == 1


@pytest.mark.parametrize("paper_first", [False, True])
def test_a_paper_without_a_key_has_the_word_of_its_download(archive: Archive, paper_first: bool) -> None:
    add_accounts(archive)
    if paper_first:
        (content_id,) = store(archive, PLAIN)
        observe(archive, None)
    else:
        observe(archive, None)
        (content_id,) = store(archive, PLAIN)
    download(archive, content_id)
    assert word(archive) == ("shop", "sale", "Vitrine", "900")
    assert row(archive).operation == "other"
    assert count(archive, marketplaces=("Vitrine",)) == 1
    observe(archive, None, marketplace="Feira")
    assert word(archive)[2] == "Feira"
    with archive.reading() as transaction:
        assert documents.of_digest(transaction, digest_of(PLAIN))[0] == content_id


def test_every_version_of_a_key_carries_the_word(archive: Archive) -> None:
    add_accounts(archive)
    store(archive, note(1, cstat=None))
    observe(archive, 1)
    store(archive, note(1))
    with archive.reading() as transaction:
        found = documents.by_ids(transaction, documents.versions(transaction, key(1)))
    assert [entry.hub_marketplace for entry in found] == ["Vitrine", "Vitrine"]


def test_a_file_that_gave_way_to_another_has_no_word_any_more(archive: Archive) -> None:
    add_accounts(archive)
    (plain,) = store(archive, PLAIN)
    observe(archive, 1)
    download(archive, plain)
    assert word(archive) == ("shop", "sale", "Vitrine", "900")
    observe(archive, 2)
    (content_id,) = store(archive, note(2))
    download(archive, content_id)
    with archive.reading() as transaction:
        found = {entry.type: entry.hub_account for entry in documents.page(transaction, DocumentQuery(), -1)}
    assert found == {"other": None, "nfe": "shop"}


def test_a_marketplace_is_offered_with_as_many_documents_as_it_finds(archive: Archive) -> None:
    add_accounts(archive)
    (plain,) = store(archive, PLAIN)
    store(archive, note(1), note(2))
    observe(archive, None, marketplace="Vitrine", hub_id="plain")
    download(archive, plain)
    for number in (1, 2):
        observe(archive, number, hub_id=f"one-{number}")
    observe(archive, 1, account=2, marketplace="Feira", subtype="devolution", hub_id="two-1")
    observe(archive, 2, account=2, subtype=None, hub_id="two-2")
    for subtype, account in itertools.product((None, "sale", "devolution"), (None, "shop", "other")):
        query = DocumentQuery(subtype=subtype, account=account)
        with archive.reading() as transaction:
            offered = {entry.value: entry.documents for entry in facets.choices(transaction, query).marketplaces}
        found = {
            name: number
            for name in ("Vitrine", "Feira")
            if (number := count(archive, subtype=subtype, account=account, marketplaces=(name,)))
        }
        assert offered == found
    assert count(archive, marketplaces=("Feira",)) == 1
