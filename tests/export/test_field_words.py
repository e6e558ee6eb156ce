"""A template of names reads in each language what it reads in the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import UsageFault
from confere.export import field_words
from confere.export.package.name_templates import (
    DOCUMENT_FIELDS,
    EVENT_FIELDS,
    FOLDER_FIELDS,
    VOIDING_FIELDS,
    FolderName,
    Template,
    Templates,
)
from confere.system.language_choice import LANGUAGES
from confere.system.messages import set_language

EVERY = FOLDER_FIELDS | DOCUMENT_FIELDS | EVENT_FIELDS | VOIDING_FIELDS
PIECES = ("{key}", "{number:09}", "{emitente}", "{day}", "{situacao}", "{{", "}}", "a/", "ç", "{situacion:3}")


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    set_language(request.param)
    yield request.param
    set_language("en")


def test_every_field_has_a_word_of_its_own(language: str) -> None:
    words = {name: field_words.word(name) for name in EVERY}
    assert len(set(words.values())) == len(EVERY)
    assert all(field_words.field_of(word) == name for name, word in words.items())
    assert (words["company"] == "company") is (language == "en")


def test_the_standard_folders_in_the_users_language(language: str) -> None:
    values = {"company": "11222333000181", "month": "2026-10", "kind": "nfe", "direction": "out"}
    shown = field_words.shown(Templates().folder)
    assert shown == {"en": Templates().folder}.get(language, "{empresa}/{mes}/{familia}/{sentido}")
    assert FolderName(shown).of(values) == FolderName(Templates().folder).of(values)
    assert field_words.kept(shown) == Templates().folder


def test_what_is_no_field_stays(language: str) -> None:
    for template in ("{key", "{unknown:3}-{0}", "{{chave}}{{key}}"):
        assert field_words.shown(template) == field_words.kept(template) == template


def test_the_refusal_names_them_in_the_users_language(language: str) -> None:
    with pytest.raises(UsageFault) as caught:
        FolderName("{cnpj}")
    assert caught.value.remedy is not None
    assert caught.value.remedy.params["known"] == ", ".join(sorted(map(field_words.word, FOLDER_FIELDS)))


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_translating_a_template_changes_nothing_of_what_it_gives(text: str) -> None:
    values = {name: f"<{name}>" for name in EVERY}
    wanted = Template(text, DOCUMENT_FIELDS).fill(values)
    try:
        for language in sorted(LANGUAGES):
            set_language(language)
            for same in (field_words.shown(text), field_words.kept(text)):
                assert Template(same, DOCUMENT_FIELDS).fill(values) == wanted
    finally:
        set_language("en")
