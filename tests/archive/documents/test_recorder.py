"""Documents, events and versions in any order of arrival end in the same archive."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from confere.archive.documents import details, documents, recorder
from confere.archive.documents.recorder import CLAIMED_BY_HUB, CLAIMED_BY_XML, UNSPECIFIED, claim_relations
from confere.archive.documents.search.document_query import Lookup
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.fiscal.reading.document import read
from tests.archive.papers import EMITTER, RECIPIENT, cancellation, key, note, store


def rows(archive: Archive, query: DocumentQuery | None = None) -> list[documents.DocumentRow]:
    with archive.reading() as transaction:
        return list(documents.walk(transaction, query or DocumentQuery()))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_events_and_documents_arrive_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    files = [note(1), cancellation(1), note(2)]
    with Archive.to_write(tmp_path / "a.sqlite3", "test") as archive:
        for place in order:
            store(archive, files[place])
        states = {row.number: row.state for row in rows(archive)}
    assert states == {1: "cancelled", 2: "authorized"}


def test_an_event_that_was_not_registered_cancels_nothing(archive: Archive) -> None:
    store(archive, note(1), cancellation(1, cstat="573"))
    assert rows(archive)[0].state == "unregistered"
    with archive.reading() as transaction:
        (event,) = details.events(transaction, [key(1)])
    assert not event.registered
    assert event.text == "Cliente desistiu"


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_of_several_contents_of_a_key_the_authorized_one_is_shown(tmp_path: Path, order: tuple[int, ...]) -> None:
    bare, authorized, other = note(1, cstat=None), note(1), note(1, padding=" ")
    files = [bare, authorized, other]
    with Archive.to_write(tmp_path / "a.sqlite3", "test") as archive:
        for place in order:
            store(archive, files[place])
        shown = rows(archive)
        assert len(shown) == 1
        assert shown[0].state == "authorized"
        with archive.reading() as transaction:
            versions = documents.versions(transaction, key(1))
            assert len(versions) == 3
            assert versions[0] == shown[0].id
            owned = documents.summary(transaction, DocumentQuery(company=EMITTER))
        assert owned.count == 1
        found = {archive.content(row.content_id) for row in _all_versions(archive)}
    assert found == set(files)


def _all_versions(archive: Archive) -> tuple[documents.DocumentRow, ...]:
    with archive.reading() as transaction:
        return documents.by_ids(transaction, documents.versions(transaction, key(1)))


def test_it_belongs_to_emitter_and_recipient_each_with_their_direction(archive: Archive) -> None:
    store(archive, note(1))
    for company, direction in ((EMITTER, "out"), (RECIPIENT, "in")):
        assert len(rows(archive, DocumentQuery(company=company, direction=direction))) == 1
        assert not rows(archive, DocumentQuery(company=company, direction={"out": "in", "in": "out"}[direction]))


def test_everything_that_was_read_is_found_again(archive: Archive) -> None:
    (content_id,) = store(archive, note(7, total="1234.56", refers=key(6), order="PED-1"), source="file:a.xml")
    row = rows(archive)[0]
    assert (row.type, row.model, row.series, row.number, row.total) == ("nfe", "55", 1, 7, 123456)
    assert (row.access_key, row.issued_on, row.cfops, row.order_hint) == (key(7), "2026-10-05", "5102", "PED-1")
    with archive.reading() as transaction:
        (item,) = details.items(transaction, row.id)
        parties = details.parties(transaction, row.id)
        (relation,) = details.relations_from(transaction, key(7))
        (back,) = details.relations_to(transaction, key(6))
        assert details.sources(transaction, [content_id]) == {content_id: ("file:a.xml",)}
    assert (item.code, item.description, str(item.quantity), item.total_cents) == (
        "A1",
        "Caneca azul",
        "1.0000",
        123456,
    )
    assert {party.role for party in parties} >= {"emitter", "recipient"}
    assert (back.source_key, back.kind, back.archived) == (key(7), "references", True)
    assert (relation.target_key, relation.kind, relation.archived) == (key(6), "references", False)
    store(archive, note(6))
    with archive.reading() as transaction:
        assert details.relations_from(transaction, key(7))[0].archived


@pytest.mark.parametrize("hub_first", [True, False])
def test_a_hubs_claim_without_a_kind_joins_the_kind_of_the_xml(archive: Archive, hub_first: bool) -> None:
    def hub() -> None:
        with archive.writing() as transaction:
            claim_relations(transaction, [(key(7), key(6), UNSPECIFIED)], CLAIMED_BY_HUB)

    if hub_first:
        hub()
    store(archive, note(7, refers=key(6)))
    if not hub_first:
        hub()
    with archive.reading() as transaction:
        (relation,) = details.relations_from(transaction, key(7))
    assert (relation.kind, relation.claims) == ("references", CLAIMED_BY_XML | CLAIMED_BY_HUB)


def test_a_claim_of_the_hub_alone_says_so(archive: Archive) -> None:
    with archive.writing() as transaction:
        claim_relations(transaction, [(key(7), key(5), UNSPECIFIED)], CLAIMED_BY_HUB)
        claim_relations(transaction, [(key(7), key(5), UNSPECIFIED)], CLAIMED_BY_HUB)
    with archive.reading() as transaction:
        (relation,) = details.relations_from(transaction, key(7))
    assert (relation.kind, relation.claims) == (UNSPECIFIED, CLAIMED_BY_HUB)


def test_a_batch_that_fails_leaves_nothing(archive: Archive) -> None:
    data = note(1)
    with pytest.raises(RuntimeError), archive.writing() as transaction:
        recorder.record(transaction, archive.vault_writer, [recorder.NewPaper(Blob(data, digest_of(data)), read(data))])
        raise RuntimeError
    assert not rows(archive)
    store(archive, note(1))
    assert len(rows(archive)) == 1


class TestSearch:
    """Words, numbers and keys find documents the way a person types them."""

    @pytest.fixture(autouse=True)
    def filled(self, archive: Archive) -> None:
        store(archive, note(101), note(102, item="Xícara de porcelana", order="LV-2002"), note(103, cfop="6108"))

    @pytest.mark.parametrize(
        ("words", "numbers"),
        [
            ("caneca", {101, 103}),
            ("xicara", {102}),
            ("XÍCARA porc", {102}),
            ("sao joao", {101, 102, 103}),
            ("avo", {101, 102, 103}),
            ("lv-2002", {102}),
            ("nada disso", set()),
            ('"; DROP TABLE document; --', set()),
            ("caneca*)", {101, 103}),
            ("***", set()),
        ],
    )
    def test_words(self, archive: Archive, words: str, numbers: set[int]) -> None:
        assert {row.number for row in rows(archive, DocumentQuery(matching=Lookup("words", words)))} == numbers

    @pytest.mark.parametrize(
        ("lookup", "numbers"),
        [
            (Lookup("number", "102"), {102}),
            (Lookup("numbered", "102", 1), {102}),
            (Lookup("numbered", "102", 9), set()),
            (Lookup("key", key(103)), {103}),
            (Lookup("key_part", key(103)[-20:]), {103}),
            (Lookup("tax_id", EMITTER), {101, 102, 103}),
        ],
    )
    def test_figures(self, archive: Archive, lookup: Lookup, numbers: set[int]) -> None:
        assert {row.number for row in rows(archive, DocumentQuery(matching=lookup))} == numbers

    def test_filters_meet(self, archive: Archive) -> None:
        assert {row.number for row in rows(archive, DocumentQuery(cfop="6108"))} == {103}
        assert not rows(archive, DocumentQuery(cfop="108"))
        assert {row.number for row in rows(archive, DocumentQuery(number=101, company=EMITTER))} == {101}
        assert not rows(archive, DocumentQuery(to_day="2026-09-30"))
        assert len(rows(archive, DocumentQuery(from_day="2026-10-05", to_day="2026-10-05", types=("nfe",)))) == 3

    @pytest.mark.parametrize("sort", ["issued", "number", "total", "emitter", "type", "state"])
    def test_every_order_holds_every_document(self, archive: Archive, sort: str) -> None:
        for descending in (True, False):
            for company in (None, EMITTER):
                found = rows(archive, DocumentQuery(sort=sort, descending=descending, company=company))
                assert {row.number for row in found} == {101, 102, 103}
