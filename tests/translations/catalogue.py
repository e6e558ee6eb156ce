"""Keeps the catalogues of `resources/locale` in step with the sentences in `src/confere`.

`python -m tests.translations.catalogue update` collects the sentences, drops those that are gone, adds the
new ones untranslated and compiles; `fill LANGUAGE FILE` takes translations from a JSON object of sentence to
translation, of a sentence that counts `"one\\u0000many": ["um", "muitos"]`, all forms of the language; `compile` only
compiles; `check` names everything that is not in order (the test command runs it).
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from confere.errors import CONTEXT_END, NC_, PLURAL_START, without_context
from tests.translations import codes
from tests.translations.sentences import LOCALES, MARKING, SOURCE, SPEAKING, calls, forms, placeholders, wrong_calls

LANGUAGES = ("pt_BR", "en", "es")
IDENTITY = "en"  # its sentences are the ids themselves
# One or another number: Brazilians count "0 documentos" on screens, where grammars would have the singular, and Babel's
# version of the CLDR may have a form for millions, which no sentence here needs.
_PLURAL_FORMS = {
    "pt_BR": "nplurals=2; plural=(n != 1);",
    "en": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
}

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)  # a date of the day would change the files without a reason


def collect(folder: Path, locales: Path = LOCALES) -> Catalog:
    """All sentences of `folder`, with the files they stand in, and those that archives may still hold."""
    catalogue = Catalog(project="Confere", creation_date=_WHEN, fuzzy=False)
    keywords: dict[str, None] = dict.fromkeys((*SPEAKING, *MARKING))
    for file, _, text, _, _ in extract_from_dir(folder, [("**.py", _babel_method)], keywords=keywords):
        _add(catalogue, text, locations=[(Path(file).as_posix(), 1)])
    for text in codes.read(locales)[0].values():
        if _get(catalogue, text) is None:
            _add(catalogue, text)
    return catalogue


def update(folder: Path = SOURCE, locales: Path = LOCALES) -> None:
    """Bring every .po in step with the sources, keeping translations, and compile."""
    codes.update(folder, locales)
    template = collect(folder, locales)
    for language in LANGUAGES:
        old = _read(locales, language)
        fresh = Catalog(
            locale=language,
            project="Confere",
            version="1",
            last_translator="The Confere authors",
            language_team=f"{language} <->",
            msgid_bugs_address="none",
            copyright_holder="The Confere authors",
            creation_date=_WHEN,
            revision_date=_WHEN,
            fuzzy=False,
            header_comment=f"# Sentences of Confere in {language}. Kept by tests/translations/catalogue.py.",
        )
        fresh.mime_headers = [("Plural-Forms", _PLURAL_FORMS[language])]
        for entry in template:
            if not entry.id:
                continue
            known = old.get(entry.id, entry.context)
            if known is not None and known.id != entry.id:
                known = None  # the singular of a sentence that now counts, or the other way round
            said = entry.id if language == IDENTITY else known.string if known else ""
            fresh.add(
                entry.id,
                said,
                context=entry.context,
                locations=entry.locations,
                flags=known.flags if known else (),
                user_comments=known.user_comments if known else (),
            )
        _write(locales, language, fresh)
    compile_all(locales)


def fill(language: str, translations: dict[str, str | list[str]], locales: Path = LOCALES) -> None:
    """Write `translations`, by id, into a .po and compile.

    Raises `KeyError` for a sentence that it does not have, `ValueError` for one with more or fewer forms than it has.
    """
    catalogue = _read(locales, language)
    for text, said in translations.items():
        entry = _get(catalogue, text)
        if entry is None:
            raise KeyError(text)
        if (len(said) if isinstance(said, list) else 1) != (catalogue.num_plurals if entry.pluralizable else 1):
            raise ValueError(f"not the forms of {text!r}: {said!r}")
        entry.string = tuple(said) if isinstance(said, list) else said
        entry.flags.discard("fuzzy")
    _write(locales, language, catalogue)
    compile_all(locales)


def compile_all(locales: Path = LOCALES) -> None:
    """Write every .mo from its .po; fuzzy ones are left out."""
    for language in LANGUAGES:
        _path(locales, language, "mo").write_bytes(_compiled(_read(locales, language)))


def check(folder: Path = SOURCE, locales: Path = LOCALES) -> list[str]:
    """Everything that is not in order, one sentence each; empty when all is well."""
    problems = wrong_calls(folder) + list(codes.check(folder, locales)) + list(_shared(folder, locales))
    wanted = {_key(entry) for entry in collect(folder, locales) if entry.id}
    for language in LANGUAGES:
        catalogue = _read(locales, language)
        have = {_key(entry): entry for entry in catalogue if entry.id}
        problems += [f"{language}: missing: {text!r}" for text in sorted(wanted - have.keys())]
        problems += [f"{language}: stale: {text!r}" for text in sorted(have.keys() - wanted)]
        for text, entry in sorted(have.items()):
            problems += [f"{language}: {what}: {text!r}" for what in _faults(language, text, entry)]
        compiled = _path(locales, language, "mo")
        if not compiled.exists() or _sentences(compiled.read_bytes()) != _sentences(_compiled(catalogue)):
            problems.append(f"{language}: {compiled.name} is not what its .po compiles to")
    return problems


def main(arguments: list[str]) -> int:
    match arguments:
        case ["update"]:
            update()
        case ["fill", language, file] if language in LANGUAGES:
            fill(language, json.loads(Path(file).read_text(encoding="utf-8")))
        case ["compile"]:
            compile_all()
        case ["check"]:
            pass
        case _:
            print(
                "usage: python -m tests.translations.catalogue update|fill LANGUAGE FILE|compile|check", file=sys.stderr
            )
            return 2
    problems = check()
    print("\n".join(problems) if problems else "The catalogues are in order.")
    return 1 if problems else 0


def _babel_method(
    file: BinaryIO, keywords: Iterable[str], comment_tags: object, options: object
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Babel's own reader of Python loses a call inside the arguments of another; this one does not."""
    for call in calls(file.read().decode("utf-8")):
        if call.function in keywords and call.text:
            yield call.line, call.function, call.text, []


def _shared(folder: Path, locales: Path) -> Iterator[str]:
    """Sentences that gettext cannot tell apart: it knows one that counts by its singular."""
    texts = {
        call.text for file in folder.rglob("*.py") for call in calls(file.read_text(encoding="utf-8")) if call.text
    }
    for text, times in Counter(forms(text)[0] for text in texts | set(codes.read(locales)[0].values())).items():
        if times > 1:
            yield f"the singular of one sentence is another one: {text!r}"


def _faults(language: str, text: str, entry: BabelMessage) -> Iterator[str]:
    own = forms(without_context(text))
    translated = entry.string if isinstance(entry.string, tuple) else (entry.string,)
    if entry.fuzzy:
        yield "fuzzy"
    if not all(translated):
        yield "not translated"
        return
    if language == IDENTITY and translated != own:
        yield "is not its own id"
    faults: dict[str, None] = {}  # each once, whatever form has it
    for said in translated:
        try:
            if placeholders(said) != placeholders(own[0]):
                faults["has other placeholders in its translation"] = None
        except ValueError:
            faults["has broken braces in its translation"] = None
        if _edges(said) != _edges(own[0]):
            faults["begins or ends with other spaces or another full stop in its translation"] = None
    yield from faults


def _edges(text: str) -> tuple[bool, bool, bool]:
    return text[:1].isspace(), text[-1:].isspace(), text.endswith(".")


def _key(entry: BabelMessage) -> str:
    """The id of a sentence as the program asks for it: with its context, where it has one."""
    text = PLURAL_START.join(entry.id) if isinstance(entry.id, tuple) else str(entry.id)
    return NC_(entry.context, text) if entry.context else text


def _parts(key: str) -> tuple[str | tuple[str, ...], str | None]:
    """The id and the context that Babel has for the id of a sentence."""
    context, _, text = key.rpartition(CONTEXT_END)
    return forms(text) if PLURAL_START in text else text, context or None


def _get(catalogue: Catalog, key: str) -> BabelMessage | None:
    id, context = _parts(key)
    found = catalogue.get(id, context)
    return found if found is not None and found.id == id else None


def _add(catalogue: Catalog, key: str, locations: Sequence[tuple[str, int]] = ()) -> None:
    id, context = _parts(key)
    catalogue.add(id, context=context, locations=locations)


def _path(locales: Path, language: str, kind: str) -> Path:
    return locales / language / "LC_MESSAGES" / f"confere.{kind}"


def _read(locales: Path, language: str) -> Catalog:
    path = _path(locales, language, "po")
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def _write(locales: Path, language: str, catalogue: Catalog) -> None:
    path = _path(locales, language, "po")
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=100, sort_output=True, include_lineno=False)
    lines = buffer.getvalue().splitlines(keepends=True)
    # Another version of Babel must not change the file.
    path.write_bytes(b"".join(line for line in lines if not line.startswith(b'"Generated-By')))


def _compiled(catalogue: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def _sentences(compiled: bytes) -> dict[str, str]:
    """What a .mo says; its header names the version of Babel and does not count."""
    return {_key(entry): str(entry.string) for entry in read_mo(io.BytesIO(compiled)) if entry.id}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
