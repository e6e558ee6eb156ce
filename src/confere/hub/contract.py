"""The hub's record of a fiscal document as a frozen value, read from whatever shape the hub gives it.

The specification names what a record holds (access key, dates, type, subtype, CFOP, metadata, history, related
documents, `documents` with paths) and hardly a field; so several names are tried for each, and a value of the wrong
type is None. Nothing here raises on any JSON.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote, urlsplit

from confere.hub.json_text import Record
from confere.hub.values import moment, objects, pick, text

_KEY = re.compile(r"[0-9A-Z]{44}")
_KEYS = ("documentKey", "accessKey", "access_key", "key", "chave", "chaveAcesso")
_UPDATED = ("lastUpdate", "lastUpdateAt", "updatedAt", "updateDate", "lastUpdated", "updated_at")
_ITEM_IDS = ("document_item_id", "documentItemId", "itemId", "id")
_DOWNLOAD = re.compile(r"/download/([^/?#]+)/?$")


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
    """A file of the record: the `document_item_id` to download, and what event it is (as the hub names it)."""

    item_id: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class HubDocument:
    """A record of the list or of the detail. `complete` says whether the `documents` array was there.

    `access_key` is upper case and 44 long or None. `raw` is the record's JSON exactly as received (UTF-8).
    """

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
    metadata: tuple[tuple[str, str], ...]
    history: tuple[HubHistory, ...]
    related: tuple[HubRelated, ...]
    items: tuple[HubItem, ...]
    complete: bool
    raw: bytes

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


def document(record: Record) -> HubDocument | None:
    """The record as a value; None where it is no object."""
    source = record.value
    if not isinstance(source, dict):
        return None
    found = source.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    both = {**source, "metadata": metadata}
    history = tuple(_history(source))
    listed = source.get("documents")
    return HubDocument(
        hub_id=pick(source, text, "id", "_id", "documentId"),
        access_key=pick(both, access_key, *_KEYS, "metadata.documentKey", "metadata.accessKey"),
        type=pick(both, text, "type", "metadata.type"),
        subtype=pick(both, text, "subtype", "subType", "metadata.subtype"),
        cfop=pick(both, text, "cfop", "CFOP", "metadata.cfop"),
        document_type_value=pick(both, text, "documentTypeValue", "metadata.documentTypeValue"),
        marketplace=pick(both, text, "marketplace", "marketPlace", "metadata.marketplace", "metadata.marketPlace"),
        order_id=pick(both, text, "orderId", "order_id", "order.id", "metadata.orderId", "metadata.order_id"),
        created_at=pick(source, moment, "createdAt", "creationDate", "createdDate", "created", "created_at"),
        updated_at=pick(source, moment, *_UPDATED),
        metadata=_pairs(metadata),
        history=history,
        related=tuple(_related(pick(source, _some, "relatedDocuments", "related", "references"))),
        items=_items(listed, history),
        complete=isinstance(listed, list) and bool(listed),
        raw=record.raw,
    )


def access_key(value: object) -> str | None:
    """An access key without what people put around it (`NFe`, spaces), upper case; None where it is none.

    Check digit and meaning are the paper's matter, not the hub's.
    """
    found = text(value)
    if found is None:
        return None
    bare = re.sub(r"[\s.\-/]", "", found).upper()
    bare = re.sub(r"^(NFE|CTE)(?=.{44}$)", "", bare)
    return bare if _KEY.fullmatch(bare) else None


def _some(value: object) -> object | None:
    return value if isinstance(value, list | dict) else None


def _pairs(metadata: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for name, value in metadata.items():
        shown = ("true" if value else "false") if isinstance(value, bool) else text(value)
        key = text(name)
        if shown is not None and key is not None:
            pairs.append((key, shown))
    return tuple(pairs)


def _history(source: Mapping[str, object]) -> Iterator[HubHistory]:
    for entry in objects(pick(source, _some, "history", "events", "historic")):
        yield HubHistory(
            status=pick(entry, text, "status", "event", "type"),
            at=pick(entry, text, "date", "at", "createdAt", "dateTime", "timestamp"),
            protocol=pick(entry, text, "protocol", "protocolNumber", "nProt"),
            item_id=_path_id(entry.get("path")) or next(_linked(entry), None),
            description=pick(entry, text, "description", "message", "reason", "detail"),
        )


def _linked(entry: Mapping[str, object]) -> Iterator[str]:
    for link in objects(entry.get("links")):
        item_id = _from_address(text(link.get("href")) or "", only_downloads=text(link.get("rel")) != "download")
        if item_id:
            yield item_id


def _related(value: object) -> Iterator[HubRelated]:
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, str):
            entry = {"documentKey": entry}
        if isinstance(entry, dict) and entry:
            yield HubRelated(
                access_key=pick(entry, access_key, *_KEYS),
                type=text(entry.get("type")),
                relation=pick(entry, text, "relation", "relationType", "kind"),
            )


def _items(listed: object, history: tuple[HubHistory, ...]) -> tuple[HubItem, ...]:
    """Files of the `documents` array, then those that only the history links to."""
    items: dict[str, HubItem] = {}
    for entry in objects(listed):
        item_id = _path_id(entry.get("path")) or _path_id({name: entry.get(name) for name in _ITEM_IDS})
        if item_id:
            items.setdefault(item_id, HubItem(item_id, pick(entry, text, "type", "kind", "event", "status")))
    for event in history:
        if event.item_id:
            items.setdefault(event.item_id, HubItem(event.item_id, event.status))
    return tuple(items.values())


def _path_id(path: object) -> str | None:
    if isinstance(path, dict):
        return pick(path, text, *_ITEM_IDS)
    return _from_address(text(path) or "", only_downloads=False) or None


def _from_address(address: str, *, only_downloads: bool) -> str | None:
    """The id at the end of a download address; a bare id where any path will do."""
    try:
        path = urlsplit(address).path
    except ValueError:
        return None
    found = _DOWNLOAD.search(path)
    if found:
        return unquote(found[1])
    return None if only_downloads else unquote(path.rstrip("/").rpartition("/")[2]) or None
