"""Fields as the paper wrote them, in words: the names of their tags, codes with meaning, numbers and moments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from confere.fiscal.law import codes
from confere.system import formatting
from confere.system.messages import render, t

_CEP: Final = 8  # digits
_SANE: Final = 20  # digits before or behind the comma; what has more is shown as it was written
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,10}")
_AMOUNT: Final = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?")
_MONEY: Final = re.compile(r"v[A-Z]\w*")
_RATE: Final = re.compile(r"p[A-Z]\w*")
_NO_MONEY: Final = frozenset({"vAliq", "vEncIni", "vEncFin"})  # the rate of the ISS, and the meters of a pump
_NO_NUMBER: Final = re.compile(r"(?:[cnx][A-Z]|id[A-Z]|ver)\w*")  # codes, document numbers, words: 3.10 is a version
_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(?:Z|[+-][0-9:]{4,6})?")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DEEPEST: Final = 6  # groups around a field that are looked at
_TECHNICAL: Final = frozenset({"versao", "versaoEvento", "versaoModal"})


def labelled(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Label and text of every field of a group, but versions of layouts."""
    shown = [(path, text) for path, text in fields if tag_of(path) not in _TECHNICAL]
    names = labels(path for path, _ in shown)
    return [(names[path], value(path, text)) for path, text in shown]


def name(path: str) -> str:
    """What a field is called; its tag where it has no name."""
    known = codes.label(path)
    return render(known) if known is not None else tag_of(path)


def group_name(group: str) -> str:
    """The title of a group of fields, such as `ICMSTot`."""
    return t("Identification") if group == "ide" else name(group)


def value(path: str, text: str) -> str:
    """A field's text as people read it: numbers and moments in their manner, codes with their meaning."""
    tag = tag_of(path)
    known = codes.word(tag, text)
    if known is not None:
        return f"{text} – {render(known)}"
    if _MONEY.fullmatch(tag) and tag not in _NO_MONEY and _AMOUNT.fullmatch(text):
        return price(Decimal(text))
    pattern = _AMOUNT if _RATE.fullmatch(tag) else _NUMBER
    if pattern.fullmatch(text) and not _NO_NUMBER.fullmatch(tag):
        return number(Decimal(text), 2)
    if _MOMENT.fullmatch(text):
        return formatting.moment(text)
    return formatting.date(text) if _DAY.fullmatch(text) else text


def meaning(tag: str, code: str | None) -> str:
    """What a code means; the code where nobody named it, empty for none."""
    known = codes.word(tag, code)
    return render(known) if known is not None else code or ""


def coded(tag: str, code: str | None) -> str:
    """A code with its meaning: `17 – Pix (dynamic)`; empty for none."""
    known = codes.word(tag, code)
    return f"{code} – {render(known)}" if known is not None else code or ""


def number(quantity: Decimal | None, least: int = 0) -> str:
    """A quantity or rate without needless zeros, with at least `least` decimals. None is empty."""
    if quantity is None:
        return ""
    if not quantity.is_finite() or abs(quantity.adjusted()) > _SANE or len(quantity.as_tuple().digits) > 2 * _SANE:
        return str(quantity)
    exponent = quantity.normalize().as_tuple().exponent
    return formatting.decimal(quantity, max(least, -exponent if isinstance(exponent, int) else 0))


def price(amount: Decimal | None) -> str:
    """Reais with all their decimals, of which a unit price has up to ten. None is empty."""
    if amount is None:
        return ""
    whole, _, digits = f"{abs(amount):f}".partition(".")
    digits = digits.rstrip("0").ljust(2, "0")
    return f"{'-' if amount < 0 else ''}{formatting.money(int(whole + digits[:2]))}{digits[2:]}"


def tag_of(path: str) -> str:
    """The last tag of a path, or its attribute: `vICMS` of `imposto/ICMS/vICMS`."""
    return path.rpartition("/")[2].rpartition("@")[2]


def labels(paths: Iterable[str]) -> dict[str, str]:
    """What each of these is called: its name; where others are called so, with the nearest group that tells it apart.

    Where no single group does, with all groups around it.
    """
    names: dict[str, str] = {}
    left = set(paths)
    for depth in range(_DEEPEST):
        called = {path: _name_within(path, depth) for path in left}
        often = Counter(called.values())
        names |= {path: label for path, label in called.items() if often[label] == 1}
        left -= names.keys()
    for path in left:
        groups_around = ", ".join(name(group) for group in path.split("/")[:-1])
        names[path] = f"{name(path)} ({groups_around})" if groups_around else name(path)
    return names


def _name_within(path: str, depth: int) -> str:
    """With the name of the group so many steps above, where there is one."""
    above = path.split("/")[:-1]
    return f"{name(path)} ({name(above[-depth])})" if 0 < depth <= len(above) else name(path)


def postal_code(text: str | None) -> str:
    """A CEP as people write it: 80042-586. What is none stays as it is."""
    code = text or ""
    return f"{code[:5]}-{code[5:]}" if len(code) == _CEP and code.isdecimal() else code
