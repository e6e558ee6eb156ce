"""Writes the hub's records of documents down, from its list and its details, and learns where they name their files."""

from __future__ import annotations

from collections.abc import Sequence

from confere.archive.accounts.accounts import Account
from confere.archive.hub import hub_records
from confere.archive.hub.hub_records import Observed
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.hub.documents import documents
from confere.hub.documents.document_record import HubDocument
from confere.hub.session import HubSession
from confere.intake.documents.record_conversion import to_record


class DocumentRecords:
    """The records of one sync. `changed` holds the archive's numbers of those that differ from what was known."""

    def __init__(self, archive: Archive, session: HubSession, account: Account, run_id: int) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._run_id = run_id
        self._places: list[str] = []  # where records named their files
        self.changed: set[int] = set()

    def write(self, transaction: Transaction, records: Sequence[tuple[HubDocument, int | None]]) -> list[Observed]:
        """Write these down; beside each the archive's number of the record that it is the detail of, None for the
        list's own."""
        seen = hub_records.observe(
            transaction,
            self._archive.vault_writer,
            self._account.id,
            self._run_id,
            [to_record(document, asked_of=asked_of) for document, asked_of in records],
        )
        self.changed |= {entry.hub_document_id for entry in seen if entry.changed}
        new = {document.place for document, _ in records if document.place is not None} - set(self._places)
        if new:
            self._places += sorted(new)
            self._session.shapes.learn(documents.LIST, files=", ".join(self._places))
        return seen
