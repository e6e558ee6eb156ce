"""The tests nearest to a module: those named after it, then those that reach it by the fewest imports and folders."""

from __future__ import annotations

from collections import defaultdict, deque
from pathlib import Path
from typing import Final

from tests.house.measures.circles import imports
from tests.house.measures.source import Tree, load, module_of

_FAR: Final = frozenset({"bench", "pictures", "house"})  # folders of tests that are no tests of modules
_FARTHEST: Final = 6  # imports


class NearestTests:
    """Which test files stand near which module, by the imports of a whole project."""

    def __init__(self, source: Tree, tests: Tree) -> None:
        self._importers: dict[str, set[str]] = defaultdict(set)
        for one in imports((*source, *tests)):
            self._importers[one.target].add(one.source)
        self._files = {module.name: module.path.as_posix() for module in tests}
        for name in self._files:  # a conftest is needed by what lies beside and below it, unasked
            folder, _, last = name.rpartition(".")
            if last == "conftest" and "." in folder:
                self._importers[name] |= {other for other in self._files if other.startswith(f"{folder}.")} - {name}

    def of(self, module: str) -> list[str]:
        """Paths of test files from the root of the project, nearest first."""
        distances = {module: 0}
        waiting = deque([module])
        while waiting:
            name = waiting.popleft()
            if distances[name] == _FARTHEST:
                continue
            for importer in self._importers[name]:
                if importer not in distances:
                    distances[importer] = distances[name] + 1
                    waiting.append(importer)
        ranked = sorted(
            (*_rank(module, name, hops), self._files[name])
            for name, hops in distances.items()
            if name in self._files and _is_test(name)
        )
        return [path for *_, path in ranked]


def nearest_tests(root: Path) -> NearestTests:
    """Of the project whose `src` and `tests` lie at this root."""
    paths = sorted((root / "tests").rglob("*.py"))
    tests = tuple(module_of(path.relative_to(root), path.read_text(encoding="utf-8")) for path in paths)
    return NearestTests(load(root / "src"), tests)


def _rank(module: str, test: str, hops: int) -> tuple[bool, int, str]:
    room, last = module.split(".")[1:-1], module.rpartition(".")[2]
    folder, name = test.split(".")[1:-1], test.rpartition(".")[2]
    shared = 0
    while shared < min(len(room), len(folder)) and room[shared] == folder[shared]:
        shared += 1
    return name != f"test_{last}", hops + len(room) + len(folder) - 2 * shared, test


def _is_test(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test_") and name.split(".")[1] not in _FAR
