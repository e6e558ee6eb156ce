"""A hub's record of a fiscal document: what the hub says of it, beside what its XML says.

Times are aware. The dates in the history stay as the hub wrote them. A field that the record lacks is None.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class HubHistory:
    """One entry of a record's history. `at` is the date as the hub wrote it; `item_id` what to download, if told."""

    status: str | None
    at: str | None
    protocol: str | None
    item_id: str | None
    description: str | None


@dataclass(frozen=True, slots=True)
class HubRelated:
    """A document that the hub says belongs to this one."""

    access_key: str | None
    type: str | None
    relation: str | None


@dataclass(frozen=True, slots=True)
class HubItem:
    """A file of the record: the `document_item_id` to download, and what event it is (as the hub names it).

    `address` is set where the hub names the place of a storage instead; `item_id` then is what of it never changes.
    """

    item_id: str
    kind: str | None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class HubStatement:
    """What a hub says of a document. `access_key` is upper case and 44 long or None."""

    hub_id: str | None
    access_key: str | None
    type: str | None
    subtype: str | None
    cfop: str | None
    document_type_value: str | None
    marketplace: str | None
    order_id: str | None
    created_at: datetime | None
    updated_at: datetime | None
    metadata: tuple[tuple[str, str | None], ...]
    history: tuple[HubHistory, ...]


@dataclass(frozen=True, slots=True)
class HubDocument(HubStatement):
    """A record of the list or of the detail. `complete` says whether it names a file for each event of its history.

    `raw` is the record's JSON exactly as received (UTF-8). `place` is where its files stood, None where it names none;
    `unread` how many it names in a way that was not understood.
    """

    related: tuple[HubRelated, ...]
    items: tuple[HubItem, ...]
    complete: bool
    raw: bytes
    place: str | None = None
    unread: int = 0

    @property
    def identity(self) -> str:
        """What tells this record from others of the account: id, else key, else first file, else its bytes."""
        if self.hub_id:
            return f"id:{self.hub_id}"
        if self.access_key:
            return f"key:{self.access_key}"
        if self.items:
            return f"item:{self.items[0].item_id}"
        return f"raw:{hashlib.sha256(self.raw).hexdigest()}"

    @property
    def files(self) -> tuple[tuple[str, str | None], ...]:
        """The files that it names, each once: what to download, and what event it is."""
        return tuple(dict.fromkeys((item.item_id, item.kind) for item in self.items if item.item_id))
