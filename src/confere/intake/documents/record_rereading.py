"""Reading the hub's records that the archive keeps once more: for the newest address of a file, by a newer reader."""

from __future__ import annotations

from collections.abc import Iterator

from confere.archive.clock import utc_now
from confere.archive.hub import download_queue, hub_traits, unreadable_records
from confere.archive.hub.download_queue import Queued, RequestedFiles
from confere.archive.hub.hub_traits import StoredTrait
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault.reader import VaultReader
from confere.errors import ArchiveCorrupt, NotInArchive
from confere.hub.documents import documents
from confere.hub.documents.document_record import document, other_names
from confere.hub.documents.file_locations import READER
from confere.hub.json.json_reader import Record, of_text
from confere.sales.hub_document import HubDocument

_TRAIT = f"{documents.LIST}.files_reader"  # the version of the reader that last looked at what was not understood


def is_address(item_id: str) -> bool:
    """Whether a file lies in a storage, at an address whose signature its name leaves out."""
    return item_id.startswith(("https://", "http://"))


def address_in(record: HubDocument, item_id: str) -> str | None:
    """The full address by which this answer names the file; None where it does not name it."""
    return next((item.address for item in record.items if item.item_id == item_id and item.address), None)


def newest_address(transaction: Transaction, vault: VaultReader, queued: Queued) -> str:
    """The address by which the file was named last, signature included; its bare name where no record names it."""
    newest = queued.item_id
    for _, record in _records(transaction, vault, {queued.hub_document_id}):
        newest = address_in(record, queued.item_id) or newest
    return newest


def other_names_of(transaction: Transaction, vault: VaultReader, queued: Queued) -> tuple[str, ...]:
    """What else the newest record that names this file could call it."""
    names: tuple[str, ...] = ()
    for _, record in _answers(transaction, vault, {queued.hub_document_id}):
        names = other_names(record, queued.item_id) or names
    return names


def read_by_this_release(archive: Archive, account_id: int) -> None:
    """Look once more at every record without files, as received, where an older release knew fewer shapes.

    What is still not understood is named so, and its detail is asked for again.
    """
    with archive.reading() as transaction:
        known = {trait.trait: trait.value for trait in hub_traits.read(transaction, account_id)}
        if known.get(_TRAIT) == READER:
            return
    with archive.writing() as transaction:
        hub_traits.learn(transaction, account_id, {_TRAIT: StoredTrait(_TRAIT, READER, utc_now())})
        without = unreadable_records.without_files(transaction, account_id)
        newest: dict[int, HubDocument] = {}
        for number, record in _records(transaction, archive.vault, set(without)):
            if number not in newest or (record.items and not record.unread):
                newest[number] = record
        download_queue.enqueue(
            transaction,
            account_id,
            [
                RequestedFiles(
                    number,
                    tuple((item.item_id, item.kind) for item in record.items),
                    None if record.complete else without[number],
                )
                for number, record in newest.items()
            ],
        )
        unreadable_records.judge(
            transaction,
            {
                number: unreadable_records.FilesNamed(
                    len(record.items), record.unread, len(record.history), nameless=without[number] is None
                )
                for number, record in newest.items()
            },
        )


def _records(
    transaction: Transaction, vault: VaultReader, hub_document_ids: set[int]
) -> Iterator[tuple[int, HubDocument]]:
    """The newest answers about these records that are records, oldest first."""
    for number, answer in _answers(transaction, vault, hub_document_ids):
        record = document(answer)
        if record is not None:
            yield number, record


def _answers(transaction: Transaction, vault: VaultReader, hub_document_ids: set[int]) -> Iterator[tuple[int, Record]]:
    for number, content_id in unreadable_records.newest(transaction, hub_document_ids):
        try:
            yield number, of_text(vault.get(transaction, content_id))
        except (ValueError, ArchiveCorrupt, NotInArchive):  # a lost version: the others speak
            continue
