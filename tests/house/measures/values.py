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
    """A class of values; `fields` are its own, `bases` names the classes that it may inherit others from."""

    name: str
    module: str
    kind: ValueKind
    fields: tuple[str, ...]
    bases: tuple[str, ...] = ()

    @property
    def whole_name(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def root(self) -> str:
        """The program that it belongs to."""
        return self.module.partition(".")[0]


class Twins(NamedTuple):
    """Two value classes and their fields of equal name."""

    one: str
    other: str
    fields: tuple[str, ...]


def value_classes(tree: Tree) -> list[ValueClass]:
    """Every dataclass and every `NamedTuple`."""
    return [
        ValueClass(node.name, module.name, kind, _fields(node), tuple(map(_last_name, node.bases)))
        for module in tree
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.ClassDef)
        for kind in _kinds(node)
    ]


def twins(tree: Tree, fields: int = TWINS) -> list[Twins]:
    """Pairs of value classes of one program with that many fields of equal name, the most alike first.

    Inherited fields count too; a field that both have of one class is defined once and does not. What a class is alike
    in by what it inherits alone is told of its base.
    """
    classes = value_classes(tree)
    named = {(value.root, value.name): value for value in classes}
    places = {value.whole_name: _places_of_fields(value, named) for value in classes}
    pairs = {
        (one.whole_name, other.whole_name): equal
        for one, other in combinations(classes, 2)
        if one.root == other.root
        for equal in [_equal_fields(places[one.whole_name], places[other.whole_name])]
        if len(equal) >= fields
    }
    sets = {frozenset(pair): frozenset(equal) for pair, equal in pairs.items()}
    bases = {value.whole_name: _bases_of(value, named) for value in classes}
    told_of_bases = {
        (one, other)
        for (one, other), equal in pairs.items()
        for two in [*({base, other} for base in bases[one]), *({one, base} for base in bases[other])]
        if sets.get(frozenset(two)) == frozenset(equal)
    }
    found = [Twins(*pair, equal) for pair, equal in pairs.items() if pair not in told_of_bases]
    return sorted(found, key=lambda pair: (-len(pair.fields), pair.one, pair.other))


def _equal_fields(one: dict[str, str], other: dict[str, str]) -> tuple[str, ...]:
    """The fields of both that not one class defines for both."""
    return tuple(name for name in one if name in other and one[name] != other[name])


def _bases_of(value: ValueClass, named: dict[tuple[str, str], ValueClass]) -> list[str]:
    """The value classes that it inherits fields from, the nearest first."""
    bases = [named[value.root, base] for base in value.bases if base != value.name and (value.root, base) in named]
    return [name for base in bases for name in (base.whole_name, *_bases_of(base, named))]


def _places_of_fields(value: ValueClass, named: dict[tuple[str, str], ValueClass]) -> dict[str, str]:
    """Each field of a class, inherited ones first, with the class that defines it."""
    places: dict[str, str] = {}
    for base in value.bases:
        if (value.root, base) in named and base != value.name:
            places |= _places_of_fields(named[value.root, base], named)
    return {**places, **dict.fromkeys(value.fields, value.whole_name)}


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
