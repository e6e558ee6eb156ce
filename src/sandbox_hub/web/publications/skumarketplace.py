"""What the marketplace's middleware calls: reading a publication, reporting its status, its price and stock."""

from __future__ import annotations

from starlette.responses import Response

from sandbox_hub.publications.messages import publication_record
from sandbox_hub.publications.publishing import NotPossible
from sandbox_hub.web.publications.bodies import fields_of, read_confirmation, read_names, read_statuses
from sandbox_hub.web.publications.transmissions import standing
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_value

_RECORD = ("id", "skuInMarketplace", "idInMarketplace", "price", "discountPrice", "availableAmount")
_REPORT = (*_RECORD, "publicationStatus", "marketplaceStatus")


async def get_publication(call: Call) -> Response:
    """GET /skumarketplace/{id}."""
    call.query()
    return answer(publication_record(standing(call)))


async def put_publication(call: Call) -> Response:
    """PUT /skumarketplace/{id}: what became of it in the marketplace."""
    call.query()
    publication = standing(call)
    environment = call.environment
    fields = fields_of(await call.json_body(), _REPORT, strict=environment.strict_bodies)
    status, text = read_statuses(fields)
    names = read_names(fields, publication)
    confirmation = read_confirmation(fields, environment.world.now, needed=False)
    try:
        publication = environment.publishing.report(standing(call), status, text, *names, confirmation)
    except NotPossible as why:
        raise bad_value(str(why)) from None
    return answer(publication_record(publication))


async def put_price_and_stock(call: Call) -> Response:
    """PUT /skumarketplace/{id}/priceStock: the price and stock that the marketplace shows now."""
    call.query()
    publication = standing(call)
    environment = call.environment
    fields = fields_of(await call.json_body(), _RECORD, strict=environment.strict_bodies)
    names = read_names(fields, publication)
    confirmation = read_confirmation(fields, environment.world.now, needed=True)
    assert confirmation is not None
    try:
        publication = environment.publishing.confirm(standing(call), *names, confirmation)
    except NotPossible as why:
        raise bad_value(str(why)) from None
    return answer(publication_record(publication))
