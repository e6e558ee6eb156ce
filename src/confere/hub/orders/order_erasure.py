"""The JSON of an order or a return without the person in it: who bought, and where it was sent.

The same JSON always comes out the same, so an order that a hub tells again is known to be the version that is kept.
What reconciliation works with stays: numbers of the order, days, status, items, amounts, the state (UF).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Final

from confere.fiscal import taxpayers
from confere.hub.json.json_writer import written

_BLOCKS: Final = (
    "buyer", "customer", "client", "recipient", "receiver", "consignee", "shipping", "delivery", "billing", "address",
)  # fmt: skip
_PERSONS: Final = _BLOCKS[:6]
_KEPT: Final = re.compile(
    r"state|uf|stateacronym|country|currency|status|method|mode|documenttype|fulfil+ment|(?!birth)(?:.*date|.*at)"
)
_AMOUNTS: Final = re.compile(r"freight|.*cost|.*price|value|amount|total|discount")
_AMOUNT: Final = re.compile(r"-?[0-9]{1,9}(?:[.,][0-9]{1,2})?")
_NAMING: Final = re.compile(
    r"(?!documenttype).*(?:name|nome|mail|phone|fone|mobile|document|cpf|cnpj|tax|street|address|logradouro|zip|postal"
    r"|cep|contact|value|birth|nasc)(?:number|date|day|code|1|2)?"
)
_SHORTEST: Final = 5  # characters of a text by which its owner is looked for elsewhere
_LONGEST: Final = 40  # digits of an amount
_SPELLED: Final = re.compile(r"[^0-9A-Za-z]")


def spellings(tax_id: str) -> tuple[str, ...]:
    """How a CPF or CNPJ without mask can stand in a JSON: plain, masked, and masked with an escaped slash."""
    masked = taxpayers.format_tax_id(tax_id)
    return tuple(dict.fromkeys((tax_id, masked, masked.replace("/", "\\/"))))


def names_in(raw: bytes) -> frozenset[str]:
    """The texts in an order's JSON that say who the buyer is: name, tax id, e-mail, phone, street, postal code."""
    try:
        return frozenset(text for text in _personal(_read(raw), within=False) if len(text) >= _SHORTEST)
    except RecursionError:  # of a JSON that `erased` gives up as well
        return frozenset()


def erased(raw: bytes, names: Collection[str] = ()) -> bytes:
    """The JSON with every field of the buyer and the address null, and every text that holds one of `names`.

    What is no JSON object gives an empty one: nobody could say what in it is the person's.
    """
    value = _read(raw)
    folded = tuple(name.casefold() for name in names if len(name) >= _SHORTEST)
    if not isinstance(value, dict):
        return b"{}"
    try:
        text = written(_without(value, folded, within=False))
    except RecursionError:
        return b"{}"
    return text.encode("utf-8", "backslashreplace")  # half a letter is written as JSON escapes it


def _read(raw: bytes) -> object:
    try:
        return json.loads(raw, parse_float=_amount)
    except (ValueError, RecursionError, ArithmeticError):
        return None


def _amount(digits: str) -> Decimal | None:
    """A number with a fraction, exact; none where it is astronomic: written out it would fill the memory."""
    found = Decimal(digits)
    return found if found.is_finite() and abs(found.adjusted()) <= _LONGEST else None


def _without(value: object, names: tuple[str, ...], *, within: bool) -> object:
    if isinstance(value, dict):
        return {key: _field(key, held, names, within=within) for key, held in value.items()}
    if isinstance(value, list):
        return [_without(held, names, within=within) for held in value]
    if within and not isinstance(value, bool):
        return None
    return None if _names_one(value, names) else value


def _field(key: str, held: object, names: tuple[str, ...], *, within: bool) -> object:
    plain = _plain(key)
    if isinstance(held, dict | list):
        return _without(held, names, within=within or plain.startswith(_BLOCKS))
    if within:
        return held if isinstance(held, bool) or (_is_kept(plain, held) and not _names_one(held, names)) else None
    return None if plain.startswith(_PERSONS) else _without(held, names, within=False)


def _personal(value: object, *, within: bool, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, held in value.items():
            plain = _plain(name)
            inside = within or plain.startswith(_BLOCKS if isinstance(held, dict | list) else _PERSONS)
            yield from _personal(held, within=inside, key=plain)
    elif isinstance(value, list):
        for held in value:
            yield from _personal(held, within=within, key=key)
    elif within and isinstance(value, str | int) and _NAMING.fullmatch(key) and not _is_kept(key, value):
        yield str(value).strip()


def _names_one(value: object, names: tuple[str, ...]) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    folded = str(value).casefold()
    return any(name in folded for name in names)


def _plain(key: str) -> str:
    return _SPELLED.sub("", key).lower()


def _is_kept(plain: str, held: object) -> bool:
    if _KEPT.fullmatch(plain):
        return True
    if _AMOUNTS.fullmatch(plain) is None:
        return False
    return isinstance(held, Decimal) or _AMOUNT.fullmatch(str(held)) is not None
