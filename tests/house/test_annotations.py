"""What crosses the archive's door: frozen values, tuples and iterators, never a row or connection of SQLAlchemy."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Iterator
from types import ModuleType

import pytest

import confere.archive
from confere.archive.transaction import Transaction

# The archive's own machinery.
INSIDE = {"engine", "list_selection", "order_search", "read_connection", "transaction"}


def modules() -> list[str]:
    """Every module of the archive by its name after `confere.archive.`, in folders too; the schema stands inside."""
    return sorted(
        name
        for entry in pkgutil.walk_packages(confere.archive.__path__, "confere.archive.")
        if not entry.ispkg
        and not (name := entry.name.removeprefix("confere.archive.")).startswith(("schema.", "migrations."))
        and name.rpartition(".")[2] not in INSIDE
    )


def public_functions(module: ModuleType) -> Iterator[tuple[str, typing.Any]]:
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            for method_name, method in inspect.getmembers(value, inspect.isfunction):
                if not method_name.startswith("_"):
                    yield f"{name}.{method_name}", method


def names_of(module: ModuleType) -> dict[str, typing.Any]:
    """The names of a module, those that only its annotations have among them."""
    names = dict(vars(module))
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), str(module.__file__), "exec"), names)
    return names


def named_types(annotation: typing.Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for argument in typing.get_args(annotation):
        yield from named_types(argument)


@pytest.mark.parametrize("name", modules())
def test_public_functions_speak_in_values(name: str) -> None:
    module = importlib.import_module(f"confere.archive.{name}")
    for function_name, function in public_functions(module):
        for annotation in typing.get_type_hints(function, names_of(module)).values():
            for found in named_types(annotation):
                assert not found.__module__.startswith("sqlalchemy"), f"{name}.{function_name}: {found}"


@pytest.mark.parametrize("name", modules())
def test_public_values_are_frozen(name: str) -> None:
    module = importlib.import_module(f"confere.archive.{name}")
    for value in vars(module).values():
        ours = inspect.isclass(value) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
        if ours and not value.__name__.startswith("_"):
            assert value.__dataclass_params__.frozen, value


def test_the_walk_finds_what_it_should() -> None:
    assert {"documents.documents", "orders.orders", "hub.coverage"} <= set(modules())
    module = importlib.import_module("confere.archive.documents.documents")
    names = [name for name, _ in public_functions(module)]
    assert {"summary", "ids", "by_ids", "walk"} <= set(names)
    hints = typing.get_type_hints(module.summary, vars(module))
    assert Transaction in set(named_types(hints["transaction"]))
