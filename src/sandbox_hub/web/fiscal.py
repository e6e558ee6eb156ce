"""The fiscal documents interface: list, detail, download."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from sandbox_hub.faults.plan import Fault
from sandbox_hub.web.answers import XML, answer, not_found
from sandbox_hub.web.call import Call
from sandbox_hub.web.paging import envelope, shifted_page
from sandbox_hub.web.query import Query
from sandbox_hub.web.records import document_record, list_item
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.hub_ids import document_of, item_of
from sandbox_hub.world.scenarios import Subtype

_FILTERS = (
    "limit",
    "offset",
    "orderId",
    "marketplace",
    "createdAtFrom",
    "createdAtTo",
    "lastUpdateFrom",
    "lastUpdateTo",
    "documentTypeValue",
)
_SUBTYPES = {subtype.value: subtype for subtype in Subtype}


async def list_documents(call: Call) -> Response:
    """GET /fiscalDocuments: oldest first."""
    world = call.environment.world
    query = Query(call.raw_query, _FILTERS)
    paging = query.paging()
    created_from, created_to = query.first_second("createdAtFrom"), query.last_second("createdAtTo")
    changed_from, changed_to = query.first_second("lastUpdateFrom"), query.last_second("lastUpdateTo")
    if Fault.IGNORE_DATES in call.environment.faults.rates:
        created_from = created_to = changed_from = changed_to = None
    wanted = DocumentQuery(
        order_id=query.order_id("orderId"),
        marketplace=query.one_of("marketplace", {name: name for name in world.marketplaces}),
        subtype=query.one_of("documentTypeValue", _SUBTYPES),
        created_from=created_from,
        created_to=created_to,
        changed_from=changed_from,
        changed_to=changed_to,
    )
    indexes, total = shifted_page(world.select(wanted), paging, call.shift)
    content = [list_item(call.environment, index) for index in indexes]
    return answer(envelope(f"{call.address}/fiscalDocuments", query.values, paging, total, content))


async def one_document(call: Call) -> Response:
    """GET /fiscalDocuments/{id}: complete."""
    Query(call.raw_query, ())
    index = document_of(call.environment.world, call.request.path_params["id"])
    if index is None:
        raise not_found("Documento fiscal não encontrado.")
    return answer(document_record(call.environment, index))


class Download:
    """GET /fiscalDocuments/download/{document_item_id}; `elsewhere` is another host's address, for redirects."""

    def __init__(self, elsewhere: str | None) -> None:
        self._elsewhere = elsewhere

    async def __call__(self, call: Call) -> Response:
        Query(call.raw_query, ())
        environment = call.environment
        item_id = call.request.path_params["item_id"]
        found = item_of(environment.world, item_id)
        if found is None:
            raise not_found("Arquivo do documento fiscal não encontrado.")
        if self._elsewhere is not None and environment.faults.shows(Fault.REDIRECT, found[0]):
            environment.counts["redirected"] += 1
            ticket = environment.ticket(item_id)
            return RedirectResponse(f"{self._elsewhere}/{environment.name}/{item_id}?ticket={ticket}", 302)
        body = environment.xml(item_id)
        assert body is not None
        return Response(body, media_type=XML)
