"""The body of a callback about a fiscal document."""

from __future__ import annotations

import json
from hashlib import blake2b

from sandbox_hub.posted.document_book import DocumentBook
from sandbox_hub.world.documents.credit_notes import hub_word
from sandbox_hub.world.hub_ids import document_id
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import World

FISCAL_DOCUMENTS = "FISCAL_DOCUMENTS"  # the only topic that the specification names
_EVENT = "UPDATE"  # the only one that it shows: sent for a new document too


def fiscal_document(documents: DocumentBook, index: int) -> bytes:
    """The notification about document `index`, as JSON: what it is, and nothing of what it says."""
    world = documents.world
    posted = documents.invoice(index)
    if posted is None:
        place = world.place(index)
        word, marketplace, model = hub_word(world, index), place.marketplace, place.line.model
    else:
        word, marketplace, model = Subtype.SALE.value, posted[1].marketplace, "55"
    content = {
        "id": document_id(world, index),
        "oi": _account(world),
        "metadata": {
            "documentTypeValue": word,
            "marketplace": world.marketplaces[marketplace],
            "type": "CTE" if model == "57" else "NFE",
        },
    }
    return json.dumps({"type": FISCAL_DOCUMENTS, "event": _EVENT, "content": content}, ensure_ascii=False).encode()


def _account(world: World) -> str:
    """The seller's account at the hub. What `oi` holds is not shown: a number is this hub's own choice."""
    return str(int.from_bytes(blake2b(f"{world.seed}:oi".encode(), digest_size=4).digest()))
