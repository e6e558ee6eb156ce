"""State that outlives a call without being anybody's argument: what modules and classes remember in a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tests.house.measures.source import Module, Tree

_FACTORIES: Final = frozenset(
    {"set", "dict", "list", "deque", "defaultdict", "Counter", "OrderedDict"}
    | {"WeakKeyDictionary", "WeakValueDictionary", "WeakSet", "Lock", "RLock", "Event", "local", "SimpleQueue", "Queue"}
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def hidden_state(tree: Tree) -> list[str]:
    """Its dotted names, sorted: `global` names, what is empty at import, class attributes that functions set."""
    return sorted({f"{module.name}.{name}" for module in tree for name in _of(module)})


def _of(module: Module) -> Iterator[str]:
    classes = {node.name: node for node in module.syntax.body if isinstance(node, ast.ClassDef)}
    for node in module.syntax.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if _begins_empty(value) or _remembers(value, classes):
                yield name
    for owner in classes.values():
        for node in owner.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if _begins_empty(value):
                    yield f"{owner.name}.{name}"
    for node in ast.walk(module.syntax):
        match node:
            case ast.Global(names=names):
                yield from names
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)]) if owner in classes:
                yield f"{owner}.{name}"


def _begins_empty(value: ast.expr) -> bool:
    match value:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[]):
            return name in _FACTORIES
    return False


def _remembers(value: ast.expr, classes: dict[str, ast.ClassDef]) -> bool:
    """Whether it is an object of a class of the module that changes itself after it was made."""
    match value:
        case ast.Call(func=ast.Name(id=name)) if name in classes:
            methods = [node for node in classes[name].body if isinstance(node, _FUNCTIONS) and node.name != "__init__"]
            return any(_changes_itself(method) for method in methods)
    return False


def _changes_itself(method: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in ast.walk(method)
    )
