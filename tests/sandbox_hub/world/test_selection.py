"""Selections against plain sets: counting, entering anywhere, amending, turning round."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox_hub.world.selection import Amended, Backwards, Handful, Run, Selection, cycles_between, members

WIDTH = 7


@st.composite
def runs(draw: st.DrawFn) -> list[Run]:
    """Up to two runs a place that do not overlap."""
    found = []
    for place in draw(st.sets(st.integers(0, WIDTH - 1))):
        cuts = sorted(draw(st.lists(st.integers(-6, 12), min_size=4, max_size=4)))
        found += [Run(place, cuts[0], cuts[1]), Run(place, cuts[2], cuts[3])]
    return found


def spelled_out(chosen: list[Run]) -> list[int]:
    return sorted({cycle * WIDTH + run.place for run in chosen for cycle in range(run.first, run.end)})


@settings(deadline=None)
@given(runs(), st.integers(0, 60), st.integers(0, 30))
def test_selection_is_the_union_of_its_runs(chosen: list[Run], offset: int, size: int) -> None:
    selection, expected = Selection(WIDTH, chosen), spelled_out(chosen)
    assert len(selection) == len(expected)
    assert selection.page(offset, size) == expected[offset : offset + size]
    assert list(members(selection, step=5)) == expected
    for index in range(-60, 100):
        assert selection.rank(index) == sum(member < index for member in expected)


@settings(deadline=None)
@given(
    runs(), st.lists(st.integers(-45, 90), max_size=6), st.lists(st.integers(-45, 90), max_size=6), st.integers(0, 60)
)
def test_amended_takes_out_and_puts_in(chosen: list[Run], out: list[int], put: list[int], offset: int) -> None:
    expected = sorted((set(spelled_out(chosen)) - set(out)) | set(put))
    amended = Amended(Selection(WIDTH, chosen), out, put)
    assert len(amended) == len(expected)
    assert amended.page(offset, 9) == expected[offset : offset + 9]
    assert list(members(amended, step=4)) == expected
    for index in (-50, 0, 17, 95):
        assert amended.rank(index) == sum(member < index for member in expected)


@settings(deadline=None)
@given(st.sets(st.integers(-20, 20)), st.integers(0, 25), st.integers(0, 9))
def test_backwards_is_the_reverse(chosen: set[int], offset: int, size: int) -> None:
    turned = Backwards(Handful(tuple(chosen)))
    expected = sorted(chosen, reverse=True)
    assert len(turned) == len(expected)
    assert turned.page(offset, size) == expected[offset : offset + size]
    for index in chosen:
        assert turned.rank(index) == expected.index(index)


@settings(deadline=None)
@given(st.integers(0, WIDTH - 1), st.integers(-50, 50), st.integers(-50, 50))
def test_cycles_between(place: int, first: int, end: int) -> None:
    low, high = cycles_between(WIDTH, place, first, end)
    expected = [cycle for cycle in range(-20, 20) if first <= cycle * WIDTH + place < end]
    assert list(range(low, high)) == expected
