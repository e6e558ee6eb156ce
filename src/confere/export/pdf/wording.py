"""How the plain rendering writes codes, figures and the names of fields, in the user's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from confere.export.pdf.sheet import Field
from confere.fiscal import access_keys
from confere.fiscal.detail import Fields, Tax
from confere.fiscal.law import codes
from confere.system import formatting
from confere.system.messages import render

_AMOUNT: Final = re.compile(r"[vpq][A-Z]\w*")
_FIGURE: Final = re.compile(r"-?\d{1,18}\.\d{1,10}")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}\S*")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_SANE: Final = 18  # digits before or behind the comma


def name(tag: str) -> str:
    """What a field is called; the tag itself where nobody named it."""
    known = codes.label(tag)
    return render(known) if known is not None else tag.rpartition("/")[2]


def coded(tag: str, code: str | None) -> str:
    """A code with its word: `17 Pix (dynamic)`."""
    known = codes.word(tag, code)
    return f"{code} {render(known)}" if known is not None else code or ""


def decimal(value: Decimal | None, least: int = 0) -> str:
    """A quantity or rate as people write it, without needless zeros."""
    if value is None or not value.is_finite():
        return ""
    if abs(value.adjusted()) > _SANE or len(value.as_tuple().digits) > 2 * _SANE:
        return str(value)
    exponent = value.normalize().as_tuple().exponent
    return formatting.decimal(value, max(least, -exponent if isinstance(exponent, int) else 0))


def amount(cents: int | None) -> str:
    """Money in a column of money: without the currency's sign."""
    return formatting.money(cents).replace("R$ ", "")


def value(path: str, text: str) -> str:
    """What a field says, as people write it: codes with their words, amounts with a comma, days and times."""
    tag = path.rpartition("/")[2]
    known = codes.word(tag, text)
    if known is not None:
        return f"{text} {render(known)}"
    if _AMOUNT.fullmatch(tag) and _FIGURE.fullmatch(text):
        return formatting.decimal(Decimal(text), len(text.rpartition(".")[2]))
    if _MOMENT.fullmatch(text):
        return formatting.moment(text)
    if access_keys.has_shape(text):
        return groups(text)
    return formatting.date(text) if _DAY.fullmatch(text) else text


def groups(key: str) -> str:
    """A key in groups of four."""
    return " ".join(key[place : place + 4] for place in range(0, len(key), 4))


def named(fields: Iterable[tuple[str, str]], without: Iterable[str] = ()) -> Iterator[Field]:
    """Fields of the paper with their labels; where two of one label stand in different groups, with those."""
    left_out = frozenset(without)
    found = [(path, text) for path, text in fields if path not in left_out]
    paths: dict[str, set[str]] = {}
    for path, _ in found:
        paths.setdefault(name(path), set()).add(path)
    for path, text in found:
        label, above = name(path), path.rpartition("/")[0]
        yield (f"{above}: {label}" if above and len(paths[label]) > 1 else label, value(path, text))


def in_line(fields: Fields) -> str:
    """Fields one after the other."""
    return " · ".join(f"{label}: {text}" for label, text in named(fields))


def tax(entry: Tax) -> str:
    """A tax in a line: its variant and situation, and every field of it."""
    meaning = codes.situation(entry.name, entry.cst)
    title = entry.name if entry.group == entry.name else f"{entry.name} ({entry.group})"
    situation = f" {entry.cst} {render(meaning) if meaning is not None else ''}".rstrip() if entry.cst else ""
    rest = tuple((path, text) for path, text in entry.fields if path.rpartition("/")[2] not in ("CST", "CSOSN"))
    return f"{title}{situation}" + (f" · {in_line(rest)}" if rest else "")
