"""What lists and tax pivots take of a CT-e beside its totals: its one tax group, and the weight of its cargo."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from lxml.etree import _Element

from confere.fiscal.document_parts import TaxSums, Warning
from confere.fiscal.reading.amounts import cents, quantity
from confere.fiscal.reading.elements import LOCAL, child, texts, texts_within

_KILOGRAMS: Final = {"01": 1, "02": 1000}  # cUnid
# What `tpMed` may call a weight, the one that was put on the scales first.
_WEIGHTS: Final = ("BRUTO", "REAL", "AFERIDO", "PESO", "KG")
_REFORM: Final = ("{*}vIBS", "{*}vCBS")


def tax_of(cfop: str | None, section: _Element | None, total: int | None) -> tuple[TaxSums, ...]:
    """The tax in `imp` of a CT-e with its CFOP; `total` is its service's. Nothing where it names neither."""
    get: dict[str, str] = {}
    reform: dict[str, str] = {}
    for group in section if section is not None else ():
        name = LOCAL[group.tag]
        if name == "ICMS" and len(group):
            get = texts(group[0])
        elif name == "IBSCBS":
            reform = texts_within(group, _REFORM)
    cst = get.get("CST")
    if cfop is None and cst is None:
        return ()
    odd: list[Warning] = []  # the readers of totals and of the whole paper tell of these
    return (
        TaxSums(
            cfop,
            cst,
            products=total,
            icms_base=cents(get.get("vBC") or get.get("vBCOutraUF"), "vBC", odd),
            icms=cents(get.get("vICMS") or get.get("vICMSOutraUF"), "vICMS", odd),
            ibs=cents(reform.get("vIBS"), "vIBS", odd),
            cbs=cents(reform.get("vCBS"), "vCBS", odd),
        ),
    )


def weight_of(sections: dict[str, _Element]) -> Decimal | None:
    """The weight that `infCarga` names, in kilograms: what was weighed before what was reckoned."""
    normal = sections.get("infCTeNorm")
    cargo = child(normal, "infCarga") if normal is not None else sections.get("infCarga")
    best: tuple[int, Decimal] | None = None
    for entry in cargo.iterchildren("{*}infQ") if cargo is not None else ():
        get = texts(entry)
        factor = _KILOGRAMS.get(get.get("cUnid", ""))
        amount = quantity(get.get("qCarga"), "qCarga", [])
        if factor is None or amount is None:
            continue
        measure = get.get("tpMed", "").upper()
        rank = next((place for place, word in enumerate(_WEIGHTS) if word in measure), len(_WEIGHTS))
        if best is None or rank < best[0]:
            best = (rank, amount * factor)
    return None if best is None else best[1]
