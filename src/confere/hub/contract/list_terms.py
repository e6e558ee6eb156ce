"""What a contract says of how the hub's lists are asked for, in the words of what is learnt from its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from confere.hub.contract.contract import Contract, ContractOperation
from confere.hub.listing import date_filters
from confere.hub.listing.page_position import INDEX_NAMES, SIZE_NAMES
from confere.hub.traits import hub_traits

LIST_PATHS: Final = {"documents": "/fiscalDocuments", "orders": "/orders", "returns": "/returns"}
"""The lists of which traits are learnt, by the names of `HubShape`s."""

_OFFSET: Final = "offset"
_LIMIT: Final = "limit"
_FIRST_DATES: Final = ("createdAtFrom", "createdAfter")
_MILLISECONDS: Final = r"\.\d{3}"
_ZONE: Final = ("Z", "[+-]")


def declared_traits(contract: Contract) -> dict[str, dict[str, str]]:
    """For each list that the contract has, the traits that it tells, as texts."""
    return {
        name: _traits(operation)
        for name, path in LIST_PATHS.items()
        if (operation := contract.at("GET", path)) is not None
    }


def missing_lists(contract: Contract) -> tuple[str, ...]:
    """The lists that the contract has no operation for."""
    return tuple(name for name, path in LIST_PATHS.items() if contract.at("GET", path) is None)


def _traits(operation: ContractOperation) -> dict[str, str]:
    traits: dict[str, str] = {}
    limit = next((name for name in (_LIMIT, *sorted(SIZE_NAMES)) if operation.query(name) is not None), None)
    if limit is not None:
        most = operation.query(limit)
        assert most is not None
        if limit != _LIMIT:
            traits["limit"] = limit
        size = most.schema.get("maximum")
        if isinstance(size, int) and not isinstance(size, bool) and 0 < size < 100:
            traits["page_size"] = str(size)
    traits |= _place(operation)
    form = _date_form(operation)
    if form is not None:
        traits["dates"] = form
    return traits


def _place(operation: ContractOperation) -> dict[str, str]:
    """The name of the place, and how it counts where it is the number of a page."""
    for name in (_OFFSET, *INDEX_NAMES):
        place = operation.query(name)
        if place is None:
            continue
        if name == _OFFSET:
            return {"place": name}
        first = place.schema.get("minimum", place.schema.get("default", 0))
        base = first if isinstance(first, int) and first in (0, 1) else 0
        return {"paging": hub_traits.PAGE, "place": name, "base": str(int(base))}
    return {}


def _date_form(operation: ContractOperation) -> str | None:
    for name in _FIRST_DATES:
        parameter = operation.query(name)
        if parameter is not None:
            return _form(parameter.schema)
    return None


def _form(schema: Mapping[str, Any]) -> str | None:
    """The form of dates that a schema asks for; None where it says nothing that is known."""
    choices = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(choices, list):
        forms = [_form(choice) for choice in choices if isinstance(choice, dict)]
        known = [form for form in date_filters.LADDER if form in forms]
        return known[0] if known else None
    if schema.get("format") == "date-time":
        return date_filters.OFFSET
    if schema.get("format") == "date":
        return date_filters.DATE
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return None
    if not any(sign in pattern for sign in ("T", ":")):  # no time of the day
        return date_filters.DATE if r"\d" in pattern or "[0-9]" in pattern else None
    if _MILLISECONDS in pattern:
        return date_filters.MILLISECONDS
    return date_filters.OFFSET if any(zone in pattern for zone in _ZONE) else date_filters.NO_ZONE
