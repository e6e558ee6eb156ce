"""Writes the hub's records of documents down, from its list and its details, and learns where they name their files."""

from __future__ import annotations

from collections.abc import Sequence

from confere.archive.accounts.accounts import Account
from confere.archive.hub import hub_records
from confere.archive.hub.hub_records import HubRecord, Observed
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.hub.documents import documents
from confere.hub.session import HubSession


class DocumentRecords:
    """The records of one sync. `changed` holds the archive's numbers of those that differ from what was known."""

    def __init__(self, archive: Archive, session: HubSession, account: Account, run_id: int) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._run_id = run_id
        self._places: list[str] = []  # where records named their files
        self.changed: set[int] = set()

    def write(self, transaction: Transaction, records: Sequence[HubRecord]) -> list[Observed]:
        """Write these down, of the list or asked for."""
        seen = hub_records.observe(
            transaction,
            self._archive.vault_writer,
            self._account.id,
            self._run_id,
            records,
        )
        self.changed |= {entry.hub_document_id for entry in seen if entry.changed}
        new = {place for record in records if (place := record.document.place) is not None} - set(self._places)
        if new:
            self._places += sorted(new)
            self._session.shapes.learn(documents.LIST, files=", ".join(self._places))
        return seen
