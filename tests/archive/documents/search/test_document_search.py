"""What people ask for is found by index, whatever they type, and nothing they type is more than text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.archive.accounts import accounts
from confere.archive.clock import from_text
from confere.archive.documents import documents
from confere.archive.documents.search.document_query import Group, Lookup
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.hub import download_queue, hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.message_encoding import kept, read, storable
from confere.archive.store import Archive
from confere.archive.vault.vault import digest_of
from confere.errors import UsageFault, message
from confere.sales.hub_document import HubItem
from tests.archive.hub_documents import hub_document
from tests.archive.papers import EMITTER, RECIPIENT, key, note, store
from tests.archive.query_plans import plans

NARROW = ("SCAN d covering ix_document_list", "SCAN d ix_document_list")
OTHER = b"<retConsStatServ><cStat>107</cStat></retConsStatServ>"
HUB = DocumentQuery(order_id="900", marketplaces=("Vitrine",), subtype="sale", account="shop")
FILTERS = [
    replace(DocumentQuery(), **{name: getattr(HUB, name)})
    for name in ("order_id", "marketplaces", "subtype", "account")
] + [HUB]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Three notes and a paper without a key; note 1 and the paper are of the order 900."""
    with Archive.to_write(tmp_path_factory.mktemp("query") / "a.sqlite3", "test") as opened:
        store(opened, note(1, item="foo_bar caneca"), note(2, item="Sa\u0303o Luís"), note(3, item="STRAẞE"), OTHER)
        with opened.writing() as transaction:
            for name in ("shop", "other"):
                accounts.add(transaction, name=name, environment="production", address="x", platform="x")
        _observe(opened, 1, key(1), "900", "Vitrine", "sale")
        _observe(opened, 1, None, "900", "Vitrine", "sale")
        _observe(opened, 2, key(2), "901", "Feira", "return")
        with opened.writing() as transaction:
            content_id, _ = documents.of_digest(transaction, digest_of(OTHER))
            assert content_id is not None
            queued = next(
                entry for entry in download_queue.open_items(transaction, 1, 0, 10) if entry.item_id == "None"
            )
            download_queue.mark_done(transaction, [(queued.id, content_id)])
        yield opened


def found(archive: Archive, query: DocumentQuery) -> set[int | None]:
    with archive.reading() as transaction:
        rows = documents.page(transaction, query, -1)
        assert documents.summary(transaction, query).count == len(rows)
    return {row.number for row in rows}


@pytest.mark.parametrize("query", FILTERS)
def test_the_hubs_word_finds_its_paper_with_and_without_a_key(archive: Archive, query: DocumentQuery) -> None:
    assert found(archive, query) == {1, None}
    assert found(archive, replace(query, company=EMITTER)) == {1}
    assert found(archive, replace(query, company=EMITTER, matching=Lookup("words", "caneca"))) == {1}
    assert found(archive, replace(query, matching=Lookup("number", "900"))) == {1, None}


def test_conditions_of_the_hub_meet_in_one_record(archive: Archive) -> None:
    assert found(archive, DocumentQuery(marketplaces=("Vitrine",), subtype="return")) == set()
    assert found(archive, DocumentQuery(order_id="901", account="shop")) == set()
    assert found(archive, DocumentQuery(order_id="901", account="other")) == {2}


@pytest.mark.parametrize("words", ["2", "900", EMITTER, RECIPIENT])
def test_a_number_is_looked_up_in_indexes(archive: Archive, words: str) -> None:
    query = DocumentQuery(matching=Lookup("number", words))
    assert found(archive, query)
    _is_indexed(archive, query)


@pytest.mark.parametrize("query", FILTERS)
def test_the_hubs_word_is_looked_up_in_indexes(archive: Archive, query: DocumentQuery) -> None:
    _is_indexed(archive, query)


def _is_indexed(archive: Archive, query: DocumentQuery) -> None:
    for sort in ("issued", "number", "total"):
        asked = replace(query, sort=sort)
        for ask in (documents.summary, documents.ids):
            with archive.reading() as transaction:
                steps = plans(transaction, partial(ask, query=asked))[-1]
            assert any(step.startswith(("SEARCH d ", *NARROW)) for step in steps)
            assert not [
                step
                for step in steps
                if step.startswith("SCAN") and not step.startswith(("SCAN search ", "SCAN voiding", *NARROW))
            ]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("foo_bar", {1}),
        ("_foo_", {1}),
        ("_", set()),
        ("São Luís", {2}),
        (unicodedata.normalize("NFD", "São Luís"), {2}),
        ("strasse", set()),
        ("Stra", {3}),
        ("STRAẞE", {3}),
        ("\ud800", set()),
        ("a\0b", {1}),
    ],
)
def test_words_as_people_type_them(archive: Archive, words: str, numbers: set[int]) -> None:
    assert found(archive, DocumentQuery(matching=Lookup("words", words))) - {None} == numbers


@pytest.mark.parametrize(
    ("wanted", "unwanted", "numbers"),
    [
        ("são", ("foo",), {2, 3}),
        ("loja", ("foo", "luís"), {3}),
        ("loja", ("fo",), {2, 3}),
        ("loja", ("loj",), set()),
        ("loja", ("_", "\0"), {1, 2, 3}),
    ],
)
@pytest.mark.parametrize("many", [0, 4000])
def test_words_without_others(
    archive: Archive,
    monkeypatch: pytest.MonkeyPatch,
    many: int,
    wanted: str,
    unwanted: tuple[str, ...],
    numbers: set[int],
) -> None:
    monkeypatch.setattr(documents, "_MANY", many)
    words = Lookup("words", wanted)
    each = Group("and", (words, *(Group("not", (Lookup("words", word),)) for word in unwanted)))
    none = Group("and", (words, Group("not", (Group("or", tuple(Lookup("words", word) for word in unwanted)),))))
    for matching in (each, none):
        for company in (None, EMITTER):
            assert found(archive, DocumentQuery(company=company, matching=matching)) - {None} == numbers
            with archive.reading() as transaction:
                rows = documents.page(transaction, DocumentQuery(company=company, matching=matching), 60)
            assert {row.number for row in rows} - {None} == numbers


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_makes_the_search_fail(archive: Archive, words: str) -> None:
    found(archive, DocumentQuery(matching=Lookup("words", words)))
    with archive.reading() as transaction:
        documents.mentioning(transaction, words)
        documents.versions(transaction, words)


@pytest.mark.parametrize("name", ["Mercado 2020", "Auto Postos 2000", "AUTO POSTOS 20-00"])
def test_a_name_in_the_shape_of_a_tax_id_is_a_name(tmp_path: Path, name: str) -> None:
    with Archive.to_write(tmp_path / "a.sqlite3", "test") as archive:
        store(archive, note(1).replace("Loja São João".encode(), name.encode()), note(2))
        with archive.reading() as transaction:
            assert documents.summary(transaction, DocumentQuery(emitter=name)).count == 1
            assert documents.summary(transaction, DocumentQuery(emitter="11.222.333/0001-81")).count == 2


@given(st.lists(st.characters(categories=("L", "N", "M", "Co", "So")), min_size=1, max_size=40).map("a".join))
def test_no_letter_splits_a_word_in_two(archive: Archive, words: str) -> None:
    found(archive, DocumentQuery(matching=Lookup("words", words)))


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_makes_a_filter_fail(archive: Archive, text: str) -> None:
    query = DocumentQuery(order_id=text, marketplaces=(text,), subtype=text, account=text, cfop=text, access_key=text)
    found(archive, query)
    found(archive, replace(query, company=text, from_day=text, to_day=text))
    found(archive, DocumentQuery(uf=text, ncm=text, environment=text, direction=text, states=(text, text)))
    for asked in (DocumentQuery(emitter=text), DocumentQuery(recipient=text), DocumentQuery(item_words=text)):
        found(archive, asked)
        found(archive, replace(asked, company=EMITTER, sort="counterparty"))


def test_no_text_is_too_long(archive: Archive) -> None:
    text = "ã" * 100_000 + " b" * 10_000
    assert found(archive, DocumentQuery(emitter=text, recipient=text)) == set()
    assert found(archive, DocumentQuery(item_words="foo bar " * 100)) == {1}


@pytest.mark.parametrize("cfop", ["%", "51__", "5_02", "510", "102"])
def test_a_cfop_is_no_pattern(archive: Archive, cfop: str) -> None:
    assert found(archive, DocumentQuery(cfop="5102")) == {1, 2, 3}
    assert found(archive, DocumentQuery(cfop=cfop)) == set()


def test_numbers_beyond_63_bits_are_refused(archive: Archive) -> None:
    for number in (2**63, 10**30, -(2**63) - 1):
        for query in (DocumentQuery(number=number), DocumentQuery(series=number)):
            with pytest.raises(UsageFault, match="larger than any number"):
                found(archive, query)
        with archive.reading() as transaction, pytest.raises(UsageFault, match=str(number)):
            documents.page(transaction, DocumentQuery(), number)
    assert found(archive, DocumentQuery(number=2**63 - 1)) == set()


def test_the_worth_of_all_may_be_more_than_63_bits(tmp_path: Path) -> None:
    with Archive.to_write(tmp_path / "a.sqlite3", "test") as archive:
        store(archive, *[note(number, total="999999999999999.99") for number in range(1, 101)])
        with archive.writing() as transaction:
            transaction.execute("UPDATE document SET total = ? WHERE number = 1", (2**63 - 1,))
            transaction.execute("UPDATE document SET total = ? WHERE number = 2", (-(2**62) - 3,))
            transaction.execute("UPDATE document SET total = NULL WHERE number = 3")
            amount = documents.summary(transaction, DocumentQuery())
            assert documents.summary(transaction, DocumentQuery(number=999)) == documents.QueryTotals(0, 0)
            transaction.execute("UPDATE document SET state = 'cancelled' WHERE number = 2")
            of_all = documents.totals(transaction, DocumentQuery())
            assert documents.totals(transaction, DocumentQuery(from_day="")) == of_all
    most, void = 97 * 99999999999999999 + 2**63 - 1, -(2**62) - 3
    assert amount == documents.QueryTotals(100, most + void)
    assert of_all == documents.DocumentTotals(100, most, 1, void)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_kept(text: str) -> None:
    assert storable(text).encode("utf-8").decode("utf-8") == storable(storable(text))
    sentence = message("There is {what}.", what=text)
    assert kept(sentence).encode("utf-8")
    assert read(kept(sentence)) == message("There is {what}.", what=storable(text))


def _observe(
    archive: Archive, account_id: int, access_key: str | None, order_id: str, marketplace: str, subtype: str
) -> None:
    document = hub_document(
        str(access_key),
        access_key,
        subtype=subtype,
        marketplace=marketplace,
        order_id=order_id,
        created_at=from_text("2026-10-05T12:00:00.000+00:00"),
        updated_at=from_text("2026-10-05T12:00:00.000+00:00"),
        items=(HubItem(str(access_key), None),),
        raw=f"{{{access_key}}}".encode(),
    )
    with archive.writing() as transaction:
        hub_records.observe(transaction, archive.vault_writer, account_id, 1, [HubRecord(document)])
