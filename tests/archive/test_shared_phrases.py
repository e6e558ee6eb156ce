"""Sentences of links: a phrase is written once, and what is read is what was written."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.message_encoding import storable
from confere.archive.shared_phrases import Phrases
from confere.archive.store import Archive
from confere.errors import Message, message
from tests.archive.books import rows

TEXTS = st.text(st.characters(), max_size=8)
VALUES = st.one_of(TEXTS.map(storable), st.integers(-(2**40), 2**40), st.just(message("within {n}", n=1)))
SENTENCES = st.builds(Message, TEXTS.map(storable), st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3))


def test_a_phrase_is_written_once(archive: Archive) -> None:
    first = [message("it refers to {name}", name="NF-e 1/20"), message("the same buyer")]
    with archive.writing() as transaction:
        text = Phrases(transaction).kept_all(first)
        assert Phrases(transaction).kept_all(first) == text == '[[1,"NF-e 1/20"],[2]]'
        other = Phrases(transaction).kept_all([message("it refers to {name}", name="NF-e 1/21")])
    assert other == '[[1,"NF-e 1/21"]]'
    assert rows(archive, "phrase")["phrase"] == [(1, '["it refers to {name}","name"]'), (2, '["the same buyer"]')]
    with archive.reading() as transaction:
        assert Phrases(transaction).read_all(text) == tuple(first)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SENTENCES, max_size=4))
def test_what_is_read_is_what_was_written(archive: Archive, found: list[Message]) -> None:
    with archive.writing() as transaction:
        text = Phrases(transaction).kept_all(found)
        assert Phrases(transaction).read_all(text) == tuple(found)


def test_a_name_that_is_no_utf8_is_kept_readable(archive: Archive) -> None:
    with archive.writing() as transaction:
        text = Phrases(transaction).kept_all([message("from {file}", file="a\udce7o")])
        (found,) = Phrases(transaction).read_all(text)
    assert found.params == {"file": "a\\udce7o"}
