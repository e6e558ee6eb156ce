"""The use case "what did a hub say that was not understood": its records, and its answers as they came."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.context import Workspace
from confere.archive.hub import unreadable_records as records
from confere.archive.hub.unreadable_records import UnreadRecord as UnreadRecord
from confere.errors import ArchiveCorrupt, NotInArchive


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record with what the hub answered, JSON as it came: the list's and the detail's, the newest last."""

    record: UnreadRecord
    answers: tuple[str, ...]


def not_understood(workspace: Workspace) -> tuple[UnreadRecord, ...]:
    """The records of all accounts in use of which no file was understood, oldest first."""
    with workspace.reading() as archive, archive.reading() as transaction:
        return records.records(transaction)


def called(workspace: Workspace, name: str) -> tuple[RawRecord, ...]:
    """Those that go by this access key, hub's id or name, of every account."""
    found = []
    with workspace.reading() as archive, archive.reading() as transaction:
        for record in records.called(transaction, name):
            answers = []
            for _, content_id in records.newest(transaction, [record.hub_document_id]):
                try:
                    answers.append(archive.vault.get(transaction, content_id).decode("utf-8", "replace"))
                except (ArchiveCorrupt, NotInArchive):  # the other answer may still be whole
                    continue
            found.append(RawRecord(record, tuple(answers)))
    return tuple(found)
