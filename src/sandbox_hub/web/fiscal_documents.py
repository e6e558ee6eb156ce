"""The fiscal documents interface: list, detail, download."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from sandbox_hub.faults.plan import Fault
from sandbox_hub.shapes.names import Shape
from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.records import document_record, list_item
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, not_found
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.scenarios import Subtype

_FILTERS = (
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
    documents = call.environment.documents
    query = call.query(_FILTERS, paged=True)
    paging = query.paging()
    created_from, created_to = query.first_second("createdAtFrom"), query.last_second("createdAtTo")
    changed_from, changed_to = query.first_second("lastUpdateFrom"), query.last_second("lastUpdateTo")
    if Fault.IGNORE_DATES in call.environment.faults.rates:
        created_from = created_to = changed_from = changed_to = None
    if Shape.SILENT_EVENTS in call.environment.shapes:  # nothing changes after it was created
        created_from, created_to = _latest(created_from, changed_from), _earliest(created_to, changed_to)
        changed_from = changed_to = None
    wanted = DocumentQuery(
        order_id=query.order_id("orderId"),
        marketplace=query.values.get("marketplace"),
        subtype=query.one_of("documentTypeValue", _SUBTYPES),
        created_from=created_from,
        created_to=created_to,
        changed_from=changed_from,
        changed_to=changed_to,
    )
    indexes, total = shifted_page(documents.select(wanted), paging, call.shift)
    content = [list_item(call.environment, index) for index in indexes]
    return list_answer(call, "/fiscalDocuments", query, paging, total, content)


async def one_document(call: Call) -> Response:
    """GET /fiscalDocuments/{id}: complete. A hub whose list has no ids also takes the access key."""
    call.query()
    documents, wanted = call.environment.documents, call.request.path_params["id"]
    index = documents.of_id(wanted)
    if index is None and Shape.NO_IDS in call.environment.shapes:
        index = documents.of_key(wanted)
    if index is None:
        raise not_found("Documento fiscal não encontrado.")
    return answer(call.environment.files.detail(document_record(call.environment, index)))


async def download_file(call: Call) -> Response:
    """GET /fiscalDocuments/download/{document_item_id}; some are redirected to the other host."""
    call.query()
    environment = call.environment
    item_id = call.request.path_params["document_item_id"]
    known = environment.documents.item(item_id)
    if known is None:
        raise not_found("Arquivo do documento fiscal não encontrado.")
    if environment.faults.shows(Fault.REDIRECT, known[0]):
        environment.counts["redirected"] += 1
        return RedirectResponse(environment.storage_address(item_id), 302)
    file = environment.download(item_id)
    assert file is not None
    return Response(file[0], media_type=file[1])


def _latest(*moments: int | None) -> int | None:
    return max((moment for moment in moments if moment is not None), default=None)


def _earliest(*moments: int | None) -> int | None:
    return min((moment for moment in moments if moment is not None), default=None)
