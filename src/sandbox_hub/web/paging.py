"""The answer of a paged list: the page as a shift leaves it, in this hub's envelope."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandbox_hub.faults.plan import Mishap
from sandbox_hub.shapes.names import Shape
from sandbox_hub.shapes.paging import Paging, envelope
from sandbox_hub.web.query import Query
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, not_found
from sandbox_hub.world.selection import Indexes

_MOST_MISSING = 3


def list_answer(
    call: Call, path: str, query: Query, paging: Paging, total: int, content: list[dict[str, Any]]
) -> Response:
    """The list at `path` of the environment's address; an empty one as this hub says it."""
    shapes = call.environment.shapes
    if not content and Shape.EMPTY_204 in shapes:
        return Response(status_code=204)
    if not content and Shape.EMPTY_404 in shapes:
        raise not_found("Nenhum registro encontrado.")
    return answer(envelope(shapes, call.address + path, query.values, paging, total, content))


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
