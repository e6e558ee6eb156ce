"""Every table of the ledger's workbook by value: of notes added up by hand, each cell and each row of totals."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.ledger import ledger
from confere.app.ledger.ledger import LedgerChoice
from confere.app.ledger.tax_sheets import owed_by
from tests.app import filed_worlds
from tests.app.filed_worlds import COMPANY, MONTH, SIMPLES
from tests.app.ledger.sheet_cells import SHEETS, Workbook
from tests.archive.papers import store
from tests.oracle import ledger as oracle


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both companies' workbooks of the month."""
    folder = tmp_path_factory.mktemp("by-hand")
    workspace = Workspace.at(folder / "home")
    with workspace.writing("test") as archive:
        store(archive, *filed_worlds.notes_by_hand())
    for company in (COMPANY, SIMPLES):
        ledger.write(workspace, LedgerChoice(MONTH, company, folder / f"{company}.xlsx"))
    return folder


def book(folder: Path, company: str) -> Workbook:
    return Workbook(folder / f"{company}.xlsx")


@pytest.mark.parametrize("company", [COMPANY, SIMPLES])
def test_every_cell_is_the_independent_programs(by_hand: Path, company: str) -> None:
    expected = oracle.tables(filed_worlds.papers_by_hand(), company, MONTH)
    written = book(by_hand, company)
    for table in SHEETS:
        assert written.cells(table) == expected.of(table), table


def test_the_totals_of_cfop_cst_and_state(by_hand: Path) -> None:
    assert book(by_hand, COMPANY).total("CFOP, CST and state") == {
        # out 299.90 + 200.00 + 130.00 + 1000.00 + 20.00; in 50.00 + 45.00: what is issued and received together
        "Goods (vProd)": 174_490,
        "Discount (vDesc)": 6_000,  # 10.00 + 50.00
        "Freight (vFrete)": 5_000,  # 20.00 + 30.00
        "Insurance (vSeg)": 500,
        "Other costs (vOutro)": 1_500,
        # 299.90 + 210.00 + 100.00 + 1000.00 + 50.00 + 45.00
        "Base of ICMS (vBC)": 170_490,
        "ICMS (vICMS)": 22_258,  # 211.18 + 6.00 + 5.40
        "Base of ICMS-ST (vBCST)": 14_000,
        "ICMS-ST (vICMSST)": 1_320,
        "FCP-ST (vFCPST)": 280,
        "Base of DIFAL (vBCUFDest)": 26_000,
        "DIFAL, state of destination (vICMSUFDest)": 2_080,
        "FCP, state of destination (vFCPUFDest)": 520,
        "Base of IPI (vBC)": 100_000,
        "IPI (vIPI)": 5_000,
        "Base of PIS (vBC)": 144_272,  # 1398.72 + 44.00
        "PIS (vPIS)": 2_380,  # 23.07 + 0.73
        "Base of COFINS (vBC)": 144_272,
        "COFINS (vCOFINS)": 10_964,  # 106.30 + 3.34
        "Base of IBS and CBS (vBC)": 13_402,  # 94.42 + 39.60
        "IBS of the state (vIBSUF)": 13,
        "IBS (vIBS)": 13,
        "CBS (vCBS)": 121,
    }


def test_the_totals_of_the_other_tables(by_hand: Path) -> None:
    written = book(by_hand, COMPANY)
    assert written.total("IBS and CBS") == {
        "Goods (vProd)": 16_500,  # 120.00 + 45.00
        "Base of IBS and CBS (vBC)": 13_402,
        "IBS of the state (vIBSUF)": 13,
        "IBS (vIBS)": 13,
        "CBS (vCBS)": 121,
    }
    # Returns stand below zero: 150.00 + 80.00 + 35.00 - 25.00.
    assert book(by_hand, SIMPLES).total("Simples Nacional") == {"Revenue": 24_000}
    for sheet in ("DIFAL and FCP", "PIS and COFINS"):
        assert not [row for row in written._below(sheet) if row[0] == "Total"], sheet


def test_the_totals_of_documents_and_items_are_of_those_in_effect(by_hand: Path) -> None:
    written = book(by_hand, COMPANY)
    assert written.total("Documents") == {
        "Total": 212_090,  # 1725.90 + 395.00; the 500.00 that were cancelled are not in it
        "ICMS": 22_258,
        "ICMS-ST": 1_320,
        "IPI": 5_000,
        "PIS": 2_380,
        "COFINS": 10_964,
        "Goods": 169_990,  # vProd of the notes: 199.90 + 200 + 50 + 130 + 1000 + 100 + 20
        "Discount": 6_000,
        "Freight": 5_000,
        "Other costs": 1_500,
    }
    items = written.total("Items")
    cfops = written.total("CFOP, CST and state")
    assert {title: items[title] for title in cfops} == cfops


def test_who_owes_the_difference_of_rates(by_hand: Path) -> None:
    rows = book(by_hand, COMPANY).rows("DIFAL and FCP")
    assert [row[-1] for row in rows] == [owed_by("3")] * 2
    assert "owes it to the state of destination" in owed_by("3")
    assert owed_by("1") == owed_by("4")
    assert "ADI 5464" in owed_by("1")
    assert "sublimit" in owed_by("2")
    assert owed_by("") == "The document does not write the emitter's regime."
