"""How the revenue of a company of the Simples Nacional is segregated for the PGDAS-D, item by item.

Only what the document itself writes decides: CFOP, CSOSN or CST of ICMS, CST of PIS and COFINS. Whether a product is
under single-phase PIS/COFINS is taken from the CST alone; there is no table of NCM here, so goods that their seller
wrote with CST 49 or 99 stand as ordinary.

Source: LC 123/2006, art. 3, § 1 and art. 18, §§ 4, 4-A and 14; Resolução CGSN 140/2018, art. 17 (returns are deducted
in the month of the return) and art. 25 (segregation).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from confere.fiscal.ledger.item_taxes import ItemTaxes

REGIMES: Final = frozenset({"1", "2", "4"})
"""CRT of the Simples Nacional: 1, 2 (above the sublimit: ICMS and ISS outside of it), 4 (MEI: has no PGDAS-D)."""

_EXPORT: Final = frozenset({"5501", "5502", "6501", "6502"})
# The last three digits of CFOPs under which goods are sold or services rendered. 116 and 117 are the delivery of what
# was invoiced before by 922, which therefore is not counted.
_SALES: Final = frozenset(
    f"{number:03d}"
    for first, last in ((101, 125), (127, 129), (251, 258), (301, 307), (351, 360), (401, 405), (651, 656), (932, 933))
    for number in range(first, last + 1)
)
_SOLD_BACK: Final = frozenset({"201", "202", "203", "204", "410", "411", "503", "504", "660", "661", "662"})
_BOUGHT_BACK: Final = frozenset(
    {"201", "202", "210", "410", "411", "412", "413", "503", "553", "556", "660", "661", "662"}
)
_OF_SALES: Final = frozenset({None, "1", "2"})  # finNFe: adjustments, credit and debit notes move no goods
_SUBSTITUTED: Final = frozenset({"201", "202", "203", "500", "10", "30", "60", "70", "61"})
_EXEMPT: Final = frozenset({"103", "300", "400", "40", "41", "50"})
_ORDINARY: Final = frozenset({"101", "102", "00", "20", "90", "900"})


class RevenueKind(StrEnum):
    """What the amount is to the month's revenue."""

    REVENUE = "revenue"
    RETURN = "return"  # deducted


class IcmsTreatment(StrEnum):
    """What becomes of the ICMS of the revenue."""

    ORDINARY = "ordinary"
    SUBSTITUTION = "substitution"
    EXEMPT = "exempt"  # immune, exempt or not taxed
    OTHER = "other"  # the document writes no code that says
    SERVICE = "service"  # ISS


class ContributionTreatment(StrEnum):
    """What becomes of PIS and COFINS of the revenue."""

    ORDINARY = "ordinary"
    SINGLE_PHASE = "single_phase"  # CST 04
    DIFFERENTIATED = "differentiated"  # CST 02 and 03: the one who is charged in the single phase
    SUBSTITUTION = "substitution"  # CST 05
    EXEMPT = "exempt"  # CST 06 to 09


class Segregation(NamedTuple):
    """Where an item's revenue belongs."""

    kind: RevenueKind
    is_export: bool
    icms: IcmsTreatment
    contributions: ContributionTreatment


def segregate(taxes: ItemTaxes, *, is_own: bool, direction: str, purpose: str | None) -> Segregation | None:
    """Where the revenue of the item belongs; None for what is no revenue of the company (a removal, a purchase).

    `is_own`: the company issued the document; `direction` is `in` or `out` as it sees it; `purpose` is finNFe.

    Source: LC 123/2006, art. 3, § 1 and art. 18, §§ 4 and 4-A; Resolução CGSN 140/2018, art. 17 and 25.
    """
    cfop = taxes.item.cfop or ""
    head, rest = cfop[:1], cfop[1:]
    if (
        is_own
        and direction == "out"
        and ((head in "567" and rest in _SALES) or cfop in _EXPORT)
        and purpose in _OF_SALES
    ):
        kind = RevenueKind.REVENUE
    elif (is_own and direction == "in" and head in ("1", "2", "3") and rest in _SOLD_BACK) or (
        not is_own and purpose == "4" and head in ("5", "6") and rest in _BOUGHT_BACK
    ):
        kind = RevenueKind.RETURN
    else:
        return None
    is_export = head in ("3", "7") or cfop in _EXPORT or rest in ("503", "504")
    return Segregation(kind, is_export, _icms(taxes, rest), _contributions(taxes))


def _icms(taxes: ItemTaxes, rest: str) -> IcmsTreatment:
    if rest == "933":
        return IcmsTreatment.SERVICE
    code = taxes.icms_code
    if code in _SUBSTITUTED:
        return IcmsTreatment.SUBSTITUTION
    if code in _EXEMPT:
        return IcmsTreatment.EXEMPT
    return IcmsTreatment.ORDINARY if code in _ORDINARY else IcmsTreatment.OTHER


def _contributions(taxes: ItemTaxes) -> ContributionTreatment:
    code = taxes.pis_code or taxes.cofins_code or ""
    if code == "04":
        return ContributionTreatment.SINGLE_PHASE
    if code in ("02", "03"):
        return ContributionTreatment.DIFFERENTIATED
    if code == "05":
        return ContributionTreatment.SUBSTITUTION
    return ContributionTreatment.EXEMPT if code in ("06", "07", "08", "09") else ContributionTreatment.ORDINARY
