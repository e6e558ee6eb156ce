"""What a sync was asked for, and whether an item that the hub sends is part of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from confere.sales.hub_document import HubDocument

_KINDS = {"nfe": "NFE", "cte": "CTE"}


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """Everything by default. `type` is nfe, cte or a subtype of the hub; times are aware and inclusive."""

    from_at: datetime | None = None
    to_at: datetime | None = None
    type: str | None = None
    marketplace: str | None = None
    order_id: str | None = None
    full: bool = False  # list everything again, whatever is known
    only_failed: bool = False  # list nothing: fetch what is still in the queue
    documents: bool = True
    orders: bool = True

    @property
    def narrowed(self) -> str:
        """What keeps the listing from proving anything about the rest; empty for everything."""
        given = {"type": self.type, "marketplace": self.marketplace, "order": self.order_id}
        kept = {name: value for name, value in given.items() if value is not None}
        return json.dumps(kept, sort_keys=True) if kept else ""

    @property
    def type_value(self) -> str | None:
        """What to send as `documentTypeValue`: a guess, to be proven on the answer."""
        return None if self.type is None else _KINDS.get(self.type.lower(), self.type)


def is_of_type(document: HubDocument, wanted: str) -> bool:
    """Whether `document` is of the type asked for, by whatever of its fields names one."""
    names = {document.type, document.subtype, document.document_type_value}
    value = _KINDS.get(wanted.lower(), wanted).casefold()
    return any(name is not None and name.casefold() == value for name in names)


def belongs(document: HubDocument, request: SyncRequest) -> bool:
    """Whether an item is part of what was asked; what it does not say cannot exclude it."""
    if request.type is not None and not is_of_type(document, request.type):
        return False
    for wanted, said in ((request.marketplace, document.marketplace), (request.order_id, document.order_id)):
        if wanted is not None and said is not None and wanted.casefold() != said.casefold():
            return False
    moment = document.created_at
    if moment is None:
        return True
    if request.from_at is not None and moment < request.from_at:
        return False
    return request.to_at is None or moment <= request.to_at
