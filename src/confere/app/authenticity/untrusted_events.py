"""The use case "what was said of documents and is not believed": events and answers with what speaks against them."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.archive.documents import details, event_history, lone_protocols
from confere.archive.documents.details import EventRow
from confere.archive.documents.lone_protocols import LoneAnswer
from confere.archive.transaction import Transaction
from confere.errors import Message


@dataclass(frozen=True, slots=True)
class NotBelieved:
    """An event, or an answer in a file of its own, that does not change its document's state as it says, and why.

    `at` is when it happened, as written in it.
    """

    access_key: str | None
    sha256: str
    at: str | None
    why: Message
    event: EventRow | None = None
    answer: LoneAnswer | None = None


def not_believed(workspace: Workspace) -> tuple[NotBelieved, ...]:
    """All of them: events, the newest here first, then answers."""
    with workspace.reading() as archive, archive.reading() as transaction:
        return _every(transaction)


def listed(opened: OpenArchive) -> tuple[NotBelieved, ...]:
    """As `not_believed`, for a window."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        return _every(transaction)


def _every(transaction: Transaction) -> tuple[NotBelieved, ...]:
    doubted = event_history.every_doubted(transaction)
    whys = {entry.event_id: entry.why for entry in doubted}
    keys = {entry.access_key for entry in doubted}
    events = [event for event in details.events(transaction, keys) if event.id in whys]
    events.sort(key=lambda event: event.id, reverse=True)
    answers = lone_protocols.every_doubted(transaction)
    return (
        *(NotBelieved(one.access_key, one.sha256, one.occurred_at, whys[one.id], event=one) for one in events),
        *(
            NotBelieved(one.access_key, one.sha256, one.received_at, one.doubt, answer=one)
            for one in answers
            if one.doubt is not None
        ),
    )
