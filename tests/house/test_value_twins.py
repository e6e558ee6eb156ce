"""A value that crosses rooms is defined once: what has five equal fields is one class, or stays for a reason."""

from __future__ import annotations

import pytest

from tests.house.measures.likenesses import REASONS, names_of
from tests.house.measures.source import Tree
from tests.house.measures.values import Twins, twins


@pytest.fixture(scope="module")
def pairs(house: Tree) -> list[Twins]:
    return list(twins(house))


def test_no_value_is_defined_twice(pairs: list[Twins]) -> None:
    alike = {names_of(pair): f"{pair.one} = {pair.other}: {', '.join(pair.fields)}" for pair in pairs}
    assert [text for names, text in alike.items() if names not in REASONS] == []


def test_every_reason_is_of_a_pair_that_there_is(pairs: list[Twins]) -> None:
    alike = {names_of(pair) for pair in pairs}
    assert sorted(set(REASONS) - alike) == []
