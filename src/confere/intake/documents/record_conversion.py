"""From the hub's contract to the archive's record: the one place that knows both."""

from __future__ import annotations

from confere.archive.clock import utc_text
from confere.archive.hub.hub_records import DETAIL, LIST, HubHistoryLine, HubRecord
from confere.hub.documents.document_record import HubDocument


def to_record(document: HubDocument, *, asked_of: int | None = None) -> HubRecord:
    """The archive's form of what the hub's list said of a document, or the detail asked of record `asked_of`."""
    return HubRecord(
        source=LIST if asked_of is None else DETAIL,
        asked_of=asked_of,
        identity=document.identity,
        hub_id=document.hub_id,
        access_key=document.access_key,
        type=document.type,
        subtype=document.subtype,
        cfop=document.cfop,
        document_type_value=document.document_type_value,
        marketplace=document.marketplace,
        order_id=document.order_id,
        created_at=utc_text(document.created_at) if document.created_at else None,
        updated_at=utc_text(document.updated_at) if document.updated_at else None,
        metadata=tuple(dict(document.metadata).items()),
        history=tuple(
            HubHistoryLine(line.status, line.at, line.protocol, line.item_id, line.description)
            for line in document.history
        ),
        related=tuple((entry.access_key, entry.relation) for entry in document.related if entry.access_key),
        items=tuple(dict.fromkeys((item.item_id, item.kind) for item in document.items if item.item_id)),
        complete=document.complete,
        raw=document.raw,
        unread=document.unread,
    )
