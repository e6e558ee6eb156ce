"""The one encoder of every command's JSON: shapes name what is public, and plain values become JSON in one place.

`encoded` is what `json.dumps` asks about a value that JSON does not have; it is applied once, where a result is
printed (`confere.cli.output`). So a shape holds messages, paths and times as the program has them.

`fields_of` makes the shape of a value out of the names of its attributes. The names are a list on purpose: what is
added to a value later never reaches the JSON of scripts by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from confere.errors import Message
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from confere.fiscal.periods import MonthSpan

Shape = dict[str, Any]


def json_text(shape: object, *, readable: bool = False) -> str:
    """`shape` as JSON text: one line in ASCII, or `readable`, indented and with every letter as it is."""
    if readable:
        return json.dumps(shape, ensure_ascii=False, indent=2, default=encoded)
    return json.dumps(shape, default=encoded)


def encoded(value: object) -> object:
    """What stands in JSON for a value that JSON has no kind for.

    A message is its text in the run's language, a path its text, a time ISO 8601 to the second, a decimal number
    text without needless zeros, a member of an enum its value, a set a sorted list. Numbers, texts, lists, tuples,
    dicts, `StrEnum` and `IntEnum` (as its number) are known to `json` and never get here.
    Raises `TypeError` for anything else: a value that nobody thought of is a bug, not a text.
    """
    match value:
        case Message():
            return render(value)
        case PurePath():
            return str(value)
        case datetime():
            return value.isoformat(timespec="seconds")
        case date():
            return value.isoformat()
        case Decimal():
            return plain_number(value)
        case Enum():
            return value.value
        case Mapping():
            return dict(value)
        case set() | frozenset():
            return sorted(value)
    raise TypeError(f"JSON has no value of the kind {type(value).__name__}")


def fields_of(value: object, *names: str, money: tuple[str, ...] = ()) -> Shape:
    """The attributes of `value` by these names, in this order.

    `"key=path"` reads the attribute `path` (`finding.rule` is the rule of its finding) and calls it `key`.
    `money` are those of the keys that are centavos: they become a decimal string, `1234.56`.
    """
    keys, read = _reader(names)
    shape = dict(zip(keys, read(value), strict=True))
    for key in money:
        shape[key] = decimal_string(shape[key])
    return shape


def each_of(values: Iterable[object], *names: str, money: tuple[str, ...] = ()) -> list[Shape]:
    """`fields_of` of each value."""
    return [fields_of(value, *names, money=money) for value in values]


def months(span: MonthSpan | None) -> Shape | None:
    """How many there are in which months; `null` where there are none."""
    return None if span is None else fields_of(span, "total=number", "first", "last")


def plain_number(number: Decimal) -> str:
    """A number without an exponent and without zeros that say nothing: `1.50` is `1.5`, `100` stays."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def joined(messages: Iterable[Message]) -> str:
    """Sentences as one text, for the keys that are one text."""
    return " ".join(render(message) for message in messages)


@cache
def _reader(names: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[object], tuple[Any, ...]]]:
    """The keys, and what reads their values at once: a list of thousands must not pay for names one by one."""
    pairs = [name.partition("=") for name in names]
    keys = tuple(key for key, _, _ in pairs)
    read = attrgetter(*(path or key for key, _, path in pairs))
    if len(keys) == 1:  # attrgetter gives one value bare
        return keys, lambda value: (read(value),)
    return keys, read
