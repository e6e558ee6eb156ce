"""Columns of the ledger's tables: a plain name for programs, a header in the reader's language, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn
from confere.system.messages import t

T = TypeVar("T")

Shown = Sequence[tuple[SheetColumn, Callable[[T], Cell]]]


class TableNames(NamedTuple):
    """What a table is called: by programs, and by people."""

    name: str
    title: str


def column(
    name: str,
    header: str,
    show: Callable[[T], Cell],
    kind: CellKind = CellKind.TEXT,
    width: int = 0,
    summed: bool = True,
) -> tuple[SheetColumn, Callable[[T], Cell]]:
    """One column; `summed` False keeps money out of the total (bases of different taxes, unit prices)."""
    return SheetColumn(header, kind, name, width, summed), show


def table(
    names: TableNames,
    columns: Shown[T],
    rows: Iterable[T],
    *,
    top: Sequence[tuple[str, Cell]] = (),
    total: bool = True,
    counts: Callable[[Sequence[Cell]], bool] | None = None,
    printed: int = 0,
    folds_empty: bool = False,
) -> Sheet:
    """A table whose rows are read once, while it is written."""
    return Sheet(
        names.title,
        [shown for shown, _ in columns],
        (tuple(value(row) for _, value in columns) for row in rows),
        top,
        names.name,
        t("Total") if total else "",
        counts,
        printed,
        folds_empty,
    )


def amount_header(name: str) -> str:
    """What one of `confere.fiscal.ledger.item_taxes.AMOUNTS` is called, with its tag."""
    return {
        "products": t("Goods (vProd)"),
        "discount": t("Discount (vDesc)"),
        "freight": t("Freight (vFrete)"),
        "insurance": t("Insurance (vSeg)"),
        "other": t("Other costs (vOutro)"),
        "icms_base": t("Base of ICMS (vBC)"),
        "icms": t("ICMS (vICMS)"),
        "icms_single_phase": t("Single-phase ICMS (vICMSMono)"),
        "icms_relieved": t("ICMS relieved (vICMSDeson)"),
        "fcp": t("FCP (vFCP)"),
        "st_base": t("Base of ICMS-ST (vBCST)"),
        "st": t("ICMS-ST (vICMSST)"),
        "fcp_st": t("FCP-ST (vFCPST)"),
        "difal_base": t("Base of DIFAL (vBCUFDest)"),
        "difal_destination": t("DIFAL, state of destination (vICMSUFDest)"),
        "difal_origin": t("DIFAL, state of origin (vICMSUFRemet)"),
        "fcp_destination": t("FCP, state of destination (vFCPUFDest)"),
        "ipi_base": t("Base of IPI (vBC)"),
        "ipi": t("IPI (vIPI)"),
        "import_tax": t("Import tax (vII)"),
        "iss": t("ISS (vISSQN)"),
        "pis_base": t("Base of PIS (vBC)"),
        "pis": t("PIS (vPIS)"),
        "cofins_base": t("Base of COFINS (vBC)"),
        "cofins": t("COFINS (vCOFINS)"),
        "selective_tax": t("Selective tax (vIS)"),
        "reform_base": t("Base of IBS and CBS (vBC)"),
        "ibs_state": t("IBS of the state (vIBSUF)"),
        "ibs_city": t("IBS of the city (vIBSMun)"),
        "ibs": t("IBS (vIBS)"),
        "cbs": t("CBS (vCBS)"),
    }[name]
