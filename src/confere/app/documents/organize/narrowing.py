"""A query within another one: what both ask for."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from confere.archive.documents.search.document_query import DocumentQuery, both, joined
from confere.errors import UsageFault, message

_ARRANGED: Final = frozenset({"sort", "descending"})
_LATEST: Final = frozenset({"from_day", "total_from"})
_EARLIEST: Final = frozenset({"to_day", "total_to"})
_RANGES: Final = (("from_day", "to_day"), ("total_from", "total_to"))


def narrowed(saved: DocumentQuery, given: DocumentQuery, name: str) -> DocumentQuery:
    """The documents of the search called `name` that `given` lists too, in its order.

    `UsageFault` where the two ask for different values of one thing: no list is shown that leaves out either.
    """
    values: dict[str, Any] = {}
    for field in fields(DocumentQuery):
        one, other = getattr(saved, field.name), getattr(given, field.name)
        if field.name in _ARRANGED or one == field.default or one == other:
            values[field.name] = other
        elif other == field.default:
            values[field.name] = one
        else:
            values[field.name] = _both(field.name, one, other, name)
    if saved.tags and given.tags and saved.tags != given.tags:
        # A document bears several: one of the saved ones and one of the given need not be the same.
        values["matching"] = both(DocumentQuery(tags=saved.tags), values["matching"])
    for first, last in _RANGES:
        low, high = values[first], values[last]
        if low is not None and high is not None and low > high:
            raise _apart(name)
    return DocumentQuery(**values)


def _both(field: str, one: Any, other: Any, name: str) -> Any:
    if field in _LATEST:
        return max(one, other)
    if field in _EARLIEST:
        return min(one, other)
    if field == "matching":
        return joined("and", (one, other))
    if field == "tags":
        return other  # both are asked for, in the tree
    if isinstance(one, tuple):
        found = tuple(value for value in one if value in other)
        if found:
            return found
    raise _apart(name)


def _apart(name: str) -> UsageFault:
    return UsageFault(
        message("The saved search {name} and the options beside it ask for different things of one kind.", name=name),
        message("See what it asks for with `confere saved list`, and leave one of the two out."),
    )
