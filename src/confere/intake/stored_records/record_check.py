"""Holding the rows of orders, returns, products and hub records against the JSON that the archive keeps of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from confere.archive.derived import record_rows
from confere.archive.derived.record_rows import BrokenRecord, DueRecord, RecordTable, StoredRecord
from confere.archive.maintenance.health import BLOCK, VaultShare, is_in_share
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveError
from confere.intake.stored_records.due_hub_documents import hub_document
from confere.intake.stored_records.due_records import DUE

TABLES: Final = (*DUE, record_rows.HUB_DOCUMENTS)
"""What is looked at."""


def broken_records(archive: Archive, share: VaultShare, stopped: Callable[[], None]) -> tuple[BrokenRecord, ...]:
    """The records of a share whose rows are not what their JSON gives; `stopped` is called now and then.

    JSON that is missing or damaged is told with the contents, and nothing is compared with it.
    """
    broken: list[BrokenRecord] = []
    for table in TABLES:
        with archive.reading() as transaction:
            highest = record_rows.highest(transaction, table)
        for first in range(1, highest + 1, BLOCK):
            if is_in_share(share, first):
                stopped()
                with archive.reading() as transaction:
                    broken += _of_block(archive, transaction, table, first)
    return tuple(broken)


def _of_block(archive: Archive, transaction: Transaction, table: RecordTable, first: int) -> list[BrokenRecord]:
    broken: list[BrokenRecord] = []
    for record in record_rows.stored(transaction, table, first, first + BLOCK - 1):
        due = _due(archive, transaction, table, record)
        if due is not None:
            differences = record_rows.differences(table, record, due)
            if differences:
                broken.append(BrokenRecord(table, record.row.id, due, differences))
    return broken


def _due(archive: Archive, transaction: Transaction, table: RecordTable, record: StoredRecord) -> DueRecord | None:
    try:
        versions = [(version.source, archive.vault.get(transaction, version.content_id)) for version in record.versions]
        if table is record_rows.HUB_DOCUMENTS:
            return hub_document(record.row, versions)
        return DUE[table](record.row, versions[-1][1]) if versions else None
    except (ArchiveError, ValueError):
        return None
