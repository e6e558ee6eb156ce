"""Keeps the catalogues of `resources/locale` in step with the sentences in `src/confere`.

`python -m tests.translations.catalogue update` collects the sentences, drops those that are gone, adds the
new ones untranslated and compiles; `fill LANGUAGE FILE` takes translations from a JSON object of sentence to
translation; `compile` only compiles; `check` names everything that is not in order (the test command runs it).
"""

from __future__ import annotations

import ast
import io
import json
import string
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "confere"
LOCALES = ROOT / "resources" / "locale"
LANGUAGES = ("pt_BR", "en", "es")
IDENTITY = "en"  # its sentences are the ids themselves

# `t` and `message` say something, so their arguments are checked; `N_` marks, `Message` is built by machines.
_SPEAKING = ("message", "t")
_MARKING = ("N_", "Message")
_MODULES = ("errors", "messages")  # `messages.t("…")` counts, `email.message("…")` does not
_FILLED_LATER = {"BadAnswer": "request"}  # what its catcher adds to a sentence given to this class
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)  # a date of the day would change the files without a reason


@dataclass(frozen=True, slots=True)
class Call:
    """One call that carries a sentence; `text` is None when the sentence is no literal."""

    line: int
    function: str
    text: str | None
    params: frozenset[str] | None  # None: some come by `**`
    later: str | None = None  # the one parameter that is added by whoever catches the sentence


def calls(source: str) -> Iterator[Call]:
    """Every call of ours in a module, nested ones too, in the order of the text."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    later = {id(inner): added for node in found if (added := _added(node)) for inner in ast.walk(node)}
    for node in sorted(found, key=lambda node: (node.lineno, node.col_offset)):
        function = _name(node.func)
        if function is None:
            continue
        text = None
        if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            text = node.args[0].value
        names = [keyword.arg for keyword in node.keywords]
        params = None if None in names else frozenset(name for name in names if name is not None)
        yield Call(node.lineno, function, text, params, later.get(id(node)))


def placeholders(text: str) -> frozenset[str]:
    """Names in braces. Raises `ValueError` when the braces do not match."""
    fields = (name for _, name, _, _ in string.Formatter().parse(text) if name is not None)
    return frozenset(name.split(".")[0].split("[")[0] for name in fields)


def wrong_calls(folder: Path) -> list[str]:
    """Calls that cannot be translated, or whose placeholders and arguments do not agree.

    A `message` without any argument is a template, which its room fills later. One in `BadAnswer` may lack `request`.
    """
    problems = []
    for path in sorted(folder.rglob("*.py")):
        for call in calls(path.read_text(encoding="utf-8")):
            where = f"{path.relative_to(folder).as_posix()}:{call.line}: {call.function}"
            if call.text is None:
                if call.function != "Message":
                    problems.append(f"{where}: the first argument is not a literal")
            elif call.function in _SPEAKING:
                problems += [f"{where}: {problem}" for problem in _disagreement(call, call.text)]
    return problems


def collect(folder: Path) -> Catalog:
    """All sentences of `folder`, with the files they stand in."""
    catalogue = Catalog(project="Confere", creation_date=_WHEN, fuzzy=False)
    keywords: dict[str, None] = dict.fromkeys((*_SPEAKING, *_MARKING))
    for file, _, text, _, _ in extract_from_dir(folder, [("**.py", _babel_method)], keywords=keywords):
        catalogue.add(text, locations=[(Path(file).as_posix(), 1)])
    return catalogue


def update(folder: Path = SOURCE, locales: Path = LOCALES) -> None:
    """Bring every .po in step with the sources, keeping translations, and compile."""
    template = collect(folder)
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
        for entry in template:
            if not entry.id:
                continue
            known = old.get(entry.id)
            said = entry.id if language == IDENTITY else known.string if known else ""
            fresh.add(
                entry.id,
                said,
                locations=entry.locations,
                flags=known.flags if known else (),
                user_comments=known.user_comments if known else (),
            )
        _write(locales, language, fresh)
    compile_all(locales)


def fill(language: str, translations: dict[str, str], locales: Path = LOCALES) -> None:
    """Write `translations` into a .po and compile. Raises `KeyError` for a sentence that it does not have."""
    catalogue = _read(locales, language)
    for text, said in translations.items():
        entry = catalogue.get(text)
        if entry is None:
            raise KeyError(text)
        entry.string = said
        entry.flags.discard("fuzzy")
    _write(locales, language, catalogue)
    compile_all(locales)


def compile_all(locales: Path = LOCALES) -> None:
    """Write every .mo from its .po; fuzzy ones are left out."""
    for language in LANGUAGES:
        _path(locales, language, "mo").write_bytes(_compiled(_read(locales, language)))


def check(folder: Path = SOURCE, locales: Path = LOCALES) -> list[str]:
    """Everything that is not in order, one sentence each; empty when all is well."""
    problems = wrong_calls(folder)
    wanted = {str(entry.id) for entry in collect(folder) if entry.id}
    for language in LANGUAGES:
        catalogue = _read(locales, language)
        have = {str(entry.id): entry for entry in catalogue if entry.id}
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


def _name(function: ast.expr) -> str | None:
    match function:
        case ast.Name(id=name) if name in (*_SPEAKING, *_MARKING):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _MODULES:
            return name if name in (*_SPEAKING, *_MARKING) else None
    return None


def _added(node: ast.Call) -> str | None:
    return _FILLED_LATER.get(node.func.id) if isinstance(node.func, ast.Name) else None


def _disagreement(call: Call, text: str) -> Iterator[str]:
    try:
        named = placeholders(text)
    except ValueError as error:
        yield f"{text!r}: {error}"
        return
    if call.params is None:
        return
    is_template = call.function == "message" and not call.params and call.later is None
    lacking = frozenset() if is_template else named - call.params - {call.later}
    if lacking:
        yield f"{text!r} is given no {', '.join(sorted(lacking))}"
    if call.params - named:
        yield f"{text!r} has no place for {', '.join(sorted(call.params - named))}"


def _babel_method(
    file: BinaryIO, keywords: Iterable[str], comment_tags: object, options: object
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Babel's own reader of Python loses a call inside the arguments of another; this one does not."""
    for call in calls(file.read().decode("utf-8")):
        if call.function in keywords and call.text:
            yield call.line, call.function, call.text, []


def _faults(language: str, text: str, entry: object) -> Iterator[str]:
    said = str(entry.string)  # type: ignore[attr-defined]
    if entry.fuzzy:  # type: ignore[attr-defined]
        yield "fuzzy"
    if not said:
        yield "not translated"
        return
    if language == IDENTITY and said != text:
        yield "is not its own id"
    try:
        if placeholders(said) != placeholders(text):
            yield "has other placeholders in its translation"
    except ValueError:
        yield "has broken braces in its translation"
    if _edges(said) != _edges(text):
        yield "begins or ends with other spaces or another full stop in its translation"


def _edges(text: str) -> tuple[bool, bool, bool]:
    return text[:1].isspace(), text[-1:].isspace(), text.endswith(".")


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
    return {str(entry.id): str(entry.string) for entry in read_mo(io.BytesIO(compiled)) if entry.id}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
