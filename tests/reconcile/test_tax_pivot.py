"""R20: taxes by CFOP, CST and state."""

from __future__ import annotations

from dataclasses import replace

from confere.reconcile.tax_pivot import AMOUNTS, pivot
from confere.sales.tax_groups import TaxGroup

GROUP = TaxGroup(
    "k1", "2026-03", "authorized", "out", "5102", "000", "SP", products=10_000, icms_base=10_000, icms=1_800
)


def test_what_shares_cfop_cst_and_state_is_one_line() -> None:
    (line,) = pivot([GROUP, replace(GROUP, key="k2"), replace(GROUP, products=None, icms=200)])
    assert (line.cfop, line.cst, line.uf, line.documents, line.in_effect) == ("5102", "000", "SP", 2, True)
    assert (line.amount("products"), line.amount("icms")) == (20_000, 3_800)


def test_a_field_that_nobody_names_is_not_zero() -> None:
    (line,) = pivot([GROUP, replace(GROUP, key="k2", ipi=0)])
    assert line.amount("ipi") == 0
    assert line.amount("fcp") is None
    assert len(line.amounts) == len(AMOUNTS)


def test_lines_stand_apart_and_in_order_what_has_no_effect_last() -> None:
    others = [
        replace(GROUP, state="cancelled"),
        replace(GROUP, uf="MG", cfop="6108"),
        replace(GROUP, cst="060"),
        replace(GROUP, period="2026-02"),
        replace(GROUP, direction="in", cfop=None, cst=None, uf=None),
    ]
    told = [(line.period, line.direction, line.cfop, line.cst, line.in_effect) for line in pivot([GROUP, *others])]
    assert told == [
        ("2026-02", "out", "5102", "000", True),
        ("2026-03", "in", None, None, True),
        ("2026-03", "out", "5102", "000", True),
        ("2026-03", "out", "5102", "060", True),
        ("2026-03", "out", "6108", "000", True),
        ("2026-03", "out", "5102", "000", False),
    ]


def test_nothing_comes_to_nothing() -> None:
    assert pivot([]) == ()
