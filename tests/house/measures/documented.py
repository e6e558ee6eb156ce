"""What is explained: docstrings of what is public, sources of the rules, and variables whose name says nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.house.measures.source import Module, Tree, bare_strings, is_in, is_public

VAGUE: Final = frozenset({"found", "entry", "told", "said", "asked"})
RULES: Final = "confere.reconcile.rules"
STATE: Final = "confere.fiscal.state"
_SOURCE: Final = "Source:"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Public(NamedTuple):
    """Something public: `kind` is function, class or method."""

    kind: str
    name: str
    has_docstring: bool


def public_things(tree: Tree) -> list[Public]:
    """Public functions and classes of modules, and the public methods of these classes."""
    return [thing for module in tree for thing in _public(module)]


def documented(tree: Tree, kind: str) -> tuple[int, int]:
    """How many of this kind have a docstring, and how many there are."""
    things = [thing for thing in public_things(tree) if thing.kind == kind]
    return sum(thing.has_docstring for thing in things), len(things)


def rules(tree: Tree) -> dict[str, bool]:
    """Each rule with whether it names its source.

    The rules are the modules of `confere.reconcile.rules` that define `RULE`, where any docstring of the module may
    name it, and the public functions of `confere.fiscal.state`, whose own docstring does.
    """
    result: dict[str, bool] = {}
    for module in tree:
        if is_in(module.name, RULES) and _defines_rule(module):
            result[module.name] = any(_SOURCE in ast.unparse(string) for string in bare_strings(module.syntax))
        elif is_in(module.name, STATE):
            for node in module.syntax.body:
                if isinstance(node, _FUNCTIONS) and is_public(node.name):
                    result[f"{module.name}.{node.name}"] = _SOURCE in (ast.get_docstring(node) or "")
    return result


def vague_variables(tree: Tree) -> Counter[str]:
    """How often a variable or parameter of a `VAGUE` name is bound."""
    return Counter(
        name
        for module in tree
        for node in ast.walk(module.syntax)
        for name in _bound(node)
        if name.lstrip("_") in VAGUE
    )


def _public(module: Module) -> Iterator[Public]:
    for node in module.syntax.body:
        if isinstance(node, _FUNCTIONS) and is_public(node.name):
            yield Public("function", f"{module.name}.{node.name}", ast.get_docstring(node) is not None)
        elif isinstance(node, ast.ClassDef) and is_public(node.name):
            yield Public("class", f"{module.name}.{node.name}", ast.get_docstring(node) is not None)
            for method in node.body:
                if isinstance(method, _FUNCTIONS) and is_public(method.name):
                    name = f"{module.name}.{node.name}.{method.name}"
                    yield Public("method", name, ast.get_docstring(method) is not None)


def _defines_rule(module: Module) -> bool:
    return any(
        isinstance(target, ast.Name) and target.id == "RULE"
        for node in module.syntax.body
        for target in (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
    )


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
