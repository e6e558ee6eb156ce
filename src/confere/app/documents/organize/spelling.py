"""Filters as words of the search language, for whoever has no other place to show them."""

from __future__ import annotations

import re
from typing import Final

from confere.app.documents.search.search_fields import FIELDS
from confere.archive.documents.search.document_search import DocumentQuery

_NAMES: Final = {field.word.code: field.word for field in FIELDS}
_TEXTS: Final = {"order": "order_id", "account": "account", "subtype": "subtype", "cfop": "cfop"}
_PLAIN: Final = re.compile(r"[\w.-]+(?:[/,][\w.-]+)*")  # also several tags, and a number with its series
_NO_QUOTES: Final = dict.fromkeys(map(ord, '"“”'), " ")


def in_words(query: DocumentQuery) -> str:
    """What no chip of the list shows: number, CFOP, order, account, subtype, tags, what is no longer listed, and days
    that are no month."""
    parts = []
    if query.number is not None:
        series = "" if query.series is None else f"{query.series}/"
        parts.append(clause("number", f"{series}{query.number}"))
    elif query.series is not None:
        parts.append(clause("series", str(query.series)))
    parts += [clause(code, value) for code, name in _TEXTS.items() if (value := getattr(query, name)) is not None]
    if query.tags:
        parts.append(clause("tag", ",".join(query.tags)))
    if query.gone is not None:
        parts.append(clause("listed", "no" if query.gone else "yes"))
    if query.from_day is not None or query.to_day is not None:
        parts.append(clause("issued", f"{query.from_day or ''}..{query.to_day or ''}"))
    return " ".join(parts)


def clause(code: str, value: str) -> str:
    """`value` of the field with this code, by its name in the language in use."""
    return f"{_NAMES[code].here}:{quoted(value)}"


def quoted(value: str) -> str:
    """`value` so that a field of the search language takes all of it: in quotes where a sign could mean something."""
    plain = value.translate(_NO_QUOTES)
    return plain if _PLAIN.fullmatch(plain) else f'"{plain}"'
