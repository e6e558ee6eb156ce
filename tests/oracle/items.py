"""The items of a note, or the one service of a freight, with every amount that a sum is made of."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from tests.oracle.papers import Kind, Written, cents

# Each amount by the paths below `det` of which the first that is written counts.
_NOTE = {
    "products": ("prod/vProd",),
    "discount": ("prod/vDesc",),
    "freight": ("prod/vFrete",),
    "insurance": ("prod/vSeg",),
    "other": ("prod/vOutro",),
}
# The same below `imposto` of an item, or `imp` of a freight.
_TAXES = {
    "icms_base": ("ICMS/*/vBC",),
    "icms": ("ICMS/*/vICMS",),
    "icms_single_phase": ("ICMS/*/vICMSMono",),
    "icms_relieved": ("ICMS/*/vICMSDeson",),
    "fcp": ("ICMS/*/vFCP",),
    "st_base": ("ICMS/*/vBCST",),
    "st": ("ICMS/*/vICMSST",),
    "fcp_st": ("ICMS/*/vFCPST",),
    "difal_base": ("ICMSUFDest/vBCUFDest",),
    "difal_destination": ("ICMSUFDest/vICMSUFDest",),
    "difal_origin": ("ICMSUFDest/vICMSUFRemet",),
    "fcp_destination": ("ICMSUFDest/vFCPUFDest",),
    "ipi_base": ("IPI/IPITrib/vBC",),
    "ipi": ("IPI/IPITrib/vIPI",),
    "import_tax": ("II/vII",),
    "iss": ("ISSQN/vISSQN",),
    "pis_base": ("PIS/*/vBC",),
    "pis": ("PIS/*/vPIS",),
    "cofins_base": ("COFINS/*/vBC",),
    "cofins": ("COFINS/*/vCOFINS",),
    "selective_tax": ("IS/vIS",),
    "reform_base": ("IBSCBS/gIBSCBS/vBC",),
    "ibs_state": ("IBSCBS/gIBSCBS/gIBSUF/vIBSUF",),
    "ibs_city": ("IBSCBS/gIBSCBS/gIBSMun/vIBSMun",),
    "ibs": ("IBSCBS/gIBSCBS/vIBS",),
    "cbs": ("IBSCBS/gIBSCBS/gCBS/vCBS",),
}
AMOUNTS = (*_NOTE, *_TAXES)


class Line(NamedTuple):
    """An item. `amounts` in centavos by the names of `AMOUNTS`; `counts` is indTot."""

    cfop: str
    origin: str
    icms_code: str  # CST or CSOSN, without the origin
    pis: tuple[str, Decimal | None] | None  # CST and rate, per cent
    cofins: tuple[str, Decimal | None] | None
    reform: tuple[str, str] | None  # CST and cClassTrib
    counts: bool
    amounts: dict[str, int]

    @property
    def revenue(self) -> int:
        if not self.counts:
            return 0
        of = self.amounts
        return of["products"] - of["discount"] + of["freight"] + of["insurance"] + of["other"]


def lines(paper: Written) -> Iterator[Line]:
    if paper.kind is Kind.FREIGHT:
        taxes = paper.body.find("imp")
        amounts = dict.fromkeys(_NOTE, 0) | {"products": paper.total} | _amounts(taxes, _TAXES)
        yield _line(paper.text("ide/CFOP"), taxes, True, amounts)
        return
    for det in paper.body.iter("det"):
        taxes = det.find("imposto")
        amounts = _amounts(det, _NOTE) | _amounts(taxes, _TAXES)
        yield _line(det.findtext("prod/CFOP") or "", taxes, det.findtext("prod/indTot") != "0", amounts)


def _line(cfop: str, taxes: Any, counts: bool, amounts: dict[str, int]) -> Line:
    icms = _first(taxes, ("ICMS/*/CST", "ICMS/*/CSOSN"))
    reform = _first(taxes, ("IBSCBS/CST",)), _first(taxes, ("IBSCBS/cClassTrib",))
    return Line(
        cfop,
        _first(taxes, ("ICMS/*/orig",)),
        icms,
        _contribution(taxes, "PIS"),
        _contribution(taxes, "COFINS"),
        reform if any(reform) else None,
        counts,
        amounts,
    )


def _contribution(taxes: Any, name: str) -> tuple[str, Decimal | None] | None:
    code, rate = _first(taxes, (f"{name}/*/CST",)), _first(taxes, (f"{name}/*/p{name}",))
    return (code, Decimal(rate) if rate else None) if code else None


def _amounts(element: Any, paths: dict[str, tuple[str, ...]]) -> dict[str, int]:
    return {name: cents(_first(element, tags)) for name, tags in paths.items()}


def _first(element: Any, paths: tuple[str, ...]) -> str:
    if element is None:
        return ""
    return next((text.strip() for path in paths if (text := element.findtext(path))), "")
