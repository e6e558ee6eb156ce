"""Holding the relations that hubs claim against every version of their records that the archive keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection

from confere.archive.derived import hub_claims, record_rows
from confere.archive.derived.hub_claims import HubClaim
from confere.archive.maintenance.health import BLOCK, VaultShare, is_in_share
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveError
from confere.hub.documents.document_record import document
from confere.hub.json.json_reader import of_text


def wrong_claims(archive: Archive, share: VaultShare, stopped: Callable[[], None]) -> tuple[HubClaim, ...]:
    """Pairs of keys that a hub relates and that are not there, and those that no record of the hub relates.

    Records whose JSON is missing or damaged are told with the contents, and nothing is compared with them.
    """
    with archive.reading() as transaction:
        highest = record_rows.highest(transaction, record_rows.HUB_DOCUMENTS)
    wrong: list[HubClaim] = []
    for first in range(1, highest + 1, BLOCK):
        if is_in_share(share, first):
            stopped()
            with archive.reading() as transaction:
                wrong += _of_keys(archive, transaction, hub_claims.first_keys(transaction, first, first + BLOCK - 1))
    return tuple(wrong)


def _of_keys(archive: Archive, transaction: Transaction, keys: Collection[str]) -> list[HubClaim]:
    due: dict[str, set[str]] = {key: set() for key in keys}
    for key, content_id in hub_claims.versions(transaction, keys):
        if key in due:
            related = _related(archive, transaction, content_id, key)
            if related is None:
                del due[key]
            else:
                due[key] |= related
    stored = hub_claims.stored(transaction, keys)
    wrong: list[HubClaim] = []
    for key, targets in due.items():
        wrong += (HubClaim(key, target, is_due=True) for target in sorted(targets - stored.get(key, set())))
        wrong += (HubClaim(key, target, is_due=False) for target in sorted(stored.get(key, set()) - targets))
    return wrong


def _related(archive: Archive, transaction: Transaction, content_id: int, key: str) -> set[str] | None:
    """What this version relates its document to; None where it cannot be read."""
    try:
        record = document(of_text(archive.vault.get(transaction, content_id)))
    except (ArchiveError, ValueError):
        return None
    if record is None:
        return None
    return {one.access_key for one in record.related if one.access_key and one.access_key != key}
