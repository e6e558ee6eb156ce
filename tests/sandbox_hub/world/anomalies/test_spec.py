"""What can be asked of the anomalies, and what is refused."""

from __future__ import annotations

import pytest

from sandbox_hub.errors import SandboxError
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.anomalies.variants import RULES, VARIANTS
from sandbox_hub.world.timeline import DAY, first_second


def test_none_all_and_a_list() -> None:
    assert read_spec("none").rates == read_spec("").rates == ()
    assert dict(read_spec("all").rates) == {variant.name: None for variant in VARIANTS}
    assert dict(read_spec("R1=0.02, R11.open=1,R12").rates) == {
        "R1.denied": 20_000,
        "R1.forgotten": 20_000,
        "R1.prepaid": 20_000,
        "R11.open": 1_000_000,
        "R12": None,
    }


def test_every_rule_can_be_planted() -> None:
    expected = {*(f"R{n}" for n in (*range(1, 20), 24, 25, 26) if n != 7), "R7a", "R7b", "R7c"}
    assert set(RULES) == expected


@pytest.mark.parametrize("text", ["R99", "R1=0", "R1=1.5", "R1=x", "R1=nan", "R1=inf", "R1=-0.1", ",", "R11.nothing"])
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(SandboxError):
        read_spec(text)


def test_clean_months_reach_over_their_edges() -> None:
    ((start, end),) = read_spec("all", ("2025-12",)).clean
    assert start == first_second("2025-11-29T00:00:00-03:00")
    assert end == first_second("2026-01-01T00:00:00-03:00") + 2 * DAY
    assert read_spec("all", ()).clean == ()
    for month in ("2026-13", "2026-2", "june", ""):
        with pytest.raises(SandboxError):
            read_spec("all", (month,))
