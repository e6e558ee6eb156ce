"""What one piece of a typed search asks for: a clause of a field, or something to look up."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from confere.app.documents.search import search_values, typed_days
from confere.app.documents.search.search_fields import BY_NAME, FIELDS, ISSUED, TOTAL, Field, close_to, kind_words
from confere.app.documents.search.search_tokens import Token
from confere.app.documents.search.search_values import Wrong
from confere.archive.documents.search.document_query import DocumentQuery, Lookup, Match, joined
from confere.errors import Message, message
from confere.fiscal import access_keys
from confere.system.plain_text import folded

_LONGEST_SHORT_NAME: Final = 3
"""Letters of `set`, `mar`, `out`: words of goods too, so that among other words they stay words."""
_MASK: Final = re.compile(r"[^0-9A-Za-z]+")
_BEFORE_KEY: Final = re.compile(r"(?:NFe|CTe|MDFe|NFCom|NF3e|BPe|CFe|NFS)\s?")


class Clause(NamedTuple):
    """A field with its value; `place` is where a problem of it is shown. `codes`: values that are known."""

    field: Field
    name: str
    sign: str
    value: str
    place: tuple[int, int]
    codes: tuple[str, ...] = ()


def meaning(token: Token) -> Clause | Match:
    """What a token of `search_tokens.LEAVES` asks for; `Wrong` where it makes no sense."""
    text = token.text.strip()
    match token.kind:
        case "QUOTED":
            return Lookup("words", _unquoted(token.text))
        case "FIELD":
            return _field(token)
        case "KIND":
            field, codes = kind_words().get(folded(text), kind_words()["nota"])
            return Clause(field, text, ":", text, (token.start, token.end), codes)
        case "KEY":
            return Lookup("key", _key(text))
        case "KEY_PART":
            groups = _MASK.sub(" ", text)
            if len(groups) == len("0000 0000"):
                return Lookup("two_groups", groups)
            return Lookup("key_part", groups.replace(" ", ""))
        case "TAX_ID":
            return Lookup("tax_id", _MASK.sub("", text).upper())
        case "MONEY" | "AMOUNT":
            return _implied(TOTAL, text, token)
        case "RANGE":
            return _range(text, token)
        case "DAY" | "MONTH":
            if typed_days.stretch(text) is not None:
                return _implied(ISSUED, text, token)
            if token.kind == "DAY" and ("/" in text or len(text) == len("2026-10-31")):
                raise Wrong(message("There is no day {day}: write it as 31/10/2026.", day=text))
            return Lookup("code", text)
        case "MONTH_NAME":
            words = Lookup("words", text)
            return words if len(text.rstrip(".")) <= _LONGEST_SHORT_NAME else _or_its_days(text, words)
        case "DAY_MONTH":
            return _or_its_days(text, _numbered(text))
        case "NUMBERED":
            return _numbered(text)
        case "INTEGER":
            return Lookup("number", text.replace(".", ""))
    return Lookup("code" if any(map(str.isdigit, text)) else "words", text)


def month_of(token: Token) -> Match:
    """What the name of a month asks for that is all of a search, be it as short as `set`: its days, or the word."""
    return _or_its_days(token.text.strip(), words_of(token))


def words_of(token: Token) -> Lookup:
    """The same, looked for as words alone."""
    return Lookup("words", _unquoted(token.text))


def open_quote(token: Token) -> tuple[int, int] | None:
    """Where a quote begins in it that has no end, and where the text ends; None where all have one."""
    start, text = (token.value_start, token.value) if token.kind == "FIELD" else (token.start, token.text)
    if text[:1] in _QUOTES and (len(text) < 2 or text[-1] not in _QUOTES):
        return start, token.end
    return None


def unknown_field(name: str) -> Message:
    """That there is no field of this name, and which was meant."""
    close = close_to(name, BY_NAME)
    if close is not None:
        return message("There is no field {name}; did you mean {close}?", name=name[:40], close=_as_written(close))
    return message(
        "There is no field {name}. Put it in quotes to look for the words, or use one of: {known}.",
        name=name[:40],
        known=", ".join(field.word.here for field in FIELDS),
    )


_QUOTES: Final = ('"', "“", "”")


def _field(token: Token) -> Clause:
    field = BY_NAME.get(folded(token.name))
    if field is None:
        raise Wrong(unknown_field(token.name))
    value = token.value
    if not value:
        return Clause(field, token.name, token.sign, "", (token.start, token.end))
    return Clause(field, token.name, token.sign, _unquoted(value), (token.value_start, token.end))


def _implied(field: Field, value: str, token: Token) -> Clause:
    return Clause(field, field.word.here, ":", value, (token.start, token.end))


def _range(text: str, token: Token) -> Clause | Lookup:
    """A range of amounts or of days; what is neither is a word with dots in it."""
    try:
        search_values.amounts("", ":", text)
        return _implied(TOTAL, text, token)
    except Wrong:
        pass
    ends = [end for end in text.partition("..")[::2] if end]
    if not ends or any(typed_days.stretch(end) is None for end in ends):
        return Lookup("code", text)
    return _implied(ISSUED, text, token)


def _numbered(text: str) -> Lookup:
    series, _, number = text.lstrip("NnºO°#. \t").rpartition("/")
    return Lookup("numbered", number.replace(".", ""), int(series) if series else None)


def _or_its_days(text: str, lookup: Lookup) -> Match:
    """`27/10` may be a series and number too, `outubro` a word of a name."""
    days = typed_days.stretch(text)
    if days is None:
        return lookup
    return joined("or", (DocumentQuery(from_day=str(days[0]), to_day=str(days[1])), lookup))


def _key(text: str) -> str:
    before = _BEFORE_KEY.match(text)
    return access_keys.normalise(_MASK.sub("", text[before.end() if before else 0 :]))


def _unquoted(text: str) -> str:
    return text.strip('"“”').strip()


def _as_written(close: str) -> str:
    """`close`, a name without accents, as people write it."""
    return next((word for word in BY_NAME[close].word.every if folded(word) == close), close)
