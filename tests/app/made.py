"""Data folders for the use cases: some notes and an event, accounts, what was listed and what a hub still owes."""

from __future__ import annotations

from pathlib import Path

from confere.app.context import Workspace
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.clock import from_text
from confere.archive.hub import coverage, download_queue, hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import message
from confere.sales.hub_document import HubItem
from confere.system.secrets import token_store
from tests.archive.hub_documents import hub_document
from tests.archive.papers import EMITTER, cancellation, key, note, store

MONTH = "2026-10"
BEFORE = "2026-09"


def workspace_at(folder: Path) -> Workspace:
    """Two notes of October 2026, one of them cancelled, and one of September."""
    found = Workspace.at(folder)
    with found.writing("test") as archive:
        store(archive, note(1), note(2, day="2026-10-07", total="2.50"), cancellation(1), note(3, day="2026-09-30"))
    return found


def account(archive: Archive, name: str = "shop", environment: str = "production", *tax_ids: str) -> Account:
    """An account as `account add` leaves it without a token: the person's word that it is at this address."""
    token_store.bind(token_store.Ask(name, archive.id, "https://hub.example.com", alone=True))
    with archive.writing() as transaction:
        return accounts.add(
            transaction,
            name=name,
            environment=environment,
            address="https://hub.example.com",
            platform="confere",
            establishments=[Establishment(tax_id) for tax_id in tax_ids or (EMITTER,)],
        )


def listed(
    archive: Archive,
    account: Account,
    from_at: str,
    to_at: str,
    *,
    finished: bool = True,
    method: str = coverage.SCAN,
) -> None:
    """The account's list was read over this stretch of time (UTC text)."""
    with archive.writing() as transaction:
        window = coverage.begin(
            transaction,
            account.id,
            1,
            axis=coverage.CREATED,
            from_at=from_at,
            to_at=to_at,
            narrowed="",
            method=method,
        )
        if finished:
            coverage.finish(transaction, window.id)


def synced(archive: Archive, account: Account, outcome: str | None = "done", **counts: object) -> int:
    """A sync that ended so; one that did not with None."""
    with archive.writing() as transaction:
        number = runs.start(transaction, "sync", account.id, {"narrowed": "", "full": False})
        if outcome is not None:
            runs.finish(transaction, number, outcome, counts)
    return number


def named_by_hub(
    archive: Archive,
    account: Account,
    number: int,
    *,
    items: tuple[str, ...],
    day: str = "2026-10-09",
    time: str = "12:00:00.000",
    keyless: bool = False,
) -> None:
    """The hub lists note `number`, with these files; its record is of `day` at `time` in UTC."""
    access_key = key(number, month=day[2:4] + day[5:7])
    document = hub_document(
        f"h{number}",
        None if keyless else access_key,
        created_at=from_text(f"{day}T{time}+00:00"),
        items=tuple(HubItem(item, "AUTHORIZATION") for item in items),
        raw=f'{{"id": {number}}}'.encode(),
    )
    with archive.writing() as transaction:
        hub_records.observe(transaction, archive.vault_writer, account.id, 1, [HubRecord(document)])


def fail(archive: Archive, account: Account, item: str, content_id: int | None = None) -> None:
    """The download of `item` failed."""
    with archive.writing() as transaction:
        number = _queued(transaction, account, item)
        download_queue.mark_failed(
            transaction, [(number, message("The file at {request} came empty.", request="/v2/nfe/xml"), content_id)]
        )


def _queued(transaction: Transaction, account: Account, item: str) -> int:
    return next(
        entry.id for entry in download_queue.open_items(transaction, account.id, 0, 100) if entry.item_id == item
    )
