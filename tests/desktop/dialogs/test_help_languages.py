"""The help in each language that has one: the topics, lists, commands and names of buttons that Portuguese has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents.search import search_language
from confere.archive.documents.search.document_query import DocumentQuery
from confere.desktop.core import actions
from confere.desktop.core.actions import Actions
from confere.desktop.dialogs import help_pages
from confere.desktop.services import Services
from confere.system import messages
from confere.system.language_choice import DEFAULT
from confere.system.plain_text import folded
from confere.system.resources import resource

LANGUAGES = sorted(folder.name for folder in resource("help").iterdir() if folder.is_dir())
OTHERS = [code for code in LANGUAGES if code != DEFAULT]
TOPICS = sorted(file.name for file in resource("help", DEFAULT).iterdir())
SEARCH = "40-procurar.md"
ORDINARY = frozenset({"cifrado", "no acervo"})  # words of a sentence, which some label happens to be too

_LISTS = re.compile(r"\{\{\w+\}\}")
_LINKS = re.compile(r"\]\(tema:([^)]*)\)")
_CODE = re.compile(r"`([^`]*)`")
_EMPHASIS = re.compile(r"\*{1,2}([^*\n|]+?)\*{1,2}")
_PLACE = re.compile(r"\w → \w")
_KEYS = re.compile(r"\*\*(F\d+|(?:(?:Ctrl|Shift|Alt)\+)+[A-Z0-9.])\*\*")
_TYPED = re.compile(r"^\| (`[^|]*) \|", re.MULTILINE)
_FIELD = re.compile(r"[^\W\d_]+(?::|>=?|<=?)[^/\s]\S*")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_ROW = re.compile(r"^\|", re.MULTILINE)
_ENTRY = re.compile(r"^(?:-|\d+\.) ", re.MULTILINE)
_RULE = re.compile(r"^\| \*\*(R\d+\w?)\*\*", re.MULTILINE)


@pytest.fixture
def acts(qtbot: QtBot, services: Services) -> Iterator[Actions]:
    host = QWidget()
    qtbot.addWidget(host)
    yield actions.make(host, services.look)


def text_of(language: str, topic: str) -> str:
    return resource("help", language, topic).read_text(encoding="utf-8")


def plain(name: str) -> str:
    return folded(name).strip(" ….")


@cache
def sentences(language: str) -> dict[str, str]:
    """What the program says in a language, by the sentence in its source."""
    po: Path = resource("locale", language, "LC_MESSAGES", "confere.po")
    with po.open("rb") as file:
        found = {entry.id: entry.string for entry in read_po(file) if isinstance(entry.id, str) and entry.id}
    return {id: said if isinstance(said, str) and said else id for id, said in found.items()}


@cache
def ids_by_name(language: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for id, said in sentences(language).items():
        found.setdefault(plain(said), set()).add(id)
    return found


def commands(text: str) -> Counter[str]:
    """The words of each command line that are not a file, a key or a name: `confere verify`, `--fail-on`."""
    found: Counter[str] = Counter()
    for code in _CODE.findall(text):
        if code.startswith("confere "):
            found[" ".join(re.match(r"confere(?: [a-z][a-z-]*)*", code)[0].split()[:2])] += 1  # type: ignore[index]
        found.update(re.findall(r"--[a-z-]+", code))
    return found


def shape(text: str) -> tuple[int, int, int]:
    return len(_HEADING.findall(text)), len(_ROW.findall(text)), len(_ENTRY.findall(text))


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_topic(language: str, acts: Actions) -> None:
    assert sorted(file.name for file in resource("help", language).iterdir()) == TOPICS
    messages.set_language(DEFAULT)
    portuguese = help_pages.read(acts)
    messages.set_language(language)
    own = help_pages.read(acts)
    assert not own.foreign
    assert [topic.name for topic in own.topics] == [topic.name for topic in portuguese.topics]
    titles = [topic.title for topic in own.topics]
    assert all(titles)
    assert len(set(titles)) == len(titles)
    assert not [topic.name for topic in own.topics if "{{" in topic.markdown]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_says_as_much_as_in_portuguese(language: str, topic: str) -> None:
    own, portuguese = text_of(language, topic), text_of(DEFAULT, topic)
    assert own.startswith("# ")
    assert shape(own) == shape(portuguese)
    for of in (_LISTS, _KEYS, _RULE):
        assert Counter(of.findall(own)) == Counter(of.findall(portuguese))
    assert Counter(_LINKS.findall(own)) == Counter(_LINKS.findall(portuguese))
    assert commands(own) == commands(portuguese)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_places_that_a_topic_names_are_in_the_program(language: str, topic: str) -> None:
    names = ids_by_name(language)
    for place in _EMPHASIS.findall(text_of(language, topic)):
        if _PLACE.search(place):
            assert [step for step in map(plain, place.split("→")) if step not in names] == [], place


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("topic", TOPICS)
def test_buttons_have_the_names_that_the_program_gives_them(language: str, topic: str) -> None:
    own = plain(text_of(language, topic))
    lacking = []
    for name in _EMPHASIS.findall(text_of(DEFAULT, topic)):
        ids = set() if name in ORDINARY else ids_by_name(DEFAULT).get(plain(name), set())
        said = {plain(sentences(language)[id]) for id in ids}
        if said and not any(word in own for word in said):
            lacking.append((name, said))
    assert lacking == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_searches_that_the_help_shows_are_understood(language: str) -> None:
    messages.set_language(language)
    typed = [code for row in _TYPED.findall(text_of(language, SEARCH)) for code in _CODE.findall(row)]
    assert len(typed) > 15
    problems = {code: search_language.parse(code, DocumentQuery()).problems for code in typed}
    assert {code: said for code, said in problems.items() if said} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_fields_of_the_search_exist_with_their_values(language: str, topic: str) -> None:
    messages.set_language(language)
    own = [code for code in _CODE.findall(text_of(language, topic)) if _FIELD.fullmatch(code)]
    portuguese = [code for code in _CODE.findall(text_of(DEFAULT, topic)) if _FIELD.fullmatch(code)]
    assert len(own) == len(portuguese)
    parsed = {code: search_language.parse(code, DocumentQuery()) for code in own}
    assert {code: one.problems for code, one in parsed.items() if one.problems} == {}
    for code, theirs in zip(own, portuguese, strict=True):
        assert parsed[code].query == search_language.parse(theirs, DocumentQuery()).query, code


COMMON_WORDS = {
    "pt_BR": "busca salva|etiqueta|etiquetar|ponte|livro do mês|visto|assinar|domínio|excel|planilha|imprimir"
    "|excluir|cancelada|inutilização|duplicidade|agendar|bandeja|responsável|prazo|idioma|escuras|comissão|devolver"
    "|Ctrl+K|LGPD|certificado|DANFE|exportação|backup|marketplace|frete|token",
    "en": "saved search|tag|bridge|ledger|sign-off|dominio|excel|spreadsheet|passphrase|printing|delete|cancelled"
    "|voided|schedule|tray|deadline|language|dark|commission|returns|Ctrl+K|LGPD|certificate|DANFE|exporting|backup"
    "|marketplace|freight|token",
    "es": "búsqueda guardada|etiqueta|etiquetar|puente|libro|visto bueno|dominio|excel|planilla|imprimir|eliminar"
    "|cancelada|inutilización|programar|bandeja|responsable|plazo|idioma|oscuros|comisión|devolver|Ctrl+K|LGPD"
    "|certificado|DANFE|exportación|copia de seguridad|marketplace|flete|token",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_finds_the_words_that_people_look_for(language: str, acts: Actions) -> None:
    messages.set_language(language)
    own = help_pages.read(acts)
    assert [word for word in COMMON_WORDS[language].split("|") if not own.matching(word)] == []
    assert own.matching("xyzzy") == ()
