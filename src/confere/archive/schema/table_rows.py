"""Rows to be written, made by the names of their table's columns: the schema alone says in which order these stand."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from sqlalchemy import Table

from confere.archive.named_rows import NamedRow


@cache
def row_of(table: Table) -> Callable[..., NamedRow]:
    """A named tuple of a table's columns in their order, to be called by their names; what is not named is null."""
    kind = _class(tuple(column.name for column in table.columns))
    return partial(kind.__new__, kind)  # a call of the class itself would gather the keywords twice


def setter(table: Table, *columns: str) -> Callable[..., tuple[Any, ...]]:
    """What puts values in these columns, which stand side by side, of a whole row: ten times as fast as `_replace`."""
    names = tuple(column.name for column in table.columns)
    first = names.index(columns[0])
    after = first + len(columns)
    if names[first:after] != columns:
        raise ValueError(f"{columns} do not stand side by side in {table.name}")
    return lambda values, *new: (*values[:first], *new, *values[after:])


@cache
def _class(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names, defaults=[None] * len(names))
