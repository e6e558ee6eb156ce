"""Reads the values of the search language as Brazilians write them: amounts, days, months, numbers, tax ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple, TypeVar

from confere.app.documents.search import typed_days
from confere.app.documents.search.search_fields import Field, Word, close_to
from confere.errors import Message, message
from confere.fiscal import access_keys, taxpayers
from confere.system.plain_text import folded

_AMOUNT = re.compile(
    r"(?:R\$\s*)?(?:(?P<plain>\d{1,13})(?:[.,](?P<cents>\d{1,2}))?"
    r"|(?P<grouped>\d{1,3}(?:\.\d{3}){1,4})(?:,(?P<after>\d{1,2}))?"
    r"|(?P<english>\d{1,3}(?:,\d{3}){1,4})\.(?P<point>\d{1,2}))",
    re.ASCII | re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:(?P<series>\d{1,3})/)?(?P<number>\d{1,9}|\d{1,3}(?:\.\d{3}){1,2})", re.ASCII)
_COMPARISONS = frozenset({">", ">=", "<", "<="})

T = TypeVar("T")


class Wrong(Exception):
    """A value makes no sense; `what` says so and what would."""

    def __init__(self, what: Message) -> None:
        super().__init__(what)
        self.what = what


class Bounds(NamedTuple):
    """From where to where, both included; None is open. Days are `YYYY-MM-DD`, amounts centavos."""

    first: str | int | None
    last: str | int | None


def amounts(name: str, sign: str, value: str) -> Bounds:
    """What `valor` asks for, in centavos."""

    def one(text: str) -> tuple[int, int]:
        match = _AMOUNT.fullmatch(text.strip())
        if match is None:
            raise Wrong(message("{name} needs an amount, such as 1000 or 1.234,56.", name=name))
        whole = match["plain"] or match["grouped"] or match["english"]
        rest = match["cents"] or match["after"] or match["point"] or ""
        found = int(re.sub(r"\D", "", whole)) * 100 + int(rest.ljust(2, "0"))
        return found, found

    return Bounds(*_bounds(name, sign, value, one, lambda cents, step: cents + step))


def days(name: str, sign: str, value: str) -> Bounds:
    """What `emissão` asks for; a month or a year stands for all of its days."""

    def one(text: str) -> tuple[date, date]:
        found = typed_days.stretch(text) or typed_days.year(text)
        if found is None:
            raise Wrong(
                message(
                    "{name} needs a day, a month or a range, such as 31/10/2026, 10/2026 or 01/10/2026..15/10/2026.",
                    name=name,
                )
            )
        return found

    def moved(day: date, step: int) -> date:
        return day + timedelta(step)

    found = _bounds(name, sign, value, one, moved)
    return Bounds(*(None if day is None else str(day) for day in found))


def number(name: str, value: str) -> tuple[int | None, int]:
    """Series (where given, as in 1/4711) and number."""
    match = _NUMBER.fullmatch(value.strip())
    if match is None:
        raise Wrong(message("{name} needs a whole number, such as 4711.", name=name))
    return int(match["series"]) if match["series"] else None, int(match["number"].replace(".", ""))


def digits(name: str, value: str, shortest: int, longest: int) -> str:
    """A code of so many digits, with or without its points."""
    bare = value.strip().replace(".", "")
    if bare.isascii() and bare.isdigit() and shortest <= len(bare) <= longest:
        return bare
    if shortest == longest:
        raise Wrong(message("{name} needs {count} digits.", name=name, count=shortest))
    raise Wrong(message("{name} needs {shortest} to {longest} digits.", name=name, shortest=shortest, longest=longest))


def key(value: str) -> str:
    """An access key, in groups or not."""
    bare = access_keys.normalise(value)
    if access_keys.has_shape(bare):
        return bare
    if len(bare) not in access_keys.LENGTHS:
        raise Wrong(message("An access key has 44 characters, of an NFS-e 50; this one has {count}.", count=len(bare)))
    raise Wrong(message("This is not an access key: letters can only stand within its CNPJ."))


def tax_id(value: str) -> str:
    """A CNPJ or CPF, masked or not."""
    bare = taxpayers.normalise(value)
    if taxpayers.is_cnpj(bare) or taxpayers.is_cpf(bare):
        return bare
    raise Wrong(message("{value} is not a CNPJ or CPF: its check digits do not agree.", value=value[:40]))


def choice(name: str, field: Field, value: str) -> str:
    """The code of one of the field's values."""
    wanted = folded(value.strip())
    for word in field.values:
        if any(folded(entry) == wanted for entry in (word.code, *word.every)):
            return word.code
    raise Wrong(_not_among(name, field.values, value.strip()[:40]))


def _not_among(name: str, values: tuple[Word, ...], value: str) -> Message:
    close = close_to(value, (entry for word in values for entry in word.every))
    if close is not None:
        return message("{name} cannot be {value}; did you mean {close}?", name=name, value=value, close=close)
    known = ", ".join(word.here for word in values)
    return message("{name} cannot be {value}. Choose one of: {known}.", name=name, value=value, known=known)


def _bounds(
    name: str, sign: str, value: str, one: Callable[[str], tuple[T, T]], moved: Callable[[T, int], T]
) -> tuple[T | None, T | None]:
    """The bounds of a value, a comparison or a range `a..b`, whose ends may be open."""
    left, dots, right = value.partition("..")
    if sign in _COMPARISONS:
        if dots:
            raise Wrong(message("{name} takes a range or a comparison, not both.", name=name))
        first, last = one(value)
        return {
            ">": (moved(last, 1), None),
            ">=": (first, None),
            "<": (None, moved(first, -1)),
            "<=": (None, last),
        }[sign]
    if (not left.strip() and not right.strip()) or not dots:
        return one(value)
    return one(left)[0] if left.strip() else None, one(right)[1] if right.strip() else None
