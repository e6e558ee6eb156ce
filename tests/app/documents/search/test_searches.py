"""Every search of the table finds its documents in the small world, or is refused in words at its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.documents.search import typed_days
from confere.app.documents.search.search_language import parse
from confere.app.documents.search.search_tokens import in_every_language
from confere.archive.documents import documents
from confere.system import messages
from confere.system.messages import render, set_language
from tests.app.documents.search.searched_world import CARRIER, COMPANY, fill, letter_of
from tests.app.documents.search.searches import (
    CODES,
    IN_OCTOBER,
    NEITHER_NOR,
    NUMBERS,
    SEARCHES,
    SPANISH,
    TODAY,
    UPPER_CASE,
    WORDS,
    Outcome,
    Refused,
)
from tests.export.made import OTHER

_EVERYTHING = DocumentQuery()


@pytest.fixture(autouse=True)
def day_of_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_days, "today", lambda: TODAY)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenArchive]:
    workspace = Workspace.at(tmp_path_factory.mktemp("searched") / "home")
    with workspace.writing("test") as archive:
        fill(archive)
    session = OpenArchive(workspace)
    yield session
    session.close()


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = messages._Choice.code
    set_language("en")
    yield
    messages._Choice.code = before


def test_the_table_is_as_long_as_it_was_promised() -> None:
    assert len(SEARCHES) >= 120


@pytest.mark.parametrize("text", SEARCHES, ids=lambda text: text[:60].encode("unicode_escape").decode())
def test_what_is_typed_finds_what_is_meant(opened: OpenArchive, text: str) -> None:
    check(opened, text, SEARCHES[text])


@pytest.mark.parametrize("many", [1, 2, 4000])
@pytest.mark.parametrize("company", [COMPANY, CARRIER, OTHER, "52998224725", "00000000000272"])
def test_within_a_company_the_same_is_found_as_among_all(
    opened: OpenArchive, monkeypatch: pytest.MonkeyPatch, company: str, many: int
) -> None:
    with opened.reading() as transaction:
        theirs = set(transaction.column("SELECT document_id FROM belonging WHERE tax_id = ?", (company,)))
    monkeypatch.setattr(documents, "_MANY", many)
    for text in (*WORDS, *NUMBERS, *CODES, *NEITHER_NOR):
        query = parse(text, DocumentQuery()).query
        expected = [row.id for row in browse.first(opened, query) if row.id in theirs]
        query = parse(text, DocumentQuery(company=company)).query
        assert [row.id for row in browse.first(opened, query)] == expected, text
        assert list(browse.snapshot(opened, query)) == expected, text


@pytest.mark.parametrize("text", IN_OCTOBER)
def test_a_day_anywhere_in_the_text_replaces_the_month_in_use(opened: OpenArchive, text: str) -> None:
    check(opened, text, IN_OCTOBER[text], DocumentQuery(from_day="2026-10-01", to_day="2026-10-31"))


@pytest.mark.parametrize("text", UPPER_CASE)
def test_upper_case_texts_are_words_in_portuguese(opened: OpenArchive, text: str) -> None:
    set_language("pt_BR")
    check(opened, text, UPPER_CASE[text])


@pytest.mark.parametrize("text", SPANISH)
def test_spanish_words_join_while_spanish_is_in_use(opened: OpenArchive, text: str) -> None:
    expected = SPANISH[text]
    set_language("es")
    if isinstance(expected, Refused):
        problem = parse(text, DocumentQuery()).problems[0]
        assert expected.where in render(problem.what)
        assert text[problem.start : problem.end].startswith(expected.where)
        return
    check(opened, text, expected)
    kept = in_every_language(text)
    set_language("pt_BR")
    check(opened, kept, expected)


def check(opened: OpenArchive, text: str, expected: Outcome, base: DocumentQuery = _EVERYTHING) -> None:
    """That the search finds what it should within `base`, or is refused for what is wrong with it."""
    parsed = parse(text, base)
    if isinstance(expected, Refused):
        problem = parsed.problems[0]
        assert expected.what in render(problem.what)
        assert text[problem.start : problem.end].startswith(expected.where)
        assert parsed.query == base
        return
    assert [render(problem.what) for problem in parsed.problems] == []
    rows = browse.first(opened, parsed.query)
    assert " ".join(letter_of(row.type, row.series, row.number) for row in rows) == expected
    assert browse.totals(opened, parsed.query).count == len(rows)
