"""Rows that are read by the names of their columns: as values of a class, or as the statement calls them.

A class that would only repeat what a statement names is made here, so that no second list of names can differ.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache, partial
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar, cast

Named = TypeVar("Named")
"""A dataclass or a NamedTuple whose first fields are the columns of a statement: the same names, the same order."""
NamedRow: TypeAlias = Any
"""A row whose values have the names of its columns: `row.access_key`."""
Description = Sequence[tuple[Any, ...]]
"""What a cursor of the driver says of the columns that it gives."""


def maker(kind: type[Named], description: Description) -> Callable[[Any], Named]:
    """What makes a `kind` of a row; `TypeError` where the columns are not its first fields, in their order."""
    make: Callable[[Any], Named] = _maker(cast("Any", kind), _columns(description))
    return make


def named_maker(description: Description) -> Callable[[Any], NamedRow]:
    """What makes a named tuple of a row, of the names that the statement gives to its columns."""
    return partial(tuple.__new__, _class(_columns(description)))  # as in `_maker`


def _columns(description: Description) -> tuple[str, ...]:
    return tuple(map(itemgetter(0), description))


@cache
def _class(columns: tuple[str, ...]) -> Any:
    return namedtuple("Row", columns)


@cache
def _maker(kind: Any, columns: tuple[str, ...]) -> Callable[[Any], Any]:
    names: tuple[str, ...] = getattr(kind, "_fields", ()) or tuple(field.name for field in fields(kind))
    if names[: len(columns)] != columns:
        raise TypeError(f"{kind.__name__} has the fields {names}, the statement the columns {columns}")
    if names == columns and issubclass(kind, tuple):
        return partial(tuple.__new__, kind)  # as `_make`, which is not C
    return lambda values: kind(*values)
