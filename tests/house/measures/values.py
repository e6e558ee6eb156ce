"""Classes that are values: how many, with how many fields, which are twins, and names with two meanings."""

from __future__ import annotations

import ast
from collections import defaultdict
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from tests.house.measures.source import Tree, is_public

TWINS = 5  # equal fields


class ValueKind(StrEnum):
    DATACLASS = "dataclass"
    NAMED_TUPLE = "named tuple"


class ValueClass(NamedTuple):
    """A class of values; `fields` are its own, not those that it inherits."""

    name: str
    module: str
    kind: ValueKind
    fields: tuple[str, ...]

    @property
    def whole_name(self) -> str:
        return f"{self.module}.{self.name}"


class Twins(NamedTuple):
    """Two value classes and their fields of equal name."""

    one: str
    other: str
    fields: tuple[str, ...]


def value_classes(tree: Tree) -> list[ValueClass]:
    """Every dataclass and every `NamedTuple`."""
    return [
        ValueClass(node.name, module.name, kind, _fields(node))
        for module in tree
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.ClassDef)
        for kind in _kinds(node)
    ]


def twins(tree: Tree, fields: int = TWINS) -> list[Twins]:
    """Pairs of value classes of one program with that many fields of equal name, the most alike first."""
    classes = value_classes(tree)
    found = [
        Twins(one.whole_name, other.whole_name, tuple(name for name in one.fields if name in other.fields))
        for one, other in combinations(classes, 2)
        if one.module.partition(".")[0] == other.module.partition(".")[0]
        and len(set(one.fields) & set(other.fields)) >= fields
    ]
    return sorted(found, key=lambda pair: (-len(pair.fields), pair.one, pair.other))


def shared_class_names(tree: Tree) -> dict[str, list[str]]:
    """Names of public classes that more than one module of a program defines, with these modules."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in tree:
        for node in module.syntax.body:
            if isinstance(node, ast.ClassDef) and is_public(node.name):
                places[module.root, node.name].append(module.name)
    return {name: modules for (_, name), modules in sorted(places.items()) if len(modules) > 1}


def _kinds(node: ast.ClassDef) -> list[ValueKind]:
    if any(_last_name(base) == "NamedTuple" for base in node.bases):
        return [ValueKind.NAMED_TUPLE]
    return [ValueKind.DATACLASS] if any(_last_name(one) == "dataclass" for one in node.decorator_list) else []


def _fields(node: ast.ClassDef) -> tuple[str, ...]:
    return tuple(
        statement.target.id
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and _last_name(statement.annotation) not in ("ClassVar", "KW_ONLY")
    )


def _last_name(node: ast.expr) -> str:
    """`b` of `b`, `a.b`, `a.b(…)` and `a.b[…]`."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
