"""The tables of taxes of the month's ledger: of documents in effect alone, as their XML writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from confere.app.labels import labels
from confere.app.ledger.document_sheets import issuer_word
from confere.app.ledger.ledger_columns import Shown, TableNames, amount_header, column, table
from confere.export.ledger.ledger_sums import (
    DIFAL,
    REFORM,
    CfopCell,
    ContributionCell,
    DifalCell,
    LedgerSums,
    ReformCell,
    SimplesCell,
    SummedAmounts,
)
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn
from confere.fiscal.ledger.item_taxes import AMOUNTS
from confere.fiscal.ledger.simples_revenue import (
    REGIMES,
    ContributionTreatment,
    IcmsTreatment,
    RevenueKind,
)
from confere.system.messages import t

_WHOLE = CellKind.WHOLE


def cfops(sums: LedgerSums) -> Sheet:
    """CFOP, CST and state, with every tax."""
    columns: Shown[tuple[CfopCell, SummedAmounts]] = [
        column("direction", t("Direction"), lambda one: labels.direction_word(one[0].direction), width=10),
        column("issuer", t("Issued by"), lambda one: issuer_word(one[0].is_own), width=12),
        column("cfop", t("CFOP"), lambda one: one[0].cfop, width=8),
        column("icms_code", t("CST or CSOSN"), lambda one: one[0].icms_code, width=9),
        column("uf", t("UF"), lambda one: one[0].uf, width=6),
        *_counted(),
        *_amounts(AMOUNTS, 13),
    ]
    return table(TableNames("cfop_cst_state", t("CFOP, CST and state")), columns, sums.cfops.rows(), folds_empty=True)


def difal(sums: LedgerSums) -> Sheet:
    """DIFAL and FCP by the state of destination, and who owes it."""
    columns: Shown[tuple[DifalCell, SummedAmounts]] = [
        column("uf", t("State of destination"), lambda one: one[0].uf, width=12),
        column("direction", t("Direction"), lambda one: labels.direction_word(one[0].direction), width=10),
        column("issuer", t("Issued by"), lambda one: issuer_word(one[0].is_own), width=12),
        column("regime", t("Regime (CRT)"), lambda one: one[0].regime, width=9),
        *_counted(),
        *_amounts(DIFAL, 19),
        column("owed_by", t("Who owes it"), lambda one: owed_by(one[0].regime), CellKind.LONG),
    ]
    # No total: returns stand on lines of their own, and adding them to the sales would say too much.
    return table(TableNames("difal", t("DIFAL and FCP")), columns, sums.difal.rows(), total=False)


def owed_by(regime: str) -> str:
    """Who owes the difference of rates to a final consumer who is no taxpayer, by the CRT of the emitter.

    Source: CF/1988, art. 155, § 2, VII and VIII, b (EC 87/2015); LC 87/1996, art. 4, § 2, II (LC 190/2022); Convênio
    ICMS 236/2021; of the Simples Nacional STF, ADI 5464 (injunction of 2016) and ADI 5469 (2021).
    """
    if regime in ("1", "4"):
        return t(
            "Simples Nacional: not collected on the ground of clause 9 of Convênio ICMS 93/2015, suspended (ADI 5464)"
            " and held unconstitutional (ADI 5469). What stands here is what the document writes: look at it."
        )
    if regime == "2":
        return t(
            "Simples Nacional above the sublimit, ICMS outside of it: look at the law of the state of destination."
        )
    if regime == "3":
        return t(
            "The emitter owes it to the state of destination where the recipient is no taxpayer of ICMS (EC 87/2015,"
            " LC 190/2022, Convênio ICMS 236/2021)."
        )
    return t("The document does not write the emitter's regime.")


class ContributionLine(NamedTuple):
    """A line of the table of PIS and COFINS."""

    cell: ContributionCell
    summed: SummedAmounts


def contributions(sums: LedgerSums) -> Sheet:
    """PIS and COFINS by CST and rate."""
    columns: Shown[ContributionLine] = [
        column("direction", t("Direction"), lambda one: labels.direction_word(one.cell.direction), width=12),
        column("issuer", t("Issued by"), lambda one: issuer_word(one.cell.is_own), width=14),
        column("tax", t("Tax"), lambda one: one.cell.tax.upper(), width=10),
        column("cst", t("CST"), lambda one: one.cell.cst, width=8),
        column("rate", t("Rate, %"), lambda one: one.cell.rate, CellKind.PIECES, 10),
        column("documents", t("Documents"), lambda one: one.summed.documents, _WHOLE, 12),
        column("items", t("Items"), lambda one: one.summed.items, _WHOLE, 10),
        column("products", t("Goods (vProd)"), lambda one: one.summed.amounts[0], CellKind.MONEY, 18, False),
        column("base", t("Base (vBC)"), lambda one: one.summed.amounts[1], CellKind.MONEY, 18, False),
        column("amount", t("Amount"), lambda one: one.summed.amounts[2], CellKind.MONEY, 18, False),
    ]
    rows = [ContributionLine(*row) for row in sums.contributions.rows()]
    return table(TableNames("pis_cofins", t("PIS and COFINS")), columns, rows, total=False)


def simples(sums: LedgerSums) -> Sheet:
    """Revenue segregated for the PGDAS-D; returns stand below zero. Empty for who is not of the Simples Nacional."""
    columns: Shown[tuple[SimplesCell, SummedAmounts]] = [
        column("kind", t("What"), lambda one: _kind_word(one[0].segregation.kind), width=28),
        column("regime", t("Regime (CRT)"), lambda one: one[0].regime, width=10),
        column(
            "market", t("Market"), lambda one: t("abroad") if one[0].segregation.is_export else t("inside"), width=12
        ),
        column("icms", t("ICMS"), lambda one: _icms_word(one[0].segregation.icms), width=34),
        column(
            "contributions",
            t("PIS and COFINS"),
            lambda one: _contributions_word(one[0].segregation.contributions),
            width=34,
        ),
        *_counted(),
        column("revenue", t("Revenue"), lambda one: one[1].amounts[0], CellKind.MONEY, 18),
    ]
    is_simples = any(regime in REGIMES for regime in sums.regimes)
    return table(TableNames("simples", t("Simples Nacional")), columns, sums.simples.rows() if is_simples else ())


def reform(sums: LedgerSums) -> Sheet:
    """IBS and CBS by cClassTrib."""
    columns: Shown[tuple[ReformCell, SummedAmounts]] = [
        column("direction", t("Direction"), lambda one: labels.direction_word(one[0].direction), width=12),
        column("issuer", t("Issued by"), lambda one: issuer_word(one[0].is_own), width=14),
        column("cst", t("CST"), lambda one: one[0].cst, width=8),
        column("tax_class", t("cClassTrib"), lambda one: one[0].tax_class, width=12),
        *_counted(),
        *_amounts(REFORM, 17),
    ]
    return table(TableNames("ibs_cbs", t("IBS and CBS")), columns, sums.reform.rows())


def _counted() -> Shown[tuple[object, SummedAmounts]]:
    return [
        column("documents", t("Documents"), lambda one: one[1].documents, _WHOLE, 12),
        column("items", t("Items"), lambda one: one[1].items, _WHOLE, 10),
    ]


def _amounts(names: Sequence[str], width: int) -> Shown[tuple[object, SummedAmounts]]:
    return [_amount(place, name, width) for place, name in enumerate(names)]


def _amount(place: int, name: str, width: int) -> tuple[SheetColumn, Callable[[tuple[object, SummedAmounts]], Cell]]:
    def shown(one: tuple[object, SummedAmounts]) -> Cell:
        return one[1].amounts[place]

    return column(name, amount_header(name), shown, CellKind.MONEY, width)


def _kind_word(kind: RevenueKind) -> str:
    return t("revenue") if kind is RevenueKind.REVENUE else t("returns of the month (deducted)")


def _icms_word(treatment: IcmsTreatment) -> str:
    return {
        IcmsTreatment.ORDINARY: t("ordinary"),
        IcmsTreatment.SUBSTITUTION: t("tax substitution (ICMS-ST)"),
        IcmsTreatment.EXEMPT: t("immune, exempt or not taxed"),
        IcmsTreatment.OTHER: t("no code that says"),
        IcmsTreatment.SERVICE: t("service (ISS)"),
    }[treatment]


def _contributions_word(treatment: ContributionTreatment) -> str:
    return {
        ContributionTreatment.ORDINARY: t("ordinary"),
        ContributionTreatment.SINGLE_PHASE: t("single-phase, resale (CST 04)"),
        ContributionTreatment.DIFFERENTIATED: t("own rate or by unit (CST 02, 03)"),
        ContributionTreatment.SUBSTITUTION: t("tax substitution (CST 05)"),
        ContributionTreatment.EXEMPT: t("zero, exempt or without incidence (CST 06 to 09)"),
    }[treatment]
