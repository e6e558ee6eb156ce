"""What every domain uses: links, pages, the error, feed items."""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import TEXT, WHOLE, Schema, list_of, nullable, own, record, refer
from sandbox_hub.contract.words import Words

SCHEMAS: dict[str, Schema] = {
    "Link": record({"rel": TEXT, "href": TEXT}, required=("rel", "href")),
    "Page": record(
        {"size": WHOLE, "totalElements": WHOLE, "totalPages": WHOLE, "number": WHOLE},
        required=("totalPages", "number"),
    ),
    "Error": own(
        record(
            {
                "code": TEXT,
                "message": TEXT,
                "details": nullable(TEXT),
                "resources": {},
            },
            required=("code", "message", "details", "resources"),
        ),
        Words(
            "O que foi recusado e por quê, em português.",
            "What was refused and why, in Portuguese.",
            "Qué se rechazó y por qué, en portugués.",
        ),
    ),
    "FeedItem": record({"id": WHOLE, "token": TEXT}, required=("id", "token")),
    "FeedToken": record({"token": TEXT}, required=("token",)),
    "FeedBatch": own(
        {
            "anyOf": [
                list_of(record({"id": WHOLE, "token": TEXT}, required=("id", "token"))),
                record({"tokens": list_of(TEXT)}, required=("tokens",), closed=True),
                record({}, closed=True, maxProperties=0),
                {"type": "null"},
            ]
        },
        Words(
            "Itens ou tokens a marcar como lidos; vazio marca tudo o que foi lido desde a última marcação.",
            "Items or tokens to mark as read; an empty one marks all that was read since the last marking.",
            "Ítems o tokens que marcar como leídos; vacío marca todo lo leído desde la última marcación.",
        ),
    ),
    "Marked": own(record({"marked": WHOLE}, required=("marked",))),
}


def page_of(item: str) -> Schema:
    """A page of a list of these."""
    return record(
        {"links": list_of(refer("Link")), "content": list_of(refer(item)), "page": refer("Page")},
        required=("content",),
    )
