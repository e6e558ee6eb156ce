"""What is put into the search box for a tag or a filter is read back as exactly that."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from confere.app.documents.browse import DocumentQuery
from confere.app.documents.organize import names, spelling
from confere.app.documents.search.search_language import parse
from confere.errors import UsageFault

_NOTHING = DocumentQuery()


@given(st.text(min_size=1, max_size=names.LONGEST))
@example("pago(ok)")
@example(">30d")
@example("<=5")
@example("(x)")
@example("//urgente")
@example("=igual")
@example("a/b")
@example("R$ 10")
@example("-não")
@example("a e b OU c")
@example("x\u0300\u0301")
def test_any_tag_is_asked_for_by_its_name_alone(text: str) -> None:
    try:
        name = names.checked(text, in_searches=True)
    except UsageFault:
        return  # no tag is called so
    words = f"{spelling.clause('tag', name)} caneca"
    found = parse(words, _NOTHING)
    assert found.problems == ()
    assert found.query.tags == (name,)
    alone = parse(spelling.clause("tag", name), _NOTHING)
    assert alone.query == DocumentQuery(tags=(name,))


@pytest.mark.parametrize(
    "query",
    [
        DocumentQuery(order_id="A(1)"),
        DocumentQuery(account=">loja"),
        DocumentQuery(subtype="a:b;c"),
        DocumentQuery(tags=("(a)", "b>c", "//d")),
        DocumentQuery(number=7, series=1, cfop="5102", gone=False, from_day="2026-10-02"),
    ],
)
def test_filters_in_words_are_read_back(query: DocumentQuery) -> None:
    found = parse(spelling.in_words(query), _NOTHING)
    assert (found.query, found.problems) == (query, ())


def test_what_needs_no_quotes_has_none() -> None:
    assert [spelling.quoted(value) for value in ("pago", "1/4711", "a,b", "2026-10-01..", "são-joão_1")] == [
        "pago", "1/4711", "a,b", "2026-10-01..", "são-joão_1",
    ]  # fmt: skip
    assert spelling.quoted('diz "sim"') == '"diz  sim "'
