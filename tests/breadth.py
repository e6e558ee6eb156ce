"""Long tables of cases: the first few in every run, the rest with `-m exhaustive`."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def some_of(values: Iterable[object], kept: int) -> list[object]:
    """The values for `parametrize`, of which only the first `kept` are tried in a usual run.

    A value that is a tuple stands for several arguments, as `parametrize` takes it.
    """
    cases: list[object] = []
    for number, value in enumerate(values):
        if number < kept:
            cases.append(value)
        else:
            parts = value if isinstance(value, tuple) else (value,)
            cases.append(pytest.param(*parts, marks=pytest.mark.exhaustive))
    return cases
