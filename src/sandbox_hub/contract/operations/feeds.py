"""The feeds: reading, marking one item, marking many."""

from __future__ import annotations

from sandbox_hub.contract.operation import Operation, Parameter
from sandbox_hub.contract.operations.parameters import path_id
from sandbox_hub.contract.schema_parts import WHOLE, list_of, refer
from sandbox_hub.contract.words import Words

_LIMIT = Parameter(
    "limit",
    Words("Quantos itens.", "How many items.", "Cuántos ítems."),
    {**WHOLE, "minimum": 5, "maximum": 100, "default": 100},
    own_choice=True,
)
_TAGS = {"products": "products", "orders": "orders"}


def read(domain: str, what: Words, *, own_choice: bool = False) -> Operation:
    """GET /{domain}/feeds."""
    return Operation(
        id=f"readFeed/{domain}",
        method="GET",
        path=f"/{domain}/feeds",
        tag=_TAGS.get(domain, "listings"),
        summary=Words(f"Feed: {what.pt}", f"Feed: {what.en}", f"Feed: {what.es}"),
        description=Words(
            "O que ninguém marcou como lido nos últimos 30 dias.",
            "What nobody has marked as read in the last 30 days.",
            "Lo que nadie marcó como leído en los últimos 30 días.",
        ),
        query=(_LIMIT,),
        answer=list_of(refer("FeedItem")),
        own_choice=own_choice,
    )


def mark_one(domain: str, *, own_choice: bool = False) -> Operation:
    """PUT /{domain}/feeds/{id}."""
    return Operation(
        id=f"markFeedItem/{domain}",
        method="PUT",
        path=f"/{domain}/feeds/{{id}}",
        tag=_TAGS.get(domain, "listings"),
        summary=Words("Marcar um item como lido", "Mark an item as read", "Marcar un ítem como leído"),
        path_parameters=(path_id(),),
        body=refer("FeedToken"),
        examples={"token": {"token": "10000123-2-9b1c2d3e"}},
        answer=refer("Marked"),
        refusals=(400, 404, 422),
        own_choice=own_choice,
    )


def mark_batch(domain: str) -> Operation:
    """PUT /{domain}/feeds/batch."""
    return Operation(
        id=f"markFeed/{domain}",
        method="PUT",
        path=f"/{domain}/feeds/batch",
        tag=_TAGS.get(domain, "listings"),
        summary=Words("Marcar vários itens como lidos", "Mark many items as read", "Marcar varios ítems como leídos"),
        body=refer("FeedBatch"),
        body_required=False,
        examples={"items": [{"id": 10000123, "token": "10000123-2-9b1c2d3e"}], "all-read": {}},
        answer=refer("Marked"),
        refusals=(400, 422),
    )
