"""The taxes of an item of a note: ICMS in all its groups, IPI, PIS, COFINS, ISSQN, the reform's, and those to come."""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Fields, Tax
from confere.fiscal.document_parts import Warning
from confere.fiscal.reading.amounts import cents, quantity
from confere.fiscal.reading.elements import LOCAL
from confere.fiscal.reading.xml_leaves import leaves

# Tags of base, rate and amount; of several amounts the first that the group has.
_OWN: Final = {
    "ICMS": ("vBC", "pICMS", ("vICMS", "vICMSMono")),
    "ICMSUFDest": ("vBCUFDest", "pICMSUFDest", ("vICMSUFDest",)),
    "IPI": ("vBC", "pIPI", ("vIPI",)),
    "II": ("vBC", "", ("vII",)),
    "PIS": ("vBC", "pPIS", ("vPIS",)),
    "PISST": ("vBC", "pPIS", ("vPIS",)),
    "COFINS": ("vBC", "pCOFINS", ("vCOFINS",)),
    "COFINSST": ("vBC", "pCOFINS", ("vCOFINS",)),
    "ISSQN": ("vBC", "vAliq", ("vISSQN",)),
    "IS": ("vBCIS", "pIS", ("vIS",)),
    "IBSCBS": ("gIBSCBS/vBC", "", ()),
}
_UNKNOWN: Final = ("vBC", "", ())
# IBS and CBS of an item, the first pair of places that holds something.
_REFORM: Final = (
    (("gIBSCBS/vIBS", "vIBS"), ("gIBSCBS/gCBS/vCBS", "vCBS")),
    (("gIBSCBSMono/vTotIBSMonoItem", "vTotIBSMonoItem"), ("gIBSCBSMono/vTotCBSMonoItem", "vTotCBSMonoItem")),
)
APPROXIMATE: Final = "vTotTrib"


def taxes_of(section: _Element) -> tuple[tuple[Tax, ...], dict[str, str]]:
    """The taxes in `imposto`, and the texts of the leaves beside them (`vTotTrib`)."""
    taxes: list[Tax] = []
    beside: dict[str, str] = {}
    for group in section:
        name = LOCAL[group.tag]
        if len(group):
            taxes.append(_tax(name, group))
        elif name and (text := (group.text or "").strip()):
            beside[name] = text
    return tuple(taxes), beside


def _tax(name: str, group: _Element) -> Tax:
    # ICMS00 in ICMS, PISAliq in PIS, IPITrib in IPI: its fields are the tax's own.
    variant = next((tag for part in group if (tag := LOCAL[part.tag]).startswith(name)), name)
    own = f"{variant}/"
    fields: Fields = tuple((path.removeprefix(own), text) for path, text in leaves(group))
    get = dict(reversed(fields)).get
    base, rate, amounts = _OWN.get(name, _UNKNOWN)
    amount = next((tag for tag in amounts if get(tag) is not None), "")
    unreadable: list[Warning] = []  # `fields` have everything as written
    return Tax(
        name,
        variant,
        get("CST") or get("CSOSN") or get("CSTIS"),
        get("orig"),
        cents(get(base), base, unreadable),
        quantity(get(rate), rate, unreadable),
        cents(get(amount), amount, unreadable) if name != "IBSCBS" else _reform(dict(fields), unreadable),
        fields,
    )


def _reform(fields: dict[str, str], unreadable: list[Warning]) -> int | None:
    """IBS and CBS together, of the one group or of the single-phase one."""
    for places in _REFORM:
        parts = [cents(fields.get(path), tag, unreadable) for path, tag in places]
        known = [part for part in parts if part is not None]
        if known:
            return sum(known)
    return None
