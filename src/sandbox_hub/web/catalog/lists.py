"""What the catalog's endpoints share: the record that a path names, and a page of a list of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from starlette.responses import Response

from sandbox_hub.catalog.ids import IdRuns
from sandbox_hub.catalog.world_catalog import ProductRecord
from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.query import Query, whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import bad_value, not_found
from sandbox_hub.world.selection import Indexes


def path_number(call: Call, name: str, message: str) -> int:
    """The id in the path; 404 with `message` where it is no number."""
    number = whole_number(call.request.path_params[name])
    if number is None:
        raise not_found(message)
    return number


def product_in_path(call: Call, name: str = "productId") -> ProductRecord:
    """The product whose id stands in the path; 404 where there is none."""
    message = "Produto não encontrado."
    record = call.environment.catalog.product(path_number(call, name, message))
    if record is None:
        raise not_found(message)
    return record


def check_same_id(body: dict[str, Any], record_id: int) -> None:
    """Refuse a body with another id than the path's."""
    if body.get("id") not in (None, record_id):
        raise bad_value("O campo id deve ser o id que está no endereço.")


def page_answer(
    call: Call, path: str, query: Query, indexes: Indexes, told: Callable[[int], dict[str, Any]]
) -> Response:
    """A page of the list at `path`, each of whose members is `told`."""
    paging = query.paging()
    ids, total = shifted_page(indexes, paging, call.shift)
    return list_answer(call, path, query, paging, total, [told(record_id) for record_id in ids])


def records_answer(call: Call, path: str, query: Query, records: Sequence[dict[str, Any]]) -> Response:
    """A page of a short list."""
    return page_answer(call, path, query, IdRuns(range(len(records))), lambda place: records[place])
