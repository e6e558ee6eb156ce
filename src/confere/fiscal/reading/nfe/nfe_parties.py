"""The parties of a note with their addresses and registrations."""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Address, Fields, FullParty
from confere.fiscal.document_parts import Party
from confere.fiscal.reading.elements import LOCAL, texts
from confere.fiscal.reading.unread_fields import left_of

_TAX_IDS: Final = ("CNPJ", "CPF", "idEstrangeiro")
_OWN: Final = ("xNome", "IE", "xFant", "email", "CRT", "indIEDest", "IEST", "IM", "CNAE", "ISUF")
_ADDRESS: Final = ("xLgr", "nro", "xCpl", "xBairro", "cMun", "xMun", "UF", "CEP", "cPais", "xPais", "fone")


def full_party(known: Party, group: _Element) -> tuple[FullParty, Fields]:
    """`known`, read from `group` already, with all else the group says; and what of it no field holds."""
    own = texts(group)
    inner = next((part for part in group if LOCAL[part.tag].startswith("ender")), None)
    place = texts(inner) if inner is not None else own
    prefix = f"{LOCAL[inner.tag]}/" if inner is not None else ""
    # A carrier's street stands in one line.
    street = "xLgr" if "xLgr" in place or inner is not None else "xEnder"
    address = Address(place.get(street), *(place.get(tag) for tag in _ADDRESS[1:]))
    held = {tag: own.get(tag) for tag in _OWN} | {"xNome": known.name, "IE": known.state_registration}
    held |= dict.fromkeys(_TAX_IDS, known.tax_id)  # one that loses its mask stays as written
    held |= {f"{prefix}{tag}": place.get(tag) for tag in (street, *_ADDRESS[1:])}
    get = own.get
    found = FullParty(
        known,
        address if address != Address() else None,
        trade_name=get("xFant"),
        email=get("email"),
        tax_regime=get("CRT"),
        registration_indicator=get("indIEDest"),
        substitute_registration=get("IEST"),
        municipal_registration=get("IM"),
        cnae=get("CNAE"),
        suframa=get("ISUF"),
    )
    held = {
        path: text
        for path, text in held.items()
        if path not in ("xNome", "IE") or text in (known.name, known.state_registration)
    }
    return found, left_of(group, held, held)
