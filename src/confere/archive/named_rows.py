"""Rows by the names of their columns: as values of a class, as a statement calls them, or as a table does.

Classes that only repeat what a statement or a table names are made here, so that no second list of names can differ.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar, cast

from sqlalchemy import Table

Named = TypeVar("Named")
"""A dataclass or a NamedTuple whose first fields are the columns of a statement: the same names, the same order."""
NamedRow: TypeAlias = Any
"""A row whose values have the names of its columns: `row.access_key`."""
Description = Sequence[tuple[Any, ...]]
"""What a cursor of the driver says of the columns that it gives."""


def maker(kind: type[Named], description: Description) -> Callable[..., Named]:
    """What makes a `kind` of the columns; `TypeError` where these are not its first fields, in their order."""
    columns, names = _columns(description), _field_names(cast("Any", kind))
    if names[: len(columns)] != columns:
        raise TypeError(f"{kind.__name__} has the fields {names}, the statement the columns {columns}")
    return kind


def named_maker(description: Description) -> Any:
    """What makes named tuples of the columns, called as the statement calls them."""
    return _class("Row", _columns(description))


@cache
def row_of(table: Table) -> Callable[..., NamedRow]:
    """A named tuple of a table's columns in their order, to be called by their names; what is not named is null."""
    make: Callable[..., NamedRow] = _class(table.name, tuple(column.name for column in table.columns))
    return make


def _columns(description: Description) -> tuple[str, ...]:
    return tuple(map(itemgetter(0), description))


@cache
def _class(name: str, columns: tuple[str, ...]) -> Any:
    return namedtuple(name, columns, defaults=[None] * len(columns))


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    names: tuple[str, ...] | None = getattr(kind, "_fields", None)
    return names or tuple(field.name for field in fields(kind))
