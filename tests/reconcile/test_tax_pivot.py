"""R20: taxes by CFOP, CST and state."""

from __future__ import annotations

from confere.fiscal.document_parts import TaxSums
from confere.fiscal.tax_groups import TaxGroup
from confere.reconcile.tax_pivot import AMOUNTS, pivot

SUMS = TaxSums("5102", "000", products=10_000, icms_base=10_000, icms=1_800)
GROUP = TaxGroup("k1", "2026-03", "authorized", "out", "SP", SUMS)


def test_what_shares_cfop_cst_and_state_is_one_line() -> None:
    (line,) = pivot([GROUP, GROUP._replace(key="k2"), GROUP._replace(sums=SUMS._replace(products=None, icms=200))])
    assert (line.cfop, line.cst, line.uf, line.documents, line.in_effect) == ("5102", "000", "SP", 2, True)
    assert (line.amount("products"), line.amount("icms")) == (20_000, 3_800)


def test_a_field_that_nobody_names_is_not_zero() -> None:
    (line,) = pivot([GROUP, GROUP._replace(key="k2", sums=SUMS._replace(ipi=0))])
    assert line.amount("ipi") == 0
    assert line.amount("fcp") is None
    assert len(line.amounts) == len(AMOUNTS)


def test_lines_stand_apart_and_in_order_what_has_no_effect_last() -> None:
    others = [
        GROUP._replace(state="cancelled"),
        GROUP._replace(uf="MG", sums=SUMS._replace(cfop="6108")),
        GROUP._replace(sums=SUMS._replace(cst="060")),
        GROUP._replace(period="2026-02"),
        GROUP._replace(direction="in", uf=None, sums=SUMS._replace(cfop=None, cst=None)),
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
