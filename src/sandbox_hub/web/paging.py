"""The envelope of the hub's lists: absolute links, the items, the page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from sandbox_hub.faults.plan import Mishap
from sandbox_hub.web.query import Paging
from sandbox_hub.world.selection import Indexes

_MOST_MISSING = 3


def envelope(
    address: str, values: dict[str, str], paging: Paging, total: int, content: list[dict[str, Any]]
) -> dict[str, Any]:
    """`address` is the list's own; `values` are echoed in the links."""

    def link(rel: str, offset: int) -> dict[str, str]:
        query = {**values, "limit": str(paging.limit), "offset": str(offset)}
        return {"rel": rel, "href": f"{address}?{urlencode(query)}"}

    links = [link("self", paging.offset)]
    if paging.offset + paging.limit < total:
        links.append(link("next", paging.offset + paging.limit))
    page = {
        "size": paging.limit,
        "totalElements": total,
        "totalPages": -(-total // paging.limit),
        "number": paging.offset // paging.limit,
    }
    return {"links": links, "content": content, "page": page}


def shifted_page(indexes: Indexes, paging: Paging, shift: Mishap | None) -> tuple[list[int], int]:
    """The page's members and the total; under a shift, as if a few items were not there.

    Either the first ones are gone (everything moves forward, so a reader misses some at the seam), or the last
    ones have not appeared yet.
    """
    total = len(indexes)
    missing = 1 + shift.throw % _MOST_MISSING if shift is not None else 0
    if shift is None or total <= missing:
        return indexes.page(paging.offset, paging.limit), total
    if shift.throw & 64:
        return indexes.page(paging.offset + missing, paging.limit), total - missing
    size = max(0, min(paging.limit, total - missing - paging.offset))
    return indexes.page(paging.offset, size), total - missing
