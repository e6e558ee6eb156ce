"""How much there is: modules, lines, lines of code, folders and how full they are."""

from __future__ import annotations

from collections import Counter

from tests.house.measures.source import Module, Tree, bare_strings


def lines(module: Module) -> int:
    return len(module.text.splitlines())


def lines_of_code(module: Module) -> int:
    """Lines that are not blank, not all comment and no part of a docstring."""
    told = {
        number for string in bare_strings(module.syntax) for number in range(string.lineno, _end(string.end_lineno) + 1)
    }
    return sum(
        1
        for number, line in enumerate(module.text.splitlines(), 1)
        if number not in told and line.strip() and not line.lstrip().startswith("#")
    )


def folder_widths(tree: Tree) -> list[tuple[str, int]]:
    """Folders with the number of modules right in them (`__init__` not counted), the fullest first."""
    counts = Counter(module.folder for module in tree if not module.is_package)
    return sorted(counts.items(), key=lambda folder: (-folder[1], folder[0]))


def largest(tree: Tree) -> list[tuple[str, int]]:
    """Modules with their lines, the longest first."""
    return sorted(((module.name, lines(module)) for module in tree), key=lambda module: (-module[1], module[0]))


def _end(line: int | None) -> int:
    assert line is not None
    return line
