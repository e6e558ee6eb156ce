"""Who imports whom, and the circles in it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from tests.house.measures.source import Module, Tree


class When(StrEnum):
    """When an import happens: as the module is loaded, as a function runs, or for the type checker alone."""

    LOADING = "loading"
    RUNNING = "running"
    TYPING = "typing"


EVER: Final = frozenset(When)
LOADING: Final = frozenset({When.LOADING})


class Import(NamedTuple):
    """One module needs another one of the same tree."""

    source: str
    target: str
    when: When


def imports(tree: Tree) -> list[Import]:
    """The imports between modules of the tree.

    `from a.b import c` is of the module `a.b.c` where there is one, else of `a.b`. That Python also runs `a` and `a.b`
    on the way is not counted.
    """
    names = {module.name for module in tree}
    found = {
        Import(module.name, target, when)
        for module in tree
        for node, when in _statements(module.syntax.body, When.LOADING)
        for target in _targets(node, module, names)
        if target != module.name
    }
    return sorted(found)


def circles(tree: Tree, when: Collection[When] = LOADING) -> list[tuple[str, ...]]:
    """Sets of modules each of which needs every other one, sorted; by default those needed while loading."""
    graph: dict[str, set[str]] = defaultdict(set)
    for one in imports(tree):
        if one.when in when:
            graph[one.source].add(one.target)
    return strong_components(graph)


def hidden_circles(tree: Tree) -> list[tuple[str, ...]]:
    """Circles that only imports within functions or for the type checker close; one that loading closes may be part."""
    return [circle for circle in circles(tree, EVER) if circle not in circles(tree)]


def folder_circles(tree: Tree) -> list[tuple[str, ...]]:
    """Sets of folders whose modules need each other while loading; a folder and one within it are no circle."""
    folders = {module.name: module.folder for module in tree}
    graph: dict[str, set[str]] = defaultdict(set)
    for one in imports(tree):
        source, target = folders[one.source], folders[one.target]
        if one.when is When.LOADING and not f"{source}.".startswith(f"{target}.") and not _within(target, source):
            graph[source].add(target)
    return strong_components(graph)


def strong_components(graph: Mapping[str, Collection[str]]) -> list[tuple[str, ...]]:
    """The sets of more than one node that all reach each other (Tarjan), each sorted, in order."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    components: list[tuple[str, ...]] = []

    def visit(node: str) -> None:
        numbers[node] = lowest[node] = len(numbers)
        open_nodes.append(node)
        for following in sorted(graph.get(node, ())):
            if following not in numbers:
                visit(following)
                lowest[node] = min(lowest[node], lowest[following])
            elif following in open_nodes:
                lowest[node] = min(lowest[node], numbers[following])
        if lowest[node] == numbers[node]:
            start = open_nodes.index(node)
            component = tuple(sorted(open_nodes[start:]))
            del open_nodes[start:]
            if len(component) > 1:
                components.append(component)

    for node in sorted(graph):
        if node not in numbers:
            visit(node)
    return sorted(components)


def _within(folder: str, other: str) -> bool:
    return folder.startswith(f"{other}.")


def _statements(body: Collection[ast.stmt], when: When) -> Iterator[tuple[ast.Import | ast.ImportFrom, When]]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, when
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _statements(node.body, When.RUNNING if when is When.LOADING else when)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _statements(node.body, When.TYPING)
            yield from _statements(node.orelse, when)
        else:
            for name in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, name, ()), when)
            for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from _statements(handler.body, when)


def _targets(node: ast.Import | ast.ImportFrom, module: Module, names: Collection[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in names)
        return
    base = node.module or ""
    if node.level:
        parts = module.folder.split(".")
        base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
    for alias in node.names:
        whole = f"{base}.{alias.name}"
        if whole in names:
            yield whole
        elif base in names:
            yield base
