"""Keeps `resources/locale/codes.json` in step with the sentences that the core can store.

Every `message` outside the faces, and every `N_` of the rooms whose words become parts of messages, has a code, which
stays when the sentence is reworded: change its text in
`codes.json` together with the source, and put the old text under `former`. `python -m tests.translations.catalogue
update` gives new sentences their codes.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from confere.errors import CONTEXT_END, PLURAL_START
from tests.translations.sentences import LOCALES, SOURCE, calls, placeholders

_FACES = ("cli", "desktop")
_PARTS_OF_MESSAGES = ("fiscal", "sales", "intake", "reconcile")
_LONGEST = 56
_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def storable_sentences(folder: Path = SOURCE) -> tuple[str, ...]:
    """The English texts of the core's sentences, sorted."""
    texts: set[str] = set()
    for path in folder.rglob("*.py"):
        rooms = path.relative_to(folder).parts
        if rooms[0] in _FACES:
            continue
        functions = ["message", "nmessage", "Message"]
        if rooms[0] in _PARTS_OF_MESSAGES:
            functions += ["N_", "NC_", "NN_"]
        texts |= {
            call.text for call in calls(path.read_text(encoding="utf-8")) if call.text and call.function in functions
        }
    return tuple(sorted(texts))


def read(locales: Path = LOCALES) -> tuple[dict[str, str], dict[str, str]]:
    """Sentences by code, and codes by former text."""
    try:
        told = json.loads((locales / "codes.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, {}
    return told["sentences"], told["former"]


def update(folder: Path = SOURCE, locales: Path = LOCALES) -> None:
    """Give each new sentence a code; no code is ever dropped, since archives may hold it."""
    sentences, former = read(locales)
    known = set(sentences.values())
    for text in storable_sentences(folder):
        if text not in known:
            sentences[_new_code(text, sentences)] = text
    told = {"sentences": dict(sorted(sentences.items())), "former": dict(sorted(former.items()))}
    text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    locales.mkdir(parents=True, exist_ok=True)
    (locales / "codes.json").write_text(text, encoding="utf-8", newline="\n")


def check(folder: Path = SOURCE, locales: Path = LOCALES) -> Iterator[str]:
    """What is not in order."""
    sentences, former = read(locales)
    known = set(sentences.values())
    for text in storable_sentences(folder):
        if text not in known:
            yield f"codes.json: no code: {text!r} (a reworded sentence keeps its code; see tests/translations/codes.py)"
    yield from (f"codes.json: two codes: {text!r}" for text in _twice(sentences.values()))
    yield from (f"codes.json: not a code: {code!r}" for code in sentences if not _CODE.fullmatch(code))
    for text, code in former.items():
        if code not in sentences:
            yield f"codes.json: former text of a code that is not there: {code!r}"
        elif placeholders(text) != placeholders(sentences[code]):
            yield f"codes.json: former text with other placeholders: {text!r}"
        if text in known:
            yield f"codes.json: former text is a sentence: {text!r}"


def _twice(texts: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return sorted({text for text in texts if text in seen or seen.add(text)})  # type: ignore[func-returns-value]


def _new_code(text: str, taken: dict[str, str]) -> str:
    text = text.rpartition(PLURAL_START)[2].replace(CONTEXT_END, " ")
    words = _words(re.sub(r"\{[^}]*\}", " ", text))
    if len(words) < 2:
        words = _words(text) or ["values"]
    code = words[0][:_LONGEST]
    for word in words[1:]:
        if len(code) + 1 + len(word) > _LONGEST:
            break
        code += f"-{word}"
    number, unique = 2, code
    while unique in taken:
        unique, number = f"{code}-{number}", number + 1
    return unique


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", plain.replace("'", ""))
