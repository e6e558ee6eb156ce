"""The use cases "find documents" and "show one in full"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from confere.app.workspace import Workspace
from confere.archive import accounts, details, documents
from confere.archive.details import EventRow as EventRow
from confere.archive.details import HubWord as HubWord
from confere.archive.details import ItemRow as ItemRow
from confere.archive.details import PartyRow as PartyRow
from confere.archive.details import RelationRow as RelationRow
from confere.archive.details import VoidingRow as VoidingRow
from confere.archive.documents import DocumentRow as DocumentRow
from confere.archive.query import SORTS as SORTS
from confere.archive.query import DocumentQuery as DocumentQuery
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_ROW_ID = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a query with what the whole of it amounts to; `worth` in centavos."""

    total: int
    worth: int
    documents: tuple[DocumentRow, ...]


@dataclass(frozen=True, slots=True)
class FullDocument:
    """Everything known of one paper. `row` is None where only events of the key are here.

    `versions` are the other contents under the same key, where there are any (`row` among them).
    """

    access_key: str | None
    row: DocumentRow | None
    parties: tuple[PartyRow, ...]
    items: tuple[ItemRow, ...]
    events: tuple[EventRow, ...]
    relations: tuple[RelationRow, ...]
    related_by: tuple[RelationRow, ...]
    voiding: VoidingRow | None
    hub: tuple[HubWord, ...]
    sources: tuple[str, ...]
    versions: tuple[DocumentRow, ...]


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """Bytes that were kept and could not be read."""

    sha256: str
    size: int
    problem: Message
    sources: tuple[str, ...]


def find(workspace: Workspace, query: DocumentQuery, limit: int | None = 50, offset: int = 0) -> Listing:
    """The documents of a query; `limit` None for all."""
    with workspace.reading() as archive, archive.reading() as transaction:
        if query.account is not None and not accounts.was_ever(transaction, query.account):
            accounts.named(transaction, query.account)  # says which there are
        whole = documents.summary(transaction, query)
        rows = documents.page(transaction, query, -1 if limit is None else limit, offset)
    return Listing(whole.count, whole.total, rows)


def unreadable(workspace: Workspace) -> tuple[UnreadableFile, ...]:
    """What was received and cannot be read, with the reason."""
    with workspace.reading() as archive, archive.reading() as transaction:
        found = details.unreadable(transaction)
    return tuple(UnreadableFile(entry.sha256, entry.size, entry.problem, entry.sources) for entry in found)


def show(workspace: Workspace, name: str) -> FullDocument:
    """The paper called `name`: an access key, a SHA-256 or a row number. `NotInArchive` otherwise."""
    with workspace.reading() as archive, archive.reading() as transaction:
        if _SHA256.fullmatch(name):
            return _by_digest(transaction, name)
        if _ROW_ID.fullmatch(name):
            rows = documents.by_ids(transaction, [int(name)])
            if not rows:
                raise _unknown(name)
            return _full(transaction, rows[0])
        key = name.strip().upper()
        found = documents.versions(transaction, key)
        if found:
            return _full(transaction, documents.by_ids(transaction, found[:1])[0])
        events = details.events(transaction, [key])
        if events:
            return _only_events(transaction, key, events)
        mentioned = documents.mentioning(transaction, key)
        if not mentioned:
            raise _unknown(name)
        papers = documents.by_ids(transaction, mentioned)
        return replace(_full(transaction, papers[0]), versions=papers if len(papers) > 1 else ())


def xml(workspace: Workspace, name: str) -> bytes:
    """The exact bytes of the paper called `name`.

    `UsageFault` where a key has several contents: only a SHA-256 says which.
    """
    with workspace.reading() as archive:
        return archive.content(_content_id(archive, name))


def _content_id(archive: Archive, name: str) -> int:
    with archive.reading() as transaction:
        if _SHA256.fullmatch(name):
            content_id, _ = documents.of_digest(transaction, bytes.fromhex(name))
            if content_id is None:
                raise _unknown(name)
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
        raise _unknown(name)
    if len(contents) > 1:
        raise UsageFault(
            message("{name} has {count} different contents.", name=name, count=len(contents)),
            message("Ask for one of them by its SHA-256: {digests}.", digests=", ".join(sorted(contents.values()))),
        )
    return next(iter(contents))


def _by_digest(transaction: Transaction, name: str) -> FullDocument:
    content_id, found = documents.of_digest(transaction, bytes.fromhex(name))
    if content_id is None:
        raise _unknown(name)
    if found:
        return _full(transaction, documents.by_ids(transaction, found[:1])[0])
    events = details.events_of_content(transaction, content_id)
    if not events:
        raise NotInArchive(
            message("{name} was kept as received, but cannot be read.", name=name),
            message("See the reason with `confere list --unreadable`; get the bytes with `confere show --xml`."),
        )
    return _only_events(transaction, events[0].access_key, events)


def _full(transaction: Transaction, row: DocumentRow) -> FullDocument:
    key = row.access_key
    same_key = documents.by_ids(transaction, documents.versions(transaction, key)) if key else ()
    return FullDocument(
        access_key=key,
        row=row,
        parties=details.parties(transaction, row.id),
        items=details.items(transaction, row.id),
        events=details.events(transaction, [key]) if key else (),
        relations=details.relations_from(transaction, key) if key else (),
        related_by=details.relations_to(transaction, key) if key else (),
        voiding=details.voiding(transaction, row.id) if row.type == "voiding" else None,
        hub=details.hub_words(transaction, key, row.content_id),
        sources=details.sources(transaction, [row.content_id]).get(row.content_id, ()),
        versions=same_key if len({entry.content_id for entry in same_key}) > 1 else (),
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
    )


def _unknown(name: str) -> NotInArchive:
    return NotInArchive(
        message("The archive holds no paper called {name}.", name=name),
        message("Give an access key of 44 characters, a SHA-256 or a row number, as `confere list` shows them."),
    )
