"""Sums of taxes straight from the XML, by nothing of the program: what the effect of changes is compared with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from lxml import etree

Place = tuple[str, str, str]  # CFOP, origin and CST, the recipient's state
Sums = dict[Place, Counter[str]]
_TAGS = {
    "discount": ("prod/vDesc",), "freight": ("prod/vFrete",), "other": ("prod/vOutro", "prod/vSeg"),
    "icms_base": ("imposto/ICMS/*/vBC",), "icms": ("imposto/ICMS/*/vICMS",),
    "icms_st_base": ("imposto/ICMS/*/vBCST",), "icms_st": ("imposto/ICMS/*/vICMSST",),
    "fcp": ("imposto/ICMS/*/vFCP", "imposto/ICMS/*/vFCPST"), "ipi": ("imposto/IPI/IPITrib/vIPI",),
    "pis": ("imposto/PIS/*/vPIS",), "cofins": ("imposto/COFINS/*/vCOFINS",),
    "ibs": ("imposto/IBSCBS/gIBSCBS/vIBS",), "cbs": ("imposto/IBSCBS/gIBSCBS/gCBS/vCBS",),
    "difal": ("imposto/ICMSUFDest/vICMSUFDest",), "fcp_destination": ("imposto/ICMSUFDest/vFCPUFDest",),
    "difal_origin": ("imposto/ICMSUFDest/vICMSUFRemet",), "products": ("prod/vProd",),
}  # fmt: skip


def of_notes(signed: Iterable[tuple[int, bytes]]) -> tuple[int, Sums]:
    """The sum of vNF and the sums of items of these notes, each added (1) or taken away (-1), in centavos."""
    total, sums = 0, defaultdict[Place, Counter[str]](Counter)
    for sign, data in signed:
        note = _plain(etree.fromstring(data))
        total += sign * _cents(note.findtext(".//ICMSTot/vNF"))
        uf = note.findtext(".//dest/enderDest/UF") or ""
        for item in note.iter("det"):
            icms = item.find("imposto/ICMS/*")
            cst = "".join(icms.findtext(tag) or "" for tag in ("orig", "CST", "CSOSN"))
            for name, paths in _TAGS.items():
                amount = sum(_cents(found.text) for path in paths for found in item.iterfind(path))
                sums[item.findtext("prod/CFOP"), cst, uf][name] += sign * amount
    return total, without_zeros(sums)


def without_zeros(sums: Any) -> Sums:
    kept = {place: Counter({name: amount for name, amount in of.items() if amount}) for place, of in sums.items()}
    return {place: amounts for place, amounts in kept.items() if amounts}


def _plain(root: Any) -> Any:
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    return root


def _cents(text: str | None) -> int:
    return int(Decimal(text or "0") * 100)
