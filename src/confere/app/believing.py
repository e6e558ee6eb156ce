"""The use case "what was said of documents and is not believed": events whose own verdict speaks against them."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.workspace import Workspace
from confere.archive import details, happenings
from confere.archive.details import EventRow
from confere.errors import Message


@dataclass(frozen=True, slots=True)
class NotBelieved:
    """An event that does not change its document's state as its file says, and why."""

    event: EventRow
    why: Message


def not_believed(workspace: Workspace) -> tuple[NotBelieved, ...]:
    """All of them, the newest first."""
    with workspace.reading() as archive, archive.reading() as transaction:
        found = happenings.every_doubted(transaction)
        whys = {entry.event_id: entry.why for entry in found}
        keys = {entry.access_key for entry in found}
        events = [event for event in details.events(transaction, keys) if event.id in whys]
    return tuple(
        NotBelieved(event, whys[event.id]) for event in sorted(events, key=lambda event: event.id, reverse=True)
    )
