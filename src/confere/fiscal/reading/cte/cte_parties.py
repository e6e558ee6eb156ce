"""The parties of a CT-e with their addresses and registrations."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Address, Fields, FullParty
from confere.fiscal.document_parts import Party
from confere.fiscal.reading.elements import LOCAL, texts
from confere.fiscal.reading.xml_leaves import leaves

# What a field of the party may hold: a leaf of another name is left over even where it repeats the same text.
_HELD_TAGS: Final = frozenset(
    {
        *("CNPJ", "CPF", "idEstrangeiro", "xNome", "xFant", "IE", "IEST", "IM", "ISUF", "ISUFEmit", "CRT", "indIEToma"),
        *("email", "fone", "xLgr", "nro", "xCpl", "xBairro", "cMun", "xMun", "UF", "CEP", "cPais", "xPais"),
    }
)
# The sender's group holds the papers of the cargo as well, in the first layouts.
_CARGO_TAGS: Final = {"rem": ("infNF", "infNFe", "infOutros")}


def full_party(known: Party, group: _Element) -> tuple[FullParty, Fields]:
    """`known`, read from `group` already, with all else the group says; and what of it no field holds."""
    own = texts(group).get
    address = next((part for part in group if LOCAL[part.tag].startswith("ender")), None)
    found = FullParty(
        known,
        _address(address, own("fone")) if address is not None or own("fone") else None,
        trade_name=own("xFant"),
        email=own("email"),
        tax_regime=own("CRT"),
        registration_indicator=own("indIEToma"),
        substitute_registration=own("IEST"),
        municipal_registration=own("IM"),
        suframa=own("ISUF") or own("ISUFEmit"),
    )
    held = {value for value in (*astuple(known), *_values(found)) if isinstance(value, str)}
    left = tuple(
        (path, text)
        for path, text in leaves(group, skip=_CARGO_TAGS.get(LOCAL[group.tag], ()))
        if text not in held or path.rpartition("/")[2] not in _HELD_TAGS
    )
    return found, left


def as_taker(known: FullParty, indicator: str | None) -> FullParty:
    """The same party once more, as the one who takes the service; `indicator` is `indIEToma`."""
    return replace(known, party=replace(known.party, role="taker"), registration_indicator=indicator)


def _address(group: _Element | None, phone: str | None) -> Address:
    get = texts(group).get
    return Address(
        get("xLgr"),
        get("nro"),
        get("xCpl"),
        get("xBairro"),
        get("cMun"),
        get("xMun"),
        get("UF"),
        get("CEP"),
        get("cPais"),
        get("xPais"),
        phone or get("fone"),
    )


def _values(found: FullParty) -> tuple[object, ...]:
    address = astuple(found.address) if found.address is not None else ()
    return (*address, *astuple(found)[2:])
