"""Forced pairs against every pairing, enumerated."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from confere.reconcile.linking.complete_pairings import Pair, forced_pairs

_MOST = 5
_graphs = st.sets(
    st.tuples(st.integers(0, _MOST - 1).map("o{}".format), st.integers(0, _MOST - 1).map("n{}".format)), max_size=18
).map(sorted)


def _every_pairing(pairs: list[Pair]) -> list[set[Pair]]:
    orders, notes = sorted({order for order, _ in pairs}), sorted({note for _, note in pairs})
    if len(orders) != len(notes):
        return []
    known = set(pairs)
    tried = (set(zip(orders, chosen, strict=True)) for chosen in permutations(notes))
    return [pairing for pairing in tried if pairing <= known]


@given(_graphs)
def test_forced_pairs_are_those_of_every_complete_pairing(pairs: list[Pair]) -> None:
    pairings = _every_pairing(pairs)
    expected = set.intersection(*pairings) if pairings else set()
    assert forced_pairs(pairs) == expected


def test_a_long_chain_needs_no_recursion() -> None:
    length = 3_000
    chain = [(f"o{k}", f"n{k}") for k in range(length)] + [(f"o{k}", f"n{k + 1}") for k in range(length - 1)]
    assert forced_pairs(chain) == {(f"o{k}", f"n{k}") for k in range(length)}


def test_one_order_with_two_equal_notes_forces_nothing() -> None:
    assert forced_pairs([("o1", "n1"), ("o1", "n2")]) == set()


def test_what_is_forced_stays_so_beside_an_open_rest() -> None:
    twins = [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")]
    assert forced_pairs([*twins, ("c", "3"), ("a", "3")]) == {("c", "3")}
