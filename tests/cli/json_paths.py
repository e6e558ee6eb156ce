"""Resolves the attribute names that JSON shapes are made of, which are texts, against the annotations of their values.

The kind of a value is told by the annotations of the function that has it: a parameter, an attribute of it, or what a
loop or a comprehension goes over. Nothing is run but the imports.
"""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, ForwardRef, NamedTuple, get_args, get_origin

CALLS = ("fields_of", "each_of")
_UNIONS = (typing.Union, types.UnionType)


class Named(NamedTuple):
    """A path that a call of a module names, of which kind of value, and whether it is money there."""

    where: str
    kind: Any
    path: str
    is_money: bool


class NoSuchName(Exception):
    """No attribute of that name."""


def named_in(module_name: str) -> Iterator[Named]:
    """Every path that the calls of `fields_of` and `each_of` in a module name."""
    for function in [each for each in ast.walk(_tree(import_module(module_name))) if isinstance(each, ast.FunctionDef)]:
        names = _names(module_name)
        for part in ast.walk(function):
            if isinstance(part, ast.ImportFrom):
                exec(ast.unparse(part), names)  # an import of our own
        texts: dict[str, Any] = dict(names)
        kinds = {
            argument.arg: eval(ast.unparse(argument.annotation), names)  # our own annotations
            for argument in function.args.args + function.args.kwonlyargs
            if argument.annotation is not None
        }
        _learn(function, names, kinds, texts)
        for call in [each for each in ast.walk(function) if isinstance(each, ast.Call)]:
            if isinstance(call.func, ast.Name) and call.func.id in CALLS:
                where = f"{module_name}:{call.lineno}"
                kind = without_none(_kind(call.args[0], names, kinds))
                kind = _element(kind) if call.func.id == "each_of" else kind
                asked = eval(ast.unparse(ast.Tuple([*call.args[1:]], ast.Load())), texts)  # names of our own
                money = next((eval(ast.unparse(word.value), texts) for word in call.keywords), ())
                pairs = [(text.partition("=")[0], text.partition("=")[2] or text) for text in asked]
                unknown = set(money) - {key for key, _ in pairs}
                yield from (Named(where, kind, key, False) for key in unknown)
                yield from (Named(where, kind, path, key in money) for key, path in pairs)


def kind_at(kind: Any, path: str) -> Any:
    """The annotation at the end of a path. Raises `NoSuchName`, also where the way there may be None."""
    for name in path.split("."):
        kind = _attribute(kind, name)
    return kind


def without_none(kind: Any) -> Any:
    """A kind as it is where the value is not None."""
    if get_origin(kind) in _UNIONS:
        (kind,) = [each for each in get_args(kind) if each is not type(None)]
    return kind


def _learn(function: ast.FunctionDef, names: Mapping[str, Any], kinds: dict[str, Any], texts: dict[str, Any]) -> None:
    for part in ast.walk(function):
        if isinstance(part, ast.Assign):
            for target, value in _pairs(part.targets[0], part.value):
                if isinstance(value, ast.Tuple):
                    with suppress(NameError):  # else it is no list of names
                        texts[target] = eval(ast.unparse(value), texts)
                else:
                    _keep(kinds, target, value, names, element=False)
        elif isinstance(part, ast.For | ast.comprehension) and isinstance(part.target, ast.Name):
            _keep(kinds, part.target.id, part.iter, names, element=True)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What each name is assigned."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its_value in zip(target.elts, value.elts, strict=True):
            yield from _pairs(one, its_value)


def _keep(kinds: dict[str, Any], target: str, value: ast.expr, names: Mapping[str, Any], *, element: bool) -> None:
    try:
        kind = without_none(_kind(value, names, kinds))
        kinds[target] = _element(kind) if element else kind
    except (LookupError, NoSuchName, ValueError, TypeError):
        kinds.pop(target, None)  # whoever needs it says so


def _kind(expression: ast.expr, names: Mapping[str, Any], kinds: Mapping[str, Any]) -> Any:
    match expression:
        case ast.Name(id=name):
            return kinds[name]
        case ast.Attribute(value=owner, attr=name):
            return _attribute(without_none(_kind(owner, names, kinds)), name)
        case ast.Call(func=ast.Name(id=name)):
            made = names[name]
            return made if isinstance(made, type) else _returned(made)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if inspect.ismodule(names.get(module)):
            return _returned(getattr(names[module], name))
        case ast.Call(func=ast.Attribute() as method):
            return _kind(method, names, kinds)
        case ast.IfExp(body=body):
            return _kind(body, names, kinds)
        case ast.ListComp(generators=[one]):
            return _kind(one.iter, names, kinds)
    raise TypeError(f"nothing tells the kind of {ast.unparse(expression)}")


def _attribute(kind: Any, name: str) -> Any:
    owner = get_origin(kind) or kind
    for base in getattr(owner, "__mro__", ()):
        if name in inspect.get_annotations(base):
            annotation = base.__annotations__[name]
            if isinstance(annotation, ForwardRef):  # of a NamedTuple
                annotation = annotation.__forward_arg__
            return eval(annotation, _names(base.__module__)) if isinstance(annotation, str) else annotation
        found = vars(base).get(name)
        found = found.fget if isinstance(found, property) else found
        found = found.func if isinstance(found, cached_property) else found
        if inspect.isfunction(found):
            return _returned(found)
    raise NoSuchName(f"{kind} has no {name}")


def _returned(function: Any) -> Any:
    annotation = inspect.unwrap(function).__annotations__["return"]
    return eval(annotation, _names(function.__module__)) if isinstance(annotation, str) else annotation


def _element(kind: Any) -> Any:
    return get_args(kind)[0]


def _names(module_name: str) -> dict[str, Any]:
    """What a module's annotations may name: its own names, and those that it imports for the type checker alone."""
    module = import_module(module_name)
    names = dict(vars(module))
    for part in ast.walk(_tree(module)):
        if isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING":
            exec(ast.unparse(ast.Module(part.body, [])), names)  # imports of our own
    return names


def _tree(module: types.ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
