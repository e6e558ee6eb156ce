"""What a process remembers is listed in one place, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.system.hidden_state import HIDDEN_STATE
from tests.house.measures.hidden_state import hidden_state
from tests.house.measures.source import Tree, module_of


def test_everything_that_is_remembered_is_listed(house: Tree) -> None:
    assert hidden_state(house) == sorted(HIDDEN_STATE)
    assert all(reason.endswith(".") for reason in HIDDEN_STATE.values())


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("_seen: set[str] = set()", ["_seen"]),
        ("_seen = {}", ["_seen"]),
        ("def f():\n    global _last\n    _last = 1", ["_last"]),
        ("class Choice:\n    code = None\ndef f():\n    Choice.code = 1", ["Choice.code"]),
        ("class _Kept:\n    def add(self):\n        self.more = 1\n_kept = _Kept()", ["_kept"]),
        ("NAMES = {'a': 1}\nclass Value:\n    def __init__(self):\n        self.x = 1\nONE = Value()", []),
    ],
)
def test_what_is_remembered_is_seen(code: str, names: list[str]) -> None:
    module = module_of(Path("confere/system/invented.py"), code)
    assert hidden_state((module,)) == [f"confere.system.invented.{name}" for name in names]
