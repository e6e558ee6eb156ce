"""Renders what the core says in the user's language, from one gettext catalogue for every face."""

from __future__ import annotations

import logging
import re
import struct
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from confere.errors import PLURAL_START, Bug, ConfereError, Message, WrittenDay, without_context
from confere.system import language_choice
from confere.system.plain_text import plain
from confere.system.resources import resource

_log = logging.getLogger(__name__)
_PLURAL_RULE = re.compile(r"^Plural-Forms:.*\bplural=([^;\n]+)", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{(\w+)[^{}]*\}")
_MAGIC: Final = 0x950412DE
_HEAD: Final = "7I"
_ENTRY: Final = 8  # bytes: how long a text is, and where it stands


class RenderedError(NamedTuple):
    """An error in the user's language. `hub_words` is what the hub itself said, as received, or empty."""

    title: str
    what: str
    remedy: str | None
    hub_words: str = ""


class _Choice:
    """The language in use by this process; decided on first use."""

    code: str | None = None


def set_language(code: str | None, saved: str = "") -> str:
    """Speak `code` from now on in the whole process, or with None what `languages.preferred` finds.

    `saved` is the user's setting, which counts less than the environment variable. Returns the language in
    use. Raises `UsageFault` for a code that is not ours.
    """
    _Choice.code = language_choice.preferred(saved=saved) if code is None else language_choice.known(code)
    return _Choice.code


def language() -> str:
    """The language in use: one of `languages.LANGUAGES`."""
    return _Choice.code or set_language(None)


def render(message: Message) -> str:
    """`message` in the user's language. Never raises: a placeholder that cannot be filled stays as it is."""
    if message.texts is not None:
        return message.texts.get(language(), message.id)
    return _say(message.id, message.params)


def t(text: str, /, **params: object) -> str:
    """A face's own sentence in the user's language; `text` is a literal that the extractor collects."""
    return _say(text, params)


def ngettext(one: str, many: str, n: int, /, **params: object) -> str:
    """As `t`, of a sentence that counts: `n` chooses the language's form of it, and is its `{count}`."""
    return _say(f"{one}{PLURAL_START}{many}", {"n": n, **params})


def count(number: int) -> str:
    """A whole number with separators of thousands: 1.234.567, in English 1,234,567."""
    text = f"{number:,}"
    return text if language() == "en" else text.replace(",", ".")


def in_every_language(id: str) -> tuple[str, ...]:
    """What the sentence of this id is called in each language, each once; the one in use first."""
    codes = (language(), *language_choice.LANGUAGES)
    return tuple(dict.fromkeys(without_context(_catalogue(code)(id)) for code in codes))


def render_error(error: ConfereError) -> RenderedError:
    """Title, what happened and what to do, in the user's language."""
    return RenderedError(
        title=_say(error.title, {}),
        what=render(error.what),
        remedy=render(error.remedy) if error.remedy else None,
        hub_words=str(getattr(error, "hub_words", "")),
    )


def _say(id: str, params: Mapping[str, object]) -> str:
    # gettext answers "" with the catalogue's header.
    text = without_context(_catalogue(language())(id)) if id else ""
    if PLURAL_START in text:
        text, params = _counted(text, params, is_english=text == without_context(id))
    if not params:
        return text
    values = {name: _value(value) for name, value in params.items()}
    try:
        return text.format_map(values)
    except Exception:  # a wrong sentence is better than none, above all in an error's own text
        return _PLACEHOLDER.sub(lambda match: _fallback(match, values), text)


def _counted(text: str, params: Mapping[str, object], is_english: bool) -> tuple[str, Mapping[str, object]]:
    """The form that the number `n` has, and the parameters with it as the sentence's `{count}`."""
    forms = text.split(PLURAL_START)
    number = params.get("n")
    if not isinstance(number, int):
        return forms[-1], params
    form = (_english_form if is_english else _plural_rule(language()))(number)
    return forms[min(form, len(forms) - 1)], {"count": count(number), **params}


def _english_form(number: int) -> int:
    return int(number != 1)


@cache
def _plural_rule(code: str) -> Callable[[int], int]:
    """Which form a number has, by the header of the language's catalogue."""
    from gettext import c2py  # a sentence that counts needs it, which few commands say

    found = _PLURAL_RULE.search(_catalogue(code)(""))
    try:
        return c2py(found[1]) if found else _english_form
    except ValueError:
        return _english_form


def _value(value: object) -> object:
    """What stands in a sentence is told in it: what a document or a hub wrote begins no line and turns no direction."""
    if isinstance(value, Message):
        return render(value)
    if isinstance(value, WrittenDay) and language() == "en":
        return value.iso
    return plain(value) if isinstance(value, str) else value


def _fallback(match: re.Match[str], values: Mapping[str, object]) -> str:
    try:
        return str(values[match[1]])
    except Exception:
        return match[0]


@cache
def _catalogue(code: str) -> Callable[[str], str]:
    try:
        return _Catalogue(resource("locale", code, "LC_MESSAGES", "confere.mo").read_bytes()).gettext
    except (Bug, OSError, ValueError):
        # English sentences are of more use than a failure to say what failed.
        _log.exception("no catalogue for %s", code)
        return lambda text: text


class _Catalogue:
    """A compiled gettext catalogue (`.mo`), each text decoded when it is asked for; `ValueError` for what is none.

    The library's own reader decodes all of the five thousand texts before it gives the first one, at every start.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        for order in "<>":
            head = data[: struct.calcsize(_HEAD)]
            if len(head) == struct.calcsize(_HEAD) and struct.unpack(order + _HEAD, head)[0] == _MAGIC:
                break
        else:
            raise ValueError("not a compiled catalogue")
        _, _, count, ids, texts, _, _ = struct.unpack(order + _HEAD, head)
        if max(ids, texts) + count * _ENTRY > len(data):
            raise ValueError("the catalogue is cut off")
        places = [
            list(struct.iter_unpack(f"{order}2I", data[table : table + count * _ENTRY])) for table in (ids, texts)
        ]
        if count and any(sum(listed[-1]) >= len(data) for listed in places):
            raise ValueError("the catalogue is cut off")
        # By its bytes, since the order of those with a context is not the same in every compiler's catalogue.
        self._places = {data[start : start + length]: place for (length, start), place in zip(*places, strict=True)}
        self.gettext = cache(self._gettext)

    def _gettext(self, text: str) -> str:
        """`text` in the catalogue's language; `text` itself where that has none."""
        place = self._places.get(text.encode("utf-8", "surrogatepass"))
        if place is None:
            return text
        length, start = place
        return self._data[start : start + length].decode("utf-8", "replace")
