"""Reads the hub's record of a fiscal document, from whatever shape the hub gives it.

The specification names what a record holds (access key, dates, type, subtype, CFOP, metadata, history, related
documents, `documents` with paths) and hardly a field; so several names are tried for each, and a value of the wrong
type is None. Where its files are is `file_places`'s matter. Nothing here raises on any JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from confere.hub.documents.file_locations import CONTAINERS, HISTORIES, Files, of_containers, of_event, otherwise
from confere.hub.json.json_reader import Record
from confere.hub.json.json_values import moment, objects, pick, text
from confere.sales.hub_document import HubDocument, HubHistory, HubItem, HubRelated

_KEY = re.compile(r"[0-9A-Z]{44}")
_KEYS = ("documentKey", "accessKey", "access_key", "key", "chave", "chaveAcesso")
_UPDATED = ("lastUpdate", "lastUpdateAt", "updatedAt", "updateDate", "lastUpdated", "updated_at")
_IDS = ("id", "_id", "documentId", "fiscalDocumentId", "fiscal_document_id", "uuid")
_WRAPPERS = ("data", "content", "fiscalDocument", "document", "result", "item", "record", "payload", "response")
_OF_RECORDS = frozenset({*_IDS, *_KEYS, *HISTORIES, *CONTAINERS, "type", "subtype", "createdAt", "lastUpdate"})
_MOST_WRAPPERS = 3
_SELF = re.compile(r"/fiscalDocuments/([^/?#]+)/?$", re.IGNORECASE)


def document(record: Record) -> HubDocument | None:
    """The record as a value, without what may be wrapped around it; None where it is no object."""
    source = unwrapped(record.value)
    if source is None:
        return None
    about = source.get("metadata")
    metadata = about if isinstance(about, dict) else {}
    both = {**source, "metadata": metadata}
    hub_id = pick(source, text, *_IDS) or _own_address(source)
    key = pick(both, access_key, *_KEYS, "metadata.documentKey", "metadata.accessKey")
    files = of_containers(source, frozenset(name for name in (hub_id, key) if name))
    history = tuple(_history(source))
    place, items = _items(source, files, history)
    return HubDocument(
        hub_id=hub_id,
        access_key=key,
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
        items=items,
        complete=bool(items) and not files.unread and len(items) >= len(history),
        raw=record.raw,
        place=place,
        unread=files.unread,
    )


def other_names(record: Record, item_id: str) -> tuple[str, ...]:
    """What else the record could call this file, for where the hub knows none by the name that was taken."""
    source = unwrapped(record.value)
    return () if source is None else otherwise(source, item_id)


def unwrapped(value: object) -> Mapping[str, object] | None:
    """The record within `{"data": …}`, a list of one and their like; None where there is no object."""
    for _ in range(_MOST_WRAPPERS):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, dict) and not _OF_RECORDS & value.keys():
            inner = next(
                (
                    value[name]
                    for name in _WRAPPERS
                    if isinstance(value.get(name), dict) or _is_list_of_one(value.get(name))
                ),
                None,
            )
            if inner is None:
                break
            value = inner
        else:
            break
    return value if isinstance(value, dict) else None


def _is_list_of_one(value: object) -> bool:
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict)


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


def _own_address(source: Mapping[str, object]) -> str | None:
    """The id in the record's link to itself."""
    for link in objects(source.get("links")):
        if (text(link.get("rel")) or "").lower() == "self":
            own = _SELF.search((text(link.get("href")) or "").partition("?")[0])
            if own:
                return text(unquote(own[1]))
    return None


def _history(source: Mapping[str, object]) -> Iterator[HubHistory]:
    for entry in objects(pick(source, _some, *HISTORIES)):
        files = of_event(entry, None).named
        yield HubHistory(
            status=pick(entry, text, "status", "event", "type"),
            at=pick(entry, text, "date", "at", "createdAt", "dateTime", "timestamp"),
            protocol=pick(entry, text, "protocol", "protocolNumber", "nProt"),
            item_id=files[0][0].item_id if files else None,
            description=pick(entry, text, "description", "message", "reason", "detail"),
        )


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


def _items(
    source: Mapping[str, object], files: Files, history: tuple[HubHistory, ...]
) -> tuple[str | None, tuple[HubItem, ...]]:
    """Files of the `documents` array, then those that only the history names, each once; and where they stood.

    Where neither names one, any address in the history or the record is taken for a file.
    """
    items = {file.item_id: HubItem(file.item_id, kind, file.address) for file, kind in reversed(files.named)}
    items = dict(reversed(items.items()))
    place = files.place
    events = tuple(objects(pick(source, _some, *HISTORIES)))
    for lenient in (False, True):
        for entry in events:
            status = pick(entry, text, "status", "event", "type")
            of_entry = of_event(entry, status, lenient=lenient)
            for file, kind in of_entry.named:
                if file.address is not None and len(items) >= len(history):
                    continue  # the same files by another name
                items.setdefault(file.item_id, HubItem(file.item_id, kind, file.address))
                place = place or f"history[].{of_entry.place}"
        if items:
            break
        of_record = of_event({n: v for n, v in source.items() if n not in CONTAINERS}, None, lenient=lenient)
        for file, _ in of_record.named:
            items.setdefault(file.item_id, HubItem(file.item_id, None, file.address))
            place = place or of_record.place
        if items:
            break
    return place, tuple(items.values())
