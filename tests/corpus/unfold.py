"""The product's values laid out again as the paper has them: tag paths with texts, to lay beside another reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from confere.fiscal.detail import Fields, FullParty, Tax
from confere.fiscal.document_parts import Party, Protocol, Totals


@dataclass(frozen=True, slots=True)
class Value:
    """What the product has in its field `name` for the tag at `path`; money is written in reais.

    `A|B` in a path stands for whichever tag the paper has, `A|` for one that may be absent, a leading `*/` for any
    group above, ` + ` between paths for their sum.
    """

    name: str
    path: str
    text: str


Tags = Mapping[str, str]
"""The product's fields of one class, and the tags they were read from."""

PARTY: Tags = {"tax_id": "CNPJ|CPF|idEstrangeiro", "name": "xNome", "state_registration": "IE"}
FULL_PARTY: Tags = {
    "trade_name": "xFant",
    "email": "email",
    "tax_regime": "CRT",
    "registration_indicator": "indIEDest",
    "substitute_registration": "IEST",
    "municipal_registration": "IM",
    "cnae": "CNAE",
    "suframa": "ISUF",
}
ADDRESS: Tags = {
    "street": "xLgr|xEnder",
    "number": "nro",
    "complement": "xCpl",
    "district": "xBairro",
    "city_code": "cMun",
    "city": "xMun",
    "uf": "UF",
    "postal_code": "CEP",
    "country_code": "cPais",
    "country": "xPais",
}
PROTOCOL: Tags = {
    "access_key": "chNFe|chCTe",
    "cstat": "cStat",
    "reason": "xMotivo",
    "number": "nProt",
    "received_at": "dhRecbto",
    "digest": "digVal",
}
TOTALS: Tags = {
    "document": "vNF",
    "products": "vProd",
    "discount": "vDesc",
    "freight": "vFrete",
    "insurance": "vSeg",
    "other": "vOutro",
    "icms": "vICMS",
    "icms_st": "vST",
    "ipi": "vIPI",
    "pis": "vPIS",
    "cofins": "vCOFINS",
}


def plain(holder: object, name: str, tags: Tags, group: str) -> Iterator[Value]:
    """The fields of `holder`, called `name` in the report, by the tags that they stand for inside `group`."""
    for attribute, tag in tags.items():
        value = getattr(holder, attribute)
        if value is not None:
            yield Value(f"{name}.{attribute}", f"{group}/{tag}", written(value, money=attribute.endswith("_cents")))


def money(cents: int | None, name: str, path: str) -> Iterator[Value]:
    """One amount in centavos."""
    if cents is not None:
        yield Value(name, path, written(cents, money=True))


def text(value: object | None, name: str, path: str) -> Iterator[Value]:
    """One value as it stands."""
    if value is not None:
        yield Value(name, path, written(value))


def written(value: object, *, money: bool = False) -> str:
    if money and isinstance(value, int):
        return f"{Decimal(value).scaleb(-2):f}"
    return str(int(value)) if isinstance(value, bool) else str(value)


def leaves(found: Fields, name: str, group: str) -> Iterator[Value]:
    """Fields that the product keeps under the names of their tags; a group that is a leaf stands under its own."""
    own = group.rpartition("/")[2].partition("[")[0]
    for path, value in found:
        yield Value(name, group if path == own else f"{group}/{path}", value)


def party(found: Party, group: str, address: str, name: str = "Party") -> Iterator[Value]:
    """A party as lists have it, called `name` in the report; `address` is the group of its place."""
    yield from plain(found, name, PARTY, group)
    yield from text(found.uf, f"{name}.uf", f"{address}/UF")
    yield from text(found.city, f"{name}.city", f"{address}/xMun")


def full_party(found: FullParty, group: str, address: str) -> Iterator[Value]:
    """A party with all that the paper says of it. The telephone stands inside the address or beside it."""
    yield from party(found.party, group, address, "FullParty.party")
    yield from plain(found, "FullParty", FULL_PARTY, group)
    if found.address is not None:
        yield from plain(found.address, "Address", ADDRESS, address)
        yield from text(found.address.phone, "Address.phone", phone(group, address))


def phone(group: str, address: str) -> str:
    return f"{group}/{address.removeprefix(group).lstrip('/')}|/fone"


def tax(found: Tax, group: str, tags: Tags) -> Iterator[Value]:
    """A tax; `tags` name those of its own base, rate and amount."""
    yield from text(found.cst, "Tax.cst", f"{group}/CST|CSOSN|CSTIS")
    yield from text(found.origin, "Tax.origin", f"{group}/orig")
    yield from plain(found, "Tax", tags, group)
    yield from leaves(found.fields, "Tax.fields", group)


def protocol(found: Protocol) -> Iterator[Value]:
    """The authority's answer."""
    return plain(found, "Protocol", PROTOCOL, "infProt")


def totals(found: Totals, group: str) -> Iterator[Value]:
    """The amounts that lists and sums use, of an NF-e."""
    for attribute, tag in TOTALS.items():
        yield from money(getattr(found, attribute), f"Totals.{attribute}", f"{group}/{tag}")
