"""Everything about one paper, put together from what the archive knows of it, however it is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from confere.app.documents.search.search_fields import row_name
from confere.archive.documents import details, documents, event_history, lone_protocols, recompute
from confere.archive.documents.details import EventRow as EventRow
from confere.archive.documents.details import HubWord as HubWord
from confere.archive.documents.details import RelationRow as RelationRow
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.lone_protocols import LoneAnswer as LoneAnswer
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.fiscal.document_parts import Item, Party
from confere.fiscal.model import Voiding
from confere.fiscal.state import LaterDocument
from confere.fiscal.state_evidence import ReportedEvent

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_ROW_ID = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class FullDocument:
    """Everything known of one paper. `row` is None where only events of the key are here.

    `versions` are the other contents under the same key, where there are any (`row` among them). `changes` are the
    documents here that complement, replace or annul it. `told` are the events that may change its state, `doubts` says
    of those that are not believed, by the number of their row, why. `answers` are the authority's in files of their
    own. `signed_digest` is its signature's, where no answer stands beside it.
    """

    access_key: str | None
    row: DocumentRow | None
    parties: tuple[Party, ...]
    items: tuple[Item, ...]
    events: tuple[EventRow, ...]
    relations: tuple[RelationRow, ...]
    related_by: tuple[RelationRow, ...]
    voiding: Voiding | None
    hub: tuple[HubWord, ...]
    sources: tuple[str, ...]
    versions: tuple[DocumentRow, ...]
    changes: tuple[LaterDocument, ...] = ()
    told: tuple[ReportedEvent, ...] = ()
    answers: tuple[LoneAnswer, ...] = ()
    signed_digest: str | None = None
    doubts: Mapping[int, Message] = field(default_factory=dict)


def named(transaction: Transaction, name: str) -> FullDocument:
    """The paper called `name`: an access key, a SHA-256 or a row number. `NotInArchive` otherwise."""
    if _SHA256.fullmatch(name):
        return _by_digest(transaction, name)
    if _ROW_ID.fullmatch(name):
        rows = documents.by_ids(transaction, [int(name)])
        if not rows:
            raise unknown(name)
        return full(transaction, rows[0])
    key = name.strip().upper()
    found = documents.versions(transaction, key)
    if found:
        return full(transaction, documents.by_ids(transaction, found[:1])[0])
    events = details.events(transaction, [key])
    if events:
        return _only_events(transaction, key, events)
    mentioned = documents.mentioning(transaction, key)
    if not mentioned:
        raise unknown(name)
    papers = documents.by_ids(transaction, mentioned)
    return replace(full(transaction, papers[0]), versions=papers if len(papers) > 1 else ())


def every_named(transaction: Transaction, name: str) -> tuple[FullDocument, ...]:
    """As `named`; of a SHA-256 every paper of that content, since a lot holds many."""
    first = named(transaction, name)
    if not _SHA256.fullmatch(name) or first.row is None:
        return (first,)
    content_id, found = documents.of_digest(transaction, bytes.fromhex(name))
    assert content_id is not None  # `named` has found it
    papers = [full(transaction, row) for row in documents.by_ids(transaction, found)]
    keys = {paper.access_key for paper in papers}
    others: dict[str | None, list[EventRow]] = {}
    for event in details.events_of_content(transaction, content_id):
        if event.access_key is None or event.access_key not in keys:
            others.setdefault(event.access_key, []).append(event)
    return (*papers, *(_only_events(transaction, key, tuple(events)) for key, events in others.items()))


def content_id(transaction: Transaction, name: str) -> int:
    """The content of the paper called `name`; `UsageFault` where a key has several: only a SHA-256 says which."""
    if _SHA256.fullmatch(name):
        content_id, _ = documents.of_digest(transaction, bytes.fromhex(name))
        if content_id is None:
            raise unknown(name)
        return content_id
    if _ROW_ID.fullmatch(name):
        rows = documents.by_ids(transaction, [int(name)])
    else:
        key = name.strip().upper()
        rows = documents.by_ids(transaction, documents.versions(transaction, key))
        if not rows:
            events = details.events(transaction, [key])
            contents = {event.content_id: event.sha256 for event in events}
            mentioned = documents.by_ids(transaction, documents.mentioning(transaction, key))
            return _only_one(name, contents or {row.content_id: row.sha256 for row in mentioned})
    return _only_one(name, {row.content_id: row.sha256 for row in rows})


def _only_one(name: str, contents: dict[int, str]) -> int:
    if not contents:
        raise unknown(name)
    if len(contents) > 1:
        raise UsageFault(
            message("{name} has {count} different contents.", name=name, count=len(contents)),
            message("Ask for one of them by its SHA-256: {digests}.", digests=", ".join(sorted(contents.values()))),
        )
    return next(iter(contents))


def _by_digest(transaction: Transaction, name: str) -> FullDocument:
    content_id, found = documents.of_digest(transaction, bytes.fromhex(name))
    if content_id is None:
        raise unknown(name)
    if found:
        return full(transaction, documents.by_ids(transaction, found[:1])[0])
    events = details.events_of_content(transaction, content_id)
    if not events:
        raise NotInArchive(
            message("{name} was kept as received, but cannot be read.", name=name),
            message("See the reason with `confere list --unreadable`; get the bytes with `confere show --xml`."),
        )
    return _only_events(transaction, events[0].access_key, events)


def full(transaction: Transaction, row: DocumentRow) -> FullDocument:
    """The paper of a row."""
    key = row.access_key
    same_key = documents.by_ids(transaction, documents.versions(transaction, key)) if key else ()
    return FullDocument(
        access_key=key,
        row=documents.marked(transaction, [row])[0],
        parties=details.parties(transaction, row.id),
        items=details.items(transaction, row.id),
        events=details.events(transaction, [key]) if key else (),
        relations=details.relations_from(transaction, key) if key else (),
        related_by=details.relations_to(transaction, key) if key else (),
        voiding=details.voiding(transaction, row.id) if row.type == "voiding" else None,
        hub=details.hub_words(transaction, key, row.content_id),
        sources=details.sources(transaction, [row.content_id]).get(row.content_id, ()),
        versions=same_key if len({entry.content_id for entry in same_key}) > 1 else (),
        changes=recompute.changes_of(transaction, [key]).get(key, ()) if key else (),
        signed_digest=documents.signed_digest(transaction, row.id),
        **_events_weighed(transaction, key),
    )


def _only_events(transaction: Transaction, key: str | None, events: tuple[EventRow, ...]) -> FullDocument:
    contents = [event.content_id for event in events]
    return FullDocument(
        access_key=key,
        row=None,
        parties=(),
        items=(),
        events=events,
        relations=(),
        related_by=details.relations_to(transaction, key) if key else (),
        voiding=None,
        hub=details.hub_words(transaction, key, contents[0]) if key else (),
        sources=tuple(name for names in details.sources(transaction, contents).values() for name in names),
        versions=(),
        **_events_weighed(transaction, key),
    )


def _events_weighed(transaction: Transaction, key: str | None) -> dict[str, Any]:
    if key is None:
        return {}
    doubted = event_history.doubted(transaction, [key])
    return {
        "told": event_history.told(transaction, [key]).get(key, ()),
        "answers": lone_protocols.of(transaction, [key]),
        "doubts": {entry.event_id: entry.why for entry in doubted},
    }


def unknown(name: str) -> NotInArchive:
    """What to raise where nothing is called so."""
    return NotInArchive(
        message("The archive holds no paper called {name}.", name=name),
        message(
            "Give an access key of 44 characters, a SHA-256 or the archive's row ({row}), as `confere list` shows "
            "them.",
            row=row_name(1791),
        ),
    )
