"""Sentences come out in the user's language, and never fail to come out."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from confere.archive import message_encoding
from confere.errors import ArchiveMissing, HubRefusedToken, Message, UsageFault, WrittenDay, message, nmessage
from confere.system import language_choice, messages
from confere.system.messages import language, ngettext, render, render_error, set_language, t
from confere.system.resources import resource

Run = Callable[..., subprocess.CompletedProcess[str]]
ASK = "from confere.system.messages import language; print(language())"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pt_BR.UTF-8", "pt_BR"),
        ("pt-PT", "pt_BR"),
        ("PT", "pt_BR"),
        ("en_GB@euro", "en"),
        ("es_419", "es"),
        ("C", None),
        ("C.UTF-8", None),
        ("POSIX", None),
        ("fr_FR", None),
        ("", None),
        ("english", None),
    ],
)
def test_codes(code: str, expected: str | None) -> None:
    assert language_choice.normalise(code) == expected


@pytest.mark.parametrize(
    ("variables", "menus", "expected"),
    [
        ({}, "", "pt_BR"),
        ({"LANG": "es_MX.UTF-8"}, "", "es"),
        ({"LANG": "es_MX.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "", "en"),
        ({"LANG": "es_MX.UTF-8", "LC_ALL": "C"}, "", "pt_BR"),
        ({"LANG": "de_DE.UTF-8"}, "en_US", "pt_BR"),
        ({"LANG": "", "LC_ALL": ""}, "en_US", "en"),
        ({}, "ja_JP", "pt_BR"),
        ({"CONFERE_LANGUAGE": "en", "LC_ALL": "es_ES"}, "", "en"),
        ({"CONFERE_LANGUAGE": "klingon", "LC_ALL": "es_ES"}, "", "es"),
    ],
)
def test_the_language_nobody_chose(variables: dict[str, str], menus: str, expected: str) -> None:
    assert language_choice.preferred(variables, menus) == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({"LC_ALL": "es_ES.UTF-8"}, "es"), ({"LC_ALL": "C"}, "pt_BR"), ({"CONFERE_LANGUAGE": "en", "LC_ALL": "C"}, "en")],
)
def test_a_new_process_asks_its_environment(run: Run, variables: dict[str, str], expected: str) -> None:
    child = run(ASK, **variables)
    assert (child.stdout.strip(), child.stderr) == (expected, "")


def test_the_saved_setting_stands_between_the_variable_and_the_system() -> None:
    assert language_choice.preferred({"LANG": "es_ES"}, "", saved="en") == "en"
    assert language_choice.preferred({"LANG": "es_ES"}, "", saved="") == "es"
    assert language_choice.preferred({"CONFERE_LANGUAGE": "pt", "LANG": "es_ES"}, "", saved="en") == "pt_BR"
    assert set_language(None, saved="es") == "en"  # CONFERE_LANGUAGE of the tests
    assert set_language("pt", saved="es") == "pt_BR"


def test_what_was_asked_for_wins_over_the_environment() -> None:
    assert set_language(None) == "en"  # CONFERE_LANGUAGE of the tests
    assert set_language("pt") == "pt_BR" == language()
    assert set_language("es-AR") == "es" == language()
    with pytest.raises(UsageFault, match="klingon"):
        set_language("klingon")
    assert language() == "es"


def test_a_sentence_in_three_languages() -> None:
    said = message("There is no language {code} here.", code="fr")
    texts = {}
    for code in language_choice.LANGUAGES:
        set_language(code)
        texts[code] = render(said)
    assert texts == {
        "pt_BR": "Não há o idioma fr aqui.",
        "en": "There is no language fr here.",
        "es": "No hay ningún idioma fr aquí.",
    }


def test_an_error_in_the_users_language() -> None:
    set_language("pt_BR")
    error = HubRefusedToken(
        message("The token of the account {account} cannot be kept. {why}", account="Loja", why=message("{x}", x=1)),
        message("Install Confere again."),
        status=401,
        hub_words="Token inválido",
    )
    rendered = render_error(error)
    assert rendered.title == "O hub recusou o token"
    assert rendered.what == "Não foi possível guardar o token da conta Loja. 1"
    assert rendered.remedy == "Instale o Confere de novo."
    assert rendered.hub_words == "Token inválido"
    assert render_error(ArchiveMissing(message("x"))).remedy is None
    assert render_error(ArchiveMissing(message("x"))).hub_words == ""


def test_messages_inside_messages_are_translated_too() -> None:
    set_language("es")
    inner = message("There is no language {code} here.", code="fr")
    assert render(message("outer: {why}", why=inner)) == "outer: No hay ningún idioma fr aquí."


class Sulky:
    def __str__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (Message("{a} and {b}", {"a": 1}), "1 and {b}"),
        (Message("{a:d} items", {"a": "many"}), "many items"),
        (Message("{a.b.c} x", {"a": 1}), "1 x"),
        (Message("{} {0}", {"a": 1}), "{} {0}"),
        (Message("open { and {a}", {"a": 1}), "open { and 1"),
        (Message("{a} {s}", {"a": 1, "s": Sulky()}), "1 {s}"),
        (Message("100% {plain}"), "100% {plain}"),
        (Message("", {"a": 1}), ""),
        (Message(""), ""),
    ],
)
def test_a_placeholder_that_cannot_be_filled_stays(said: Message, text: str) -> None:
    assert render(said) == text


@example("\ud800 half a letter", {"a": "\ud800"})
@given(st.text(), st.dictionaries(st.text(), st.none() | st.integers() | st.text()))
def test_rendering_never_raises(text: str, params: dict[str, object]) -> None:
    assert isinstance(render(Message(text, params)), str)


def test_a_faces_own_sentence() -> None:
    set_language("pt_BR")
    assert t("Install Confere again.") == "Instale o Confere de novo."
    assert t("There is no language {code} here.", code="fr") == "Não há o idioma fr aqui."


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        ("en", 0, "0 documents"),
        ("en", 1, "1 document"),
        ("en", 1200, "1,200 documents"),
        ("pt_BR", 0, "0 documentos"),
        ("pt_BR", 1, "1 documento"),
        ("pt_BR", 1200, "1.200 documentos"),
        ("es", 0, "0 documentos"),
        ("es", 1, "1 documento"),
        ("es", 2, "2 documentos"),
    ],
)
def test_a_number_chooses_the_form_that_its_language_has(code: str, number: int, text: str) -> None:
    set_language(code)
    assert ngettext("{count} document", "{count} documents", number) == text
    said = nmessage("{count} document", "{count} documents", number)
    assert render(said) == text
    assert render(message("{what} {remedy}", what=said, remedy="!")) == f"{text} !"


def test_a_sentence_that_counts_is_said_without_a_catalogue_or_its_number() -> None:
    said = nmessage("{count} note of {who}", "{count} notes of {who}", 1, who="Ana")
    assert str(said) == "1 note of Ana"
    assert str(nmessage("{count} note", "{count} notes", 2)) == "2 notes"
    set_language("pt_BR")
    assert render(said) == "1 note of Ana"  # no catalogue has it: English's own form, also of 0
    assert ngettext("{count} note", "{count} notes", 0) == "0 notes"
    assert render(Message(said.id, {"who": "Ana"})) == "{count} notes of Ana"
    assert ngettext("{count} note", "{count} notes", 2, count="two") == "two notes"


@pytest.mark.logs_problems
def test_without_a_catalogue_it_speaks_english(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def nothing(*parts: str) -> None:
        raise FileNotFoundError(2, "gone", "/".join(parts))

    monkeypatch.setattr(messages, "resource", nothing)
    messages._catalogue.cache_clear()
    set_language("es")
    assert render(message("Install Confere again.")) == "Install Confere again."
    assert "no catalogue for es" in caplog.text
    messages._catalogue.cache_clear()


@pytest.mark.logs_problems
def test_a_damaged_catalogue_is_none_or_says_what_it_can(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_language("es")
    known = render(message("Install Confere again."))
    whole = resource("locale", "es", "LC_MESSAGES", "confere.mo").read_bytes()
    file = tmp_path / "confere.mo"
    monkeypatch.setattr(messages, "resource", lambda *_: file)

    def said(data: bytes) -> str:
        file.write_bytes(data)
        messages._catalogue.cache_clear()
        return render(message("Install Confere again."))

    assert said(whole) == known != "Install Confere again."
    for cut_off in (0, 3, 27, 28, 4000, 60000, len(whole) - 9):
        assert said(whole[:cut_off]) == "Install Confere again."
    assert said(whole.replace(known.encode(), b"\xff" * len(known.encode()))) == "\ufffd" * len(known.encode())
    messages._catalogue.cache_clear()


def test_a_day_of_a_stored_sentence_is_shown_as_the_language_writes_days() -> None:
    kept = message_encoding.kept(message("{day}: {number}", day=WrittenDay("31/10/2026"), number="10/2026"))
    assert '"31/10/2026"' in kept
    sentence = message_encoding.read(kept)
    assert sentence.params["day"] == "31/10/2026"
    told = {}
    for code in ("en", "pt_BR", "es"):
        set_language(code)
        told[code] = render(sentence)
    set_language("en")
    assert told == {"en": "2026-10-31: 10/2026", "pt_BR": "31/10/2026: 10/2026", "es": "31/10/2026: 10/2026"}
    for no_day in ("31/10/20", "1/10/2026 ", "ab/cd/efgh", "123/456789"):
        assert type(WrittenDay.of(no_day)) is str
