"""A template reads in each language what it reads in the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import UsageFault
from confere.export.package.name_templates import (
    CANONICAL,
    DOCUMENT_FIELDS,
    EVENT_FIELDS,
    FOLDER_FIELDS,
    VOIDING_FIELDS,
    FolderName,
    Template,
    Templates,
    in_language,
    placeholder_word,
)
from confere.hub.contract.lookup import LANGUAGES
from confere.system.messages import set_language

EVERY = FOLDER_FIELDS | DOCUMENT_FIELDS | EVENT_FIELDS | VOIDING_FIELDS
PIECES = ("{key}", "{number:09}", "{emitente}", "{day}", "{situacao}", "{{", "}}", "a/", "ç", "{estado:3}")


def test_every_name_has_a_word_of_its_own_in_every_language() -> None:
    assert set(CANONICAL.values()) == EVERY
    for language in LANGUAGES:
        words = [placeholder_word(name, language) for name in EVERY]
        assert len(set(words)) == len(EVERY)
        assert all(CANONICAL[each] == name for each, name in zip(words, EVERY, strict=True))


def test_a_template_in_portuguese() -> None:
    values = {"company": "11222333000181", "month": "2026-10", "kind": "nfe", "direction": "out"}
    assert in_language(Templates().folder, "pt_BR") == "{empresa}/{mes}/{familia}/{sentido}"
    assert FolderName("{empresa}/{mes}/{familia}/{sentido}").of(values) == FolderName(Templates().folder).of(values)
    assert Template("{numero:09}{{x}}", DOCUMENT_FIELDS).fill({"number": "42"}) == "000000042{x}"


def test_what_cannot_be_read_stays() -> None:
    assert in_language("{key", "es") == "{key"
    assert in_language("{unknown:3}-{key!r}{{}}", "es") == "{unknown:3}-{clave!r}{{}}"


def test_the_refusal_names_them_in_the_users_language() -> None:
    set_language("pt_BR")
    try:
        with pytest.raises(UsageFault) as caught:
            FolderName("{cnpj}")
    finally:
        set_language("en")
    assert caught.value.remedy is not None
    assert caught.value.remedy.params["known"] == "empresa, familia, mes, modelo, sentido, situacao, tipo"


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.sampled_from(sorted(LANGUAGES)))
def test_translating_a_template_changes_nothing_of_what_it_gives(text: str, language: str) -> None:
    values = {name: f"<{name}>" for name in EVERY}
    wanted = Template(text, DOCUMENT_FIELDS).fill(values)
    assert Template(in_language(text, language), DOCUMENT_FIELDS).fill(values) == wanted
