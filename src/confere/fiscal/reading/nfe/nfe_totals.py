"""What the items of a note come to: by CFOP and CST, and against the totals that the note itself names.

A total is doubted only where every reading of the layout that the note allows gives another sum; one that cannot be
read, or whose items cannot, is not doubted at all. Source: the validation rules W03 to W16 of the taxpayer's manual
(MOC) for models 55 and 65, with their exceptions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import product
from typing import Final

from lxml.etree import _Element

from confere.fiscal.document_parts import TaxSums, Warning
from confere.fiscal.reading.amounts import cents
from confere.fiscal.reading.elements import LOCAL, texts, texts_within

TOLERANCE: Final = 1  # centavos

# Amounts of an item by their place in the sums of a group: the fields of `TaxSums` from `products` on, then those that
# join one of these fields, or none.
_IN_ORDER: Final = (
    *("vProd", "vDesc", "vFrete", "vOutro", "vBC", "vICMS", "vBCST", "vICMSST", "vFCP"),
    *("vIPI", "vPIS", "vCOFINS", "vIBS", "vCBS"),
)
_PLACE: Final = {
    tag: place
    for place, tag in enumerate((*_IN_ORDER, "vSeg", "vFCPST", "vFCPSTRet", "vICMSDeson", "vII", "vIPIDevol"))
}
_OTHER, _INSURANCE, _FCP, _FCP_ST = (_PLACE[tag] for tag in ("vOutro", "vSeg", "vFCP", "vFCPST"))
_PRODUCT: Final = tuple((tag, _PLACE[tag]) for tag in ("vProd", "vDesc", "vFrete", "vSeg", "vOutro"))
_ICMS: Final = {
    tag: _PLACE[tag] for tag in ("vBC", "vICMS", "vBCST", "vICMSST", "vFCP", "vFCPST", "vFCPSTRet", "vICMSDeson")
}
_LAST_LEAF: Final = {tag[1:]: (tag, _PLACE[tag]) for tag in ("vIPI", "vPIS", "vCOFINS", "vII")}
_DEVOLVED: Final = _PLACE["vIPIDevol"]

# Totals in `ICMSTot`, each with the place of its items.
_ADDED: Final = ("vProd", "vST", "vFCPST", "vFrete", "vSeg", "vOutro", "vII", "vIPI", "vIPIDevol")
_TOTALS: Final = tuple(
    (tag, _PLACE["vICMSST" if tag == "vST" else tag])
    for tag in (*_ADDED, "vDesc", "vICMS", "vICMSDeson", "vFCP", "vFCPSTRet", "vPIS", "vCOFINS")
)
# What else may move the total of a note.
_RARE: Final = ("{*}tpOp", "{*}indDeduzDeson", "{*}PISST", "{*}COFINSST")
# finNFe of notes whose total is that of goods: a complement may name an amount alone.
_OF_GOODS: Final = (None, "1", "4")
_ADJUSTMENT: Final = "3"


# Whether an item counts into the totals of goods: it does; it is under ISSQN, and they may leave it out; indTot is 0.
_GOODS: Final = 0
_SERVICE: Final = 1
_LEFT_OUT: Final = 2


class NoteSums:
    """Adds up the items of one note as they are read."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str | None, str | None, int], list[int | None]] = {}
        self._unreadable: set[int] = set()

    def add(self, get: Mapping[str, str], taxes: _Element | None, devolved: _Element | None) -> str | None:
        """Take in an item: the texts of its `prod`, its `imposto` and its `impostoDevol`. Gives its `orig`."""
        amounts = [(place, get[tag]) for tag, place in _PRODUCT if tag in get]
        cst: str | None = None
        origin: str | None = None
        counts = _LEFT_OUT if get.get("indTot") == "0" else _GOODS
        for group in taxes if taxes is not None else ():
            name = LOCAL[group.tag]
            if name in _LAST_LEAF:
                tag, place = _LAST_LEAF[name]
                text = _last_leaf(group, tag)
                if text:
                    amounts.append((place, text))
            elif name == "ICMS" and len(group):
                found = texts(group[0])
                amounts += [(_ICMS[tag], found[tag]) for tag in found if tag in _ICMS]
                cst, origin = found.get("CST") or found.get("CSOSN"), found.get("orig")
                if cst is not None:
                    cst = (origin or "") + cst
            elif name == "IBSCBS":
                amounts += _reform(group)
            elif name == "ISSQN" and counts == _GOODS:
                counts = _SERVICE
        if devolved is not None:
            amounts += [(_DEVOLVED, text) for text in texts_within(devolved, ("{*}vIPIDevol",)).values()]
        key = (get.get("CFOP"), cst, counts)
        sums = self._groups.get(key)
        if sums is None:
            sums = self._groups[key] = [None] * len(_PLACE)
        odd: list[Warning] = []
        for place, text in amounts:
            value = 0 if text == "0.00" else cents(text, "", odd)
            if odd:
                odd.clear()
                self._unreadable.add(place)
            if value is not None:
                before = sums[place]
                sums[place] = value if before is None else before + value
        return origin

    def taxes(self) -> tuple[TaxSums, ...]:
        """The sums by CFOP and CST, in order of first use; of goods that do not count, everything but their value."""
        found: dict[tuple[str | None, str | None], list[int | None]] = {}
        for (cfop, cst, counts), sums in self._groups.items():
            values = sums[: len(_IN_ORDER)]
            values[_OTHER] = _plus(values[_OTHER], sums[_INSURANCE])
            values[_FCP] = _plus(values[_FCP], sums[_FCP_ST])
            if counts == _LEFT_OUT:
                values[0] = None
            known = found.get((cfop, cst))
            found[cfop, cst] = values if known is None else list(map(_plus, known, values))
        return tuple([TaxSums(cfop, cst, *values) for (cfop, cst), values in found.items()])

    def mismatches(
        self, get: Mapping[str, str], services: str | None, purpose: str | None, body: _Element
    ) -> tuple[str, ...]:
        """The totals to which the items do not add up, as `tag:sum of the items:total as written`.

        `get` are the texts of `ICMSTot`, `services` is `ISSQNtot/vServ`; `body` is the note, whose rarer fields are
        looked for only where a total would be doubted.
        """
        if purpose == _ADJUSTMENT or not self._groups:
            return ()
        found: list[str] = []
        written: dict[str, int] = {}
        sums = self._sums(_GOODS, _SERVICE)
        all_readable = True
        odd: list[Warning] = []
        for tag, place in _TOTALS:
            text = get.get(tag)
            if text is None:
                continue
            if text == "0.00":
                value = 0
                if not sums[place]:
                    continue
            else:
                plain = cents(text, tag, odd)
                if plain is None or odd:
                    odd.clear()
                    all_readable = False
                    continue
                written[tag] = value = plain
            if not -TOLERANCE <= value - (sums[place] or 0) <= TOLERANCE:
                found += self._differing(tag, place, value)
        total = _plain(get.get("vNF"))
        if total is not None and all_readable and purpose in _OF_GOODS:
            single_phase = _plain(get.get("vICMSMonoReten")) or 0
            found += self._document_total(total, written, services, single_phase, body)
        return tuple(found)

    def _sums(self, *counts: int) -> list[int | None]:
        """Of the items that count so."""
        lists = [sums for key, sums in self._groups.items() if key[2] in counts]
        if len(lists) == 1:
            return lists[0]
        return [sum(filter(None, values)) for values in zip(*lists, strict=True)] or [0] * len(_PLACE)

    def _differing(self, tag: str, place: int, total: int) -> tuple[str, ...]:
        if place in self._unreadable:
            return ()
        if all(counts == _GOODS for _, _, counts in self._groups):  # every reading of the layout sums up all of them
            return (_told(tag, self._sums(_GOODS)[place] or 0, total),)
        kinds: list[tuple[int, ...]] = [(_GOODS, _SERVICE), (_GOODS,)]
        if tag != "vProd":
            kinds += [(_GOODS, _SERVICE, _LEFT_OUT), (_GOODS, _LEFT_OUT)]
        allowed = [self._sums(*kind)[place] or 0 for kind in kinds]
        return () if _is_one_of(total, allowed) else (_told(tag, allowed[0], total),)

    def _document_total(
        self, total: int, written: Mapping[str, int], services: str | None, single_phase: int, body: _Element
    ) -> tuple[str, ...]:
        """`vNF`, where it is not what the totals come to by the layout's formula."""
        get = written.get
        base = sum([get(tag, 0) for tag in _ADDED]) - get("vDesc", 0)
        relief = get("vICMSDeson", 0)
        if not relief and -TOLERANCE <= total - base <= TOLERANCE:
            return ()
        served = 0 if services is None else _plain(services)
        if served is None or any((cfop or "").startswith("3") for cfop, _, _ in self._groups):
            return ()  # imports add taxes as each state will have it
        rare: dict[str, list[_Element]] = {}
        for element in body.iter(*_RARE):
            rare.setdefault(LOCAL[element.tag], []).append(element)
        if "tpOp" in rare:
            return ()  # vehicles billed by the maker for a dealer
        deducted = {element.text for element in rare.get("indDeduzDeson", ())}
        taken = (0,) if deducted == {"0"} else (-relief,) if deducted == {"1"} else (-relief, 0)
        substituted = _added_by_substitution([*rare.get("PISST", ()), *rare.get("COFINSST", ())])
        allowed = [base + sum(terms) for terms in product(taken, {0, served}, {0, single_phase}, {0, substituted})]
        return () if _is_one_of(total, allowed) else (_told("vNF", base + taken[0] + served, total),)


def _last_leaf(group: _Element, tag: str) -> str | None:
    """The text of `tag`, which the layout puts last in the last group of most taxes."""
    inner = group[-1] if len(group) else group
    if not len(inner):  # its fields stand in the tax itself
        inner = group
    if len(inner):
        leaf = inner[-1]
        if LOCAL[leaf.tag] == tag:
            return (leaf.text or "").strip()
    return texts(inner).get(tag) if len(inner) > 1 else None


def _reform(group: _Element) -> list[tuple[int, str]]:
    """IBS and CBS of an item; those that are given back, credited or passed on stand in groups of their own."""
    found: list[tuple[int, str]] = []
    for part in group.iterchildren("{*}gIBSCBS"):
        for leaf in part.iterchildren("{*}vIBS", "{*}gCBS"):
            name = LOCAL[leaf.tag]
            text = leaf.text if name == "vIBS" else texts(leaf).get("vCBS")
            if text and text.strip():
                found.append((_PLACE["vIBS" if name == "vIBS" else "vCBS"], text.strip()))
    return found


def _added_by_substitution(groups: Iterable[_Element]) -> int:
    """PIS and COFINS by substitution that items say belong to the note's total."""
    found = 0
    for group in groups:
        get = texts(group)
        if "1" in (get.get("indSomaPISST"), get.get("indSomaCOFINSST")):
            found += _plain(get.get("vPIS") or get.get("vCOFINS")) or 0
    return found


def _plus(one: int | None, other: int | None) -> int | None:
    if other is None:
        return one
    return other if one is None else one + other


def _plain(text: str | None) -> int | None:
    """An amount that needs no interpreting."""
    odd: list[Warning] = []
    value = cents(text, "", odd)
    return None if odd else value


def _is_one_of(value: int, allowed: Collection[int]) -> bool:
    return any(abs(value - entry) <= TOLERANCE for entry in allowed)


def _told(tag: str, expected: int, found: int) -> str:
    return f"{tag}:{_written(expected)}:{_written(found)}"


def _written(value: int) -> str:
    return f"{'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02d}"
