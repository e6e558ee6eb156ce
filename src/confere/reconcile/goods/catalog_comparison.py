"""An invoice's item against the catalog's SKU: which SKU it is, and in what the two do not agree."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from confere.reconcile.goods.quantities import is_ean
from confere.sales.catalog_product import SoldSku
from confere.sales.reconciliation_input import ItemQuantity
from confere.system.plain_text import ascii_letters

NO_GTIN: Final = "SEM GTIN"
"""What `cEAN` says of an item that has none. Source: MOC 7.0, annex I, I03 (`cEAN`)."""
_SERVICE: Final = "00"
"""The NCM of what is no product. Source: MOC 7.0, annex I, I05 (`NCM`)."""
_GENERIC: Final = frozenset({_SERVICE, "99", "00000000", "99999999"})  # they class no goods
_NCM_DIGITS: Final = 8
_ORIGINS: Final = frozenset("012345678")
"""Codes of the origin of goods. Source: Convênio SINIEF s/n of 1970, annex, table A; Ajuste SINIEF 20/2012."""
_GTIN_LENGTHS: Final = frozenset({8, 12, 13, 14})
_GTIN: Final = 14
# A company's own numbers, which no register knows (GS1 prefixes 020-029, 040-049, 200-299), in fourteen digits.
_RESTRICTED: Final = ("002", "004", "02")
_SHORT: Final = "000000"  # what stands before a GTIN-8, and before no other
_RESTRICTED_SHORT: Final = ("0", "2")  # prefixes of eight digits that are a company's own (000-099, 200-299)
# What one unit is called. Units that are not here are compared as they are written.
_UNITS: Final = {
    word: words[0]
    for words in (
        ("UN", "U", "UND", "UNI", "UNID", "UNIDAD", "UNIDADE", "UNIDADES"),
        ("PC", "PCA", "PCS", "PECA", "PECAS"),
        ("CX", "CXA", "CXS", "CAIXA", "CAIXAS"),
        ("KT", "KIT", "KITS"),
        ("PAR", "PR", "PARES"),
        ("KG", "KGS", "QUILO", "QUILOS"),
        ("L", "LT", "LTS", "LITRO", "LITROS"),
        ("M", "MT", "MTS", "METRO", "METROS"),
        ("DZ", "DUZIA"),
        ("PCT", "PCTE", "PACOTE", "PACOTES"),
    )
    for word in words
}


class CatalogField(StrEnum):
    """In what an item may differ; stable, as it is a part of a finding's identity."""

    CODE = "code"
    NCM = "ncm"
    EAN = "ean"
    ORIGIN = "origin"
    UNIT = "unit"


class Disagreement(NamedTuple):
    """What the invoice's item says (`noted`) and what the catalog does (`listed`)."""

    field: CatalogField
    noted: str
    listed: str


class Match(NamedTuple):
    """The SKUs that an item may be, and in what it agrees with none of them."""

    skus: tuple[SoldSku, ...]
    disagreements: tuple[Disagreement, ...]


class CatalogComparison:
    """A catalog, ready to be asked about items; each way in which items are described is compared once."""

    def __init__(self, skus: Iterable[SoldSku]) -> None:
        self._by_code: dict[str, list[SoldSku]] = defaultdict(list)
        self._by_gtin: dict[str, list[SoldSku]] = defaultdict(list)
        self._has_gone = False
        for sold in skus:
            self._has_gone |= sold.gone_since is not None
            if sold.sku.code:
                self._by_code[_folded(sold.sku.code)].append(sold)
            gtin = gtin_of(sold.sku.ean)
            if gtin is not None:
                self._by_gtin[gtin].append(sold)
        self._known: dict[object, Match | None] = {}

    def match(self, line: ItemQuantity, issued_on: str) -> Match | None:
        """What an item of an invoice of that day is in the catalog; None where the catalog did not have it then."""
        asked = (line.code, line.ean, line.described, issued_on if self._has_gone else "")
        if asked not in self._known:
            self._known[asked] = self._match(line, issued_on)
        return self._known[asked]

    def _match(self, line: ItemQuantity, issued_on: str) -> Match | None:
        skus = _listed_on(self._by_code.get(_folded(line.code or ""), ()), issued_on)
        if skus:
            return Match(skus, tuple(_disagreements(line, skus)))
        gtin = gtin_of(line.ean)
        skus = () if gtin is None else _listed_on(self._by_gtin.get(gtin, ()), issued_on)
        if not skus:
            return None
        codes = sorted({sold.sku.code for sold in skus if sold.sku.code})
        by_code = [Disagreement(CatalogField.CODE, line.code, ", ".join(codes))] if line.code and codes else []
        return Match(skus, (*by_code, *_disagreements(line, skus)))


def gtin_of(written: str | None) -> str | None:
    """A GTIN in fourteen digits; None for what is none, a company's own number among them.

    Source: GS1 General Specifications, 1.4 (prefixes) and 7.9 (check digit); NT 2021.003 (validation of `cEAN`).
    """
    text = (written or "").strip()
    if not is_ean(text) or not text.isascii() or len(text) not in _GTIN_LENGTHS:
        return None
    digits = text.rjust(_GTIN, "0")
    weighted = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(digits))
    if digits.startswith(_SHORT):
        is_own = digits.startswith(_RESTRICTED_SHORT, len(_SHORT))
    else:
        is_own = digits.startswith(_RESTRICTED)
    return None if weighted % 10 or is_own or not digits.strip("0") else digits


def _disagreements(line: ItemQuantity, skus: Sequence[SoldSku]) -> Iterator[Disagreement]:
    described = line.described
    if described is not None:
        yield from _of_ncm(described.ncm, skus)
        yield from _of_origin(described.origin, skus)
        yield from _of_unit(described.unit, skus)
    yield from _of_ean(line.ean, skus)


def _of_ncm(noted: str | None, skus: Sequence[SoldSku]) -> Iterator[Disagreement]:
    """An item that says to be no product (`00`) is not held against a product's NCM."""
    code = _digits(noted)
    listed = {ncm for sold in skus if len(ncm := _digits(sold.product.ncm)) == _NCM_DIGITS and ncm not in _GENERIC}
    if code and code != _SERVICE and listed and code not in listed:
        yield Disagreement(CatalogField.NCM, code, ", ".join(sorted(listed)))


def _of_origin(noted: str | None, skus: Sequence[SoldSku]) -> Iterator[Disagreement]:
    listed = {sold.product.origin for sold in skus if sold.product.origin in _ORIGINS}
    if noted in _ORIGINS and listed and noted not in listed:
        yield Disagreement(CatalogField.ORIGIN, noted, ", ".join(sorted(filter(None, listed))))


def _of_unit(noted: str | None, skus: Sequence[SoldSku]) -> Iterator[Disagreement]:
    unit = _unit(noted)
    listed = {_unit(sold.sku.unit): sold.sku.unit or "" for sold in skus if _unit(sold.sku.unit)}
    if unit and listed and unit not in listed:
        yield Disagreement(CatalogField.UNIT, noted or "", ", ".join(sorted(listed.values())))


def _of_ean(noted: str | None, skus: Sequence[SoldSku]) -> Iterator[Disagreement]:
    """Held against real GTINs alone. A box (GTIN-14) of the goods is called by the same number behind its first digit.

    Source: Ajuste SINIEF 07/05, cl. 3ª, § 6 (`cEAN` of goods that have a GTIN).
    """
    listed = {gtin: sold.sku.ean or "" for sold in skus if (gtin := gtin_of(sold.sku.ean)) is not None}
    if not listed:
        return
    said = (noted or "").strip()
    if not said or not is_ean(said):
        yield Disagreement(CatalogField.EAN, NO_GTIN, ", ".join(sorted(listed.values())))
        return
    digits = said.rjust(_GTIN, "0")
    if digits not in listed and not any(_is_box_of(digits, gtin) for gtin in listed):
        yield Disagreement(CatalogField.EAN, said, ", ".join(sorted(listed.values())))


def _is_box_of(one: str, other: str) -> bool:
    return one[0] != other[0] and one[1:-1] == other[1:-1] and len(one) == len(other)


def _listed_on(skus: Sequence[SoldSku], day: str) -> tuple[SoldSku, ...]:
    """Those that the catalog had on that day."""
    return tuple(sold for sold in skus if sold.gone_since is None or day < sold.gone_since[:10])


def _folded(code: str) -> str:
    """What reads the same is the same: an invoice's text has no two blanks together, and one form of each letter."""
    return " ".join(_plain(code).casefold().split())


def _digits(ncm: str | None) -> str:
    return "".join(filter(str.isdecimal, _plain(ncm or "")))


def _plain(written: str) -> str:
    return written if written.isascii() else unicodedata.normalize("NFKC", written)


def _unit(written: str | None) -> str:
    folded = "".join(filter(str.isalnum, ascii_letters(written or ""))).upper()
    return _UNITS.get(folded, folded)
