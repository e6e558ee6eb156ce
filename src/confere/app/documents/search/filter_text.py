"""Filters of documents in the words of the search: `situação: cancelada · emissão: 01/10/2026..31/10/2026`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from confere.app.documents.search.search_fields import FIELDS, Field, ValueKind
from confere.system import formatting


def filter_text(filters: Mapping[str, object]) -> str:
    """The filters of a saved search, by the columns of `DocumentQuery`; one that no field has keeps its name."""
    left = dict(filters)
    parts = [part for field in FIELDS for part in _of_field(field, left)]
    return " · ".join([*parts, *(f"{name}: {value}" for name, value in left.items())])


def _of_field(field: Field, left: dict[str, object]) -> Iterator[str]:
    """What the field's columns hold, taken out of `left`."""
    if field.kind is ValueKind.DAY:
        ends = [left.pop(f"{end}_{field.column}", None) for end in ("from", "to")]
        words = [formatting.date(str(end)) if end is not None else "" for end in ends]
    elif field.kind is ValueKind.AMOUNT:
        ends = [left.pop(f"{field.column}_{end}", None) for end in ("from", "to")]
        words = [formatting.money(end) if isinstance(end, int) else "" for end in ends]
    else:
        value = left.pop(field.column, None)
        if value is not None:
            yield f"{field.word.here}: {_value(field, value)}"
        return
    if any(words):
        yield f"{field.word.here}: {words[0] if words[0] == words[1] else '..'.join(words)}"


def _value(field: Field, value: object) -> str:
    if isinstance(value, bool):
        code = "yes" if value is (field.kind is ValueKind.YES_NO) else "no"
        return _word(field, code)
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(_word(field, str(each)) for each in values)


def _word(field: Field, code: str) -> str:
    return next((word.here for word in field.values if word.code == code), code)
