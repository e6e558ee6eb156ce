"""The backoffice's transmissions: the list, one, its price, and the status that the seller's system says.

The specification only shows the write; the reads are the sandbox's own choice.
"""

from __future__ import annotations

from starlette.responses import Response

from sandbox_hub.publications.publication import REMOVED, Publication
from sandbox_hub.publications.publishing import NotPossible
from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.publications.bodies import fields_of, read_statuses
from sandbox_hub.web.publications.records import price_record, transmission_record
from sandbox_hub.web.query import whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_value, not_found
from sandbox_hub.world.selection import Handful

_FILTERS = ("marketplace", "publicationStatus", "skuPartnerId")


async def list_transmissions(call: Call) -> Response:
    """GET /transmissions: oldest first, removed ones among them."""
    publications = call.environment.publishing.publications
    query = call.query(_FILTERS, paged=True)
    paging = query.paging()
    wanted = query.values
    fitting = {
        publication.id: publication
        for publication in publications.all()
        if wanted.get("marketplace") in (None, publication.marketplace)
        and wanted.get("publicationStatus") in (None, publication.status)
        and wanted.get("skuPartnerId") in (None, publication.sku.partner_id)
    }
    ids, total = shifted_page(Handful(list(fitting)), paging, call.shift)
    content = [transmission_record(publications, fitting[item_id]) for item_id in ids]
    return list_answer(call, "/transmissions", query, paging, total, content)


async def one_transmission(call: Call) -> Response:
    """GET /transmissions/{id}; a removed one is still shown, since the feed may name it."""
    call.query()
    return answer(transmission_record(call.environment.publishing.publications, named(call)))


async def one_price(call: Call) -> Response:
    """GET /transmissions-price/{id}."""
    call.query()
    return answer(price_record(named(call)))


async def put_transmission(call: Call) -> Response:
    """PUT /transmissions/{id} with {publicationStatus, marketplaceStatus}."""
    call.query()
    standing(call)
    strict = call.environment.strict_bodies
    fields = fields_of(await call.json_body(), ("publicationStatus", "marketplaceStatus"), strict=strict)
    status, text = read_statuses(fields)
    publishing = call.environment.publishing
    try:
        publication = publishing.set_status(standing(call), status, text)
    except NotPossible as why:
        raise bad_value(str(why)) from None
    return answer(transmission_record(publishing.publications, publication))


def named(call: Call) -> Publication:
    """The publication that the path names, removed or not; 404 where there is none."""
    publication = call.environment.publishing.publications.get(whole_number(call.request.path_params["id"]))
    if publication is None:
        raise not_found("Publicação não encontrada.")
    return publication


def standing(call: Call) -> Publication:
    """The publication that the path names, as it is now; 404 where there is none, or it was removed."""
    publication = named(call)
    if publication.status == REMOVED:
        raise not_found("Publicação não encontrada.")
    return publication
