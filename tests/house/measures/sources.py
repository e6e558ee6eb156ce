"""Which functions decide what a document is or what is wrong with it, and which source each of them names.

Deciding functions are found by what they return, not by a list: a truth, a day, a member of an enumeration of
`confere.fiscal`, or a value that holds one of these (a state with its ground, a line of a verdict). A module with one
such function decides, and each of its public functions has to name its source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.house.measures.source import Module, Tree, is_in, is_public

FISCAL: Final = "confere.fiscal"
READERS: Final = (f"{FISCAL}.reading", f"{FISCAL}.anonymization")
"""Rooms that take a document apart or write it anew, and decide nothing about it."""
_PLAIN: Final = frozenset({"bool", "date", "datetime"})
_ENUMS: Final = frozenset({"Enum", "IntEnum", "StrEnum"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SOURCE: Final = re.compile(r"^Source: (.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


class Deciding(NamedTuple):
    """A function or method that decides; `source` is the text behind `Source:` in its docstring, empty without one."""

    module: str
    name: str
    source: str


def deciding_functions(tree: Tree) -> list[Deciding]:
    """The public functions of every module of `confere.fiscal` that decides, and the methods that decide themselves.

    Methods of values (dataclasses, named tuples, enumerations) only give out what they hold, and are left alone.
    """
    modules = [module for module in tree if is_in(module.name, FISCAL)]
    types = _deciding_types(modules)
    return [
        deciding
        for module in modules
        if not any(is_in(module.name, reader) for reader in READERS)
        for deciding in _of_module(module, types)
    ]


def source_of(docstring: str | None) -> str:
    """What stands behind `Source:` in a docstring, on one line; empty where nothing does."""
    match = _SOURCE.search(docstring or "")
    return " ".join(match[1].split()) if match is not None else ""


def _of_module(module: Module, types: frozenset[str]) -> Iterator[Deciding]:
    functions = [node for node in module.syntax.body if isinstance(node, _FUNCTIONS) and is_public(node.name)]
    methods = [
        (node.name, method)
        for node in module.syntax.body
        if isinstance(node, ast.ClassDef) and is_public(node.name) and not _is_value(node)
        for method in node.body
        if isinstance(method, _FUNCTIONS) and is_public(method.name) and _names(method.returns) & types
    ]
    if methods or any(_names(function.returns) & types for function in functions):
        for function in functions:
            yield Deciding(module.name, function.name, source_of(ast.get_docstring(function)))
    for owner, method in methods:
        yield Deciding(module.name, f"{owner}.{method.name}", source_of(ast.get_docstring(method)))


def _deciding_types(modules: list[Module]) -> frozenset[str]:
    """Names of types that say how something was decided: grown until no value holds another one of them."""
    parts: dict[str, set[str]] = {}
    types = set(_PLAIN)
    for module in modules:
        for node in module.syntax.body:
            if isinstance(node, ast.ClassDef):
                if _bases(node) & _ENUMS:
                    types.add(node.name)
                elif _is_value(node):
                    fields = (field.annotation for field in node.body if isinstance(field, ast.AnnAssign))
                    parts[node.name] = {name for field in fields for name in _names(field)}
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                alias = _names(node.value)
                if "Literal" in alias:
                    types.add(node.targets[0].id)
                elif isinstance(node.value, ast.Subscript):
                    parts[node.targets[0].id] = alias
    while more := {name for name, named in parts.items() if named & types} - types:
        types |= more
    return frozenset(types)


def _is_value(node: ast.ClassDef) -> bool:
    is_dataclass = any("dataclass" in _names(decorator) for decorator in node.decorator_list)
    return is_dataclass or bool(_bases(node) & ({"NamedTuple"} | _ENUMS))


def _bases(node: ast.ClassDef) -> set[str]:
    return {name for base in node.bases for name in _names(base)}


def _names(annotation: ast.AST | None) -> set[str]:
    """The plain names in an annotation; of `x509.Certificate` only `x509`, as that is another one's class."""
    nodes = ast.walk(annotation) if annotation is not None else ()
    return {node.id for node in nodes if isinstance(node, ast.Name)}
