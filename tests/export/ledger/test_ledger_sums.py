"""The sums of a month's ledger by value: of notes added up by hand, and of three worlds from their packages."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from confere.archive.store import Archive
from confere.export.ledger.ledger_reader import read_month
from confere.export.ledger.ledger_sums import LedgerSums
from confere.export.months import month_of
from confere.fiscal.ledger.item_taxes import AMOUNTS
from tests.app import filed_worlds
from tests.app.filed_worlds import COMPANY, MONTH, SIMPLES
from tests.archive.papers import store
from tests.oracle import items, ledger

TABLES = ("cfops", "difal", "contributions", "simples", "reform")
SMALL, LARGE = Decimal("1.65"), Decimal("7.60")
# Cell -> documents, items, amounts in centavos. Of PIS and COFINS: vProd, base, amount.
CONTRIBUTIONS = {
    # 199.90 + 200.00 + 100.00 + 1000.00 + 100.00; 98.40 + 65.52 + 184.80 + 88.00 + 880.00 + 82.00
    ("out", True, "pis", "01", SMALL): (5, 6, (159_990, 139_872, 2_307)),
    ("out", True, "cofins", "01", LARGE): (5, 6, (159_990, 139_872, 10_630)),
    ("out", True, "pis", "04", None): (1, 1, (3_000, 0, 0)),  # the item that its producer paid for
    ("out", True, "cofins", "04", None): (1, 1, (3_000, 0, 0)),
    ("out", True, "pis", "49", Decimal("0.00")): (1, 1, (2_000, 0, 0)),  # the credit note
    ("out", True, "cofins", "49", Decimal("0.00")): (1, 1, (2_000, 0, 0)),
    ("in", True, "pis", "50", SMALL): (1, 1, (5_000, 4_400, 73)),  # the return
    ("in", True, "cofins", "50", LARGE): (1, 1, (5_000, 4_400, 334)),
}
# Base, state of destination, state of origin, FCP: 210.00 x (20 % - 12 %), 210.00 x 2 %; 50.00 likewise.
DIFAL = {
    ("out", True, "RJ", "3"): (1, 1, (21_000, 1_680, 0, 420)),
    ("in", True, "RJ", "3"): (1, 1, (5_000, 400, 0, 100)),
}
# vProd, base, IBS of the state, of the city, IBS, CBS: 74.42 + 20.00; and of the freight 45.00 - 5.40 = 39.60.
REFORM = {
    ("out", True, "000", "000001"): (2, 2, (12_000, 9_442, 9, 0, 9, 85)),
    ("in", False, "000", "000001"): (1, 1, (4_500, 3_960, 4, 0, 4, 36)),
}
# Only what is not zero, by CFOP and CST.
CFOPS = {
    ("out", True, "5102", "00", "SP"): (
        2, 3, {"products": 29_990, "icms_base": 29_990, "icms": 5_398, "pis_base": 24_592, "pis": 405,
               "cofins_base": 24_592, "cofins": 1_869, "reform_base": 7_442, "ibs_state": 7, "ibs": 7, "cbs": 67},
    ),
    ("out", True, "6108", "00", "RJ"): (
        1, 1, {"products": 20_000, "discount": 1_000, "freight": 2_000, "icms_base": 21_000, "icms": 2_520,
               "difal_base": 21_000, "difal_destination": 1_680, "fcp_destination": 420, "pis_base": 18_480,
               "pis": 305, "cofins_base": 18_480, "cofins": 1_404},
    ),
    ("out", True, "6403", "10", "MG"): (
        1, 1, {"products": 10_000, "icms_base": 10_000, "icms": 1_200, "st_base": 14_000, "st": 1_320, "fcp_st": 280,
               "pis_base": 8_800, "pis": 145, "cofins_base": 8_800, "cofins": 669},
    ),
    ("out", True, "6404", "60", "MG"): (1, 1, {"products": 3_000}),
    ("out", True, "6101", "00", "MG"): (
        1, 1, {"products": 100_000, "discount": 5_000, "freight": 3_000, "insurance": 500, "other": 1_500,
               "icms_base": 100_000, "icms": 12_000, "ipi_base": 100_000, "ipi": 5_000, "pis_base": 88_000,
               "pis": 1_452, "cofins_base": 88_000, "cofins": 6_688},
    ),
    ("out", True, "5949", "90", "SP"): (
        1, 1, {"products": 2_000, "reform_base": 2_000, "ibs_state": 2, "ibs": 2, "cbs": 18},
    ),
    ("in", True, "2202", "00", "RJ"): (
        1, 1, {"products": 5_000, "icms_base": 5_000, "icms": 600, "difal_base": 5_000, "difal_destination": 400,
               "fcp_destination": 100, "pis_base": 4_400, "pis": 73, "cofins_base": 4_400, "cofins": 334},
    ),
    ("in", False, "6353", "00", "RJ"): (
        1, 1, {"products": 4_500, "icms_base": 4_500, "icms": 540, "reform_base": 3_960, "ibs_state": 4, "ibs": 4,
               "cbs": 36},
    ),
}  # fmt: skip
# CRT, what, abroad, ICMS, PIS and COFINS. The debit note (finNFe 6) is no revenue, whatever its CFOP says.
SIMPLES_REVENUE = {
    ("1", "revenue", False, "ordinary", "ordinary"): (1, 2, (15_000,)),  # CSOSN 101 and 102: 100.00 + 50.00
    ("1", "revenue", False, "substitution", "ordinary"): (1, 1, (8_000,)),  # CSOSN 202, without its ST
    ("1", "revenue", False, "substitution", "single_phase"): (1, 1, (3_500,)),  # CSOSN 500: 40.00 - 5.00
    ("1", "return", False, "ordinary", "ordinary"): (1, 1, (-2_500,)),
}


def cells(sums: LedgerSums, name: str) -> dict[Any, tuple[int, int, tuple[int, ...]]]:
    """A table by plain cells."""
    rows = getattr(sums, name).rows()
    if name == "simples":
        plain = [
            ((cell.regime, *(getattr(part, "value", part) for part in cell.segregation)), summed)
            for cell, summed in rows
        ]
        return {cell: tuple(summed) for cell, summed in plain}
    return {tuple(cell): tuple(summed) for cell, summed in rows}


def sums_of(archive: Archive, company: str, month: str = MONTH) -> LedgerSums:
    with read_month(archive, company, month_of(month), workers=0) as read:
        return read.sums


@pytest.fixture
def by_hand(archive: Archive) -> Archive:
    store(archive, *filed_worlds.notes_by_hand())
    return archive


def test_sums_of_notes_added_up_by_hand(by_hand: Archive) -> None:
    sums = sums_of(by_hand, COMPANY)
    assert cells(sums, "difal") == DIFAL
    assert cells(sums, "contributions") == CONTRIBUTIONS
    assert cells(sums, "reform") == REFORM
    assert cells(sums, "simples") == {}
    assert (sums.documents, sums.in_effect, sums.unreadable, dict(sums.regimes)) == (10, 9, 0, {"3": 8})
    found = {
        cell: (documents, lines, {name: amount for name, amount in zip(AMOUNTS, amounts, strict=True) if amount})
        for cell, (documents, lines, amounts) in cells(sums, "cfops").items()
    }
    assert found == CFOPS
    states = {tuple(cell): (summed.documents, summed.amounts) for cell, summed in sums.states.rows()}
    assert states == {
        ("out", "nfe", "authorized"): (6, (172_590,)),
        ("out", "nfe", "cancelled"): (1, (50_000,)),
        ("in", "nfe", "authorized"): (1, (5_000,)),
        ("in", "cte", "authorized"): (1, (4_500,)),
        ("in", "nfse", "authorized"): (1, (30_000,)),  # issued in October for September
    }


def test_revenue_of_the_simples_added_up_by_hand(by_hand: Archive) -> None:
    sums = sums_of(by_hand, SIMPLES)
    assert cells(sums, "simples") == SIMPLES_REVENUE
    assert (sums.documents, sums.in_effect, dict(sums.regimes)) == (3, 3, {"1": 3})
    assert cells(sums, "difal") == {}


@pytest.mark.parametrize("company", [COMPANY, SIMPLES])
def test_the_independent_program_says_what_was_added_up_by_hand(by_hand: Archive, company: str) -> None:
    assert items.AMOUNTS == AMOUNTS
    expected = ledger.tables(filed_worlds.papers_by_hand(), company, MONTH)
    assert [cells(sums_of(by_hand, company), name) for name in TABLES] == [expected.of(name) for name in TABLES]


@pytest.mark.parametrize("name", filed_worlds.WORLDS)
def test_sums_of_a_world_are_what_its_xml_comes_to(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    world = filed_worlds.made(tmp_path_factory, name)
    seen = set()
    with world.workspace.reading() as archive:
        for company, month in world.months():
            sums, expected = sums_of(archive, company, month), ledger.tables(world.papers, company, month)
            for table in TABLES:
                assert cells(sums, table) == expected.of(table), (company, month, table)
                seen |= {table} if expected.of(table) else set()
            assert (sums.documents, sums.in_effect, sums.regimes) == (
                expected.documents,
                expected.in_effect,
                expected.regimes,
            )
            assert sums.unreadable == 0
    assert seen >= set(TABLES) - {"simples"}
