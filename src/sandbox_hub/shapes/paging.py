"""How a page is asked for and told: the place parameter, what it may be, and what stands around the items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from sandbox_hub.shapes.names import Shape, Shapes

SMALLEST_PAGE = 5
LARGEST_PAGE = 100


@dataclass(frozen=True, slots=True)
class Paging:
    """A page: at most `limit` items from item number `offset` (0 is the first) on."""

    limit: int
    offset: int


def place_parameter(shapes: Shapes) -> str:
    """The one parameter that says which page is meant."""
    if Shape.PAGE_RENAMED in shapes:
        return "pageNumber"
    return "page" if shapes & {Shape.PAGE_BASE_0, Shape.PAGE_BASE_1} else "offset"


def first_place(shapes: Shapes) -> int:
    """The place of the first page, which is also what stands for none."""
    return 1 if Shape.PAGE_BASE_1 in shapes else 0


def page_at(shapes: Shapes, limit: int, place: int) -> Paging:
    """The page at this place. Raises ValueError, with the hub's sentence, where there can be none."""
    if place_parameter(shapes) != "offset":
        number = place - first_place(shapes)
        if number < 0:
            raise ValueError(f"O parâmetro {place_parameter(shapes)} deve ser no mínimo {first_place(shapes)}.")
        return Paging(limit, number * limit)
    if Shape.WHOLE_PAGES in shapes and place % limit:
        raise ValueError(f"O parâmetro offset deve ser múltiplo de limit ({limit}).")
    return Paging(limit, place - place % limit if Shape.ROUNDED_PAGES in shapes else place)


def envelope(
    shapes: Shapes,
    address: str,
    values: Mapping[str, str],
    paging: Paging,
    total: int,
    content: list[dict[str, Any]],
) -> Any:
    """The answer around `content`; `address` is the list's own; `values` are echoed in the links."""
    if Shape.BARE_LIST in shapes:
        return content
    number = paging.offset // paging.limit
    pages = -(-total // paging.limit)
    if Shape.PAGES_ONLY in shapes:
        return {"content": content, "page": {"totalPages": pages, "number": number + first_place(shapes)}}
    name = place_parameter(shapes)

    def link(rel: str, offset: int) -> dict[str, str]:
        place = offset // paging.limit + first_place(shapes) if name != "offset" else offset
        query = {**values, "limit": str(paging.limit), name: str(place)}
        return {"rel": rel, "href": f"{address}?{urlencode(query)}"}

    links = [link("self", paging.offset)]
    if paging.offset + paging.limit < total:
        links.append(link("next", paging.offset + paging.limit))
    if Shape.NO_TOTALS in shapes:
        return {"links": links, "content": content}
    page = {
        "size": paging.limit,
        "totalElements": total,
        "totalPages": pages,
        "number": number + first_place(shapes),
    }
    return {"links": links, "content": content, "page": page}
