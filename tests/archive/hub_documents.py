"""A record of a hub as a test needs it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from confere.sales.hub_document import HubDocument, HubHistory


def hub_document(hub_id: str | None, access_key: str | None, **changes: Any) -> HubDocument:
    """A note that a hub lists, of which it says nothing more than `changes`."""
    bare = HubDocument(
        hub_id=hub_id,
        access_key=access_key,
        type="NFE",
        subtype=None,
        cfop=None,
        document_type_value=None,
        marketplace=None,
        order_id=None,
        created_at=None,
        updated_at=None,
        metadata=(),
        history=(),
        related=(),
        items=(),
        complete=True,
        raw=b"{}",
    )
    return replace(bare, **changes)


def history(*statuses: str, protocol: str | None = None) -> tuple[HubHistory, ...]:
    """A history of these statuses and nothing else."""
    return tuple(HubHistory(status, None, protocol, None, None) for status in statuses)
