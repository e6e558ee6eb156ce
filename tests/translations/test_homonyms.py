"""A word with two meanings has a translation for each: in every catalogue, and never used without its context."""

from __future__ import annotations

from collections import Counter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from confere.errors import CONTEXT_END, NC_, Message, without_context
from confere.system import messages
from tests.translations.homonyms import HOMONYMS, Meaning
from tests.translations.sentences import LOCALES, SOURCE, calls


@pytest.fixture(scope="module")
def used() -> set[str]:
    """The ids of all sentences in the sources."""
    return {call.text for file in SOURCE.rglob("*.py") for call in calls(file.read_text(encoding="utf-8")) if call.text}


def _catalogue(language: str) -> Catalog:
    with (LOCALES / language / "LC_MESSAGES" / "confere.po").open("rb") as file:
        return read_po(file, locale=language)


@pytest.mark.parametrize("language", ["pt_BR", "en", "es"])
def test_every_meaning_has_its_translation(language: str) -> None:
    catalogue = _catalogue(language)
    given = {one.key: entry.string if (entry := catalogue.get(one.word, one.context)) else None for one in HOMONYMS}
    assert given == {one.key: one.word if language == "en" else getattr(one, language) for one in HOMONYMS}


def test_no_word_of_the_table_is_used_without_its_context(used: set[str]) -> None:
    assert sorted({one.word for one in HOMONYMS} & used) == []


def test_the_table_has_every_context_of_the_sources_and_no_other(used: set[str]) -> None:
    assert sorted(one.key for one in HOMONYMS) == sorted(text for text in used if CONTEXT_END in text)


def test_a_meaning_is_in_the_table_once() -> None:
    assert [key for key, count in Counter(one.key for one in HOMONYMS).items() if count > 1] == []


@pytest.mark.parametrize("one", HOMONYMS, ids=lambda one: f"{one.word}, {one.context}")
def test_the_program_says_the_meaning(one: Meaning, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages._Choice, "code", "pt_BR")
    assert messages.render(Message(one.key)) == one.pt_BR
    monkeypatch.setattr(messages._Choice, "code", "en")
    assert messages.render(Message(one.key)) == one.word


def test_a_context_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages._Choice, "code", "pt_BR")
    strange = NC_("nowhere", "{count} pears")
    assert without_context(strange) == "{count} pears"
    assert str(Message(strange, {"count": 2})) == "2 pears"
    assert messages.render(Message(strange, {"count": 2})) == "2 pears"
