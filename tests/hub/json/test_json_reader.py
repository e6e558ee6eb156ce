from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.http.exchange import HubAnswer
from confere.hub.http.status_errors import BadAnswer
from confere.hub.json.json_reader import read_listing, read_record

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def answer(body: bytes | str, content_type: str = "application/json") -> HubAnswer:
    return HubAnswer(200, {"content-type": content_type}, body.encode() if isinstance(body, str) else body)


def test_records_keep_their_own_text() -> None:
    item = '{"b":1.50, "a":"\\u00e7\\u00E3ç", "b" :2.0}'
    text = '\ufeff { "links" : [ ] , "content" : [ ' + item + '  ,[] ] ,"page":{"number":0}} \n'
    listing = read_listing(answer(text))
    assert [record.raw.decode() for record in listing.records] == [item, "[]"]
    assert listing.records[0].value == {"b": Decimal("2.0"), "a": "çãç"}
    assert listing.envelope == {"links": [], "page": {"number": 0}}


def test_numbers_are_exact() -> None:
    record = read_record(answer('{"total": 10.10, "id": 12345678901234567890, "e": 1e2}'))
    assert record.value == {"total": Decimal("10.10"), "id": 12345678901234567890, "e": Decimal("1e2")}
    assert str(record.value["total"]) == "10.10"  # type: ignore[index]


@given(st.lists(JSON, max_size=5), st.dictionaries(st.text(max_size=8), JSON, max_size=4), st.booleans(), st.booleans())
def test_any_listing_is_read_like_the_standard_library_reads_it(
    items: list[object], others: dict[str, object], ascii_only: bool, bare: bool
) -> None:
    whole = {**others, "content": items}
    text = json.dumps(items if bare else whole, ensure_ascii=ascii_only, indent=1)
    body = text.encode("utf-8", "replace")
    expected = json.loads(body)
    listing = read_listing(answer(body))
    got = [json.loads(record.raw) for record in listing.records]
    assert got == (expected if bare else expected["content"])
    if not bare:
        assert listing.envelope is not None
        assert set(listing.envelope) == set(expected) - {"content", *(_lists_in(expected))}


def _lists_in(value: dict[str, object]) -> set[str]:
    return {name for name in ("items", "data", "results") if isinstance(value.get(name), list)}


@given(st.text(alphabet='[]{}",:0123456789.eE+-\\ntrufals \n', max_size=60))
def test_what_the_standard_library_refuses_is_refused(text: str) -> None:
    try:
        value = json.loads(text)
    except ValueError:
        value = ...
    try:
        listing = read_listing(answer(text))
    except BadAnswer:
        assert not isinstance(value, list) or "e" in text.lower()  # an exponent beyond Decimal
        return
    assert [json.loads(record.raw) for record in listing.records] == (
        value if isinstance(value, list) else value["content"] or []
    )


@pytest.mark.parametrize("name", ["content", "items", "data", "results"])
def test_a_list_under_another_name_is_found(name: str) -> None:
    assert len(read_listing(answer(json.dumps({"page": {}, name: [{}, {}]}))).records) == 2


def test_an_empty_list_may_be_null() -> None:
    assert read_listing(answer('{"content": null}')).records == ()


@pytest.mark.parametrize(
    ("body", "again"),
    [
        ("", True),
        ("  ", True),
        ("<html>", True),
        ('{"content": [{"a": 1}', True),
        ('{"content": [{"a": 1},]}', True),
        ('{"content": []} x', True),
        ('{"content": [] "page": {}}', True),
        ('{"content": "none"}', True),
        ("{}", True),
        ("17", True),
        ('"text"', True),
        ("{1: 2}", True),
        ('{"content": [{"a": NaN}]}', False),
        ('[{"a": -Infinity}]', False),
        ('{"content": [' + '{"a":' * 200_000, False),
        ("[" * 200_000, False),
        ('{"content": [1e99999999999999999999999]}', False),
    ],
)
def test_bad_listings_are_refused_and_hostile_ones_not_asked_for_again(body: str, again: bool) -> None:
    with pytest.raises(BadAnswer) as caught:
        read_listing(answer(body))
    assert caught.value.again is again


@pytest.mark.parametrize(
    ("body", "again"),
    [("[]", True), ("", True), ('{"a"', True), ('{"a": NaN}', False), ('{"a":' * 200_000, False), ("{} {}", True)],
)
def test_bad_records_are_refused(body: str, again: bool) -> None:
    with pytest.raises(BadAnswer) as caught:
        read_record(answer(body))
    assert caught.value.again is again


def test_other_charsets() -> None:
    body = '{"a": "ação"}'
    assert read_record(answer(body.encode("latin-1"), "application/json; charset=ISO-8859-1")).value == {"a": "ação"}
    assert read_record(answer(body.encode("latin-1"))).value == {"a": "ação"}
    assert read_record(answer(body.encode("utf-8"), "application/json; charset=ISO-8859-1")).value == {"a": "ação"}
    assert read_record(answer(body.encode("utf-8"), "application/json; charset=rubbish")).raw == body.encode()
