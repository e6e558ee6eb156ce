"""The hub's own word about each document: every version of its record as received, and its latest as rows.

What the hub says stays beside what the XML says; neither overwrites the other. A list may lack what the detail
has, so a field that a newer record does not carry keeps its last known value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from confere.archive.clock import utc_now, utc_text
from confere.archive.documents.recorder import CLAIMED_BY_HUB, UNSPECIFIED, claim_relations
from confere.archive.hub import download_queue, hub_columns, unreadable_records
from confere.archive.schema.schema import hub_document, hub_history, hub_record
from confere.archive.transaction import Row, Transaction
from confere.archive.vault import damage
from confere.archive.vault.vault import Blob, Family, VaultWriter, digest_of, find
from confere.sales.hub_document import HubDocument

_SPEAKERS = (("download", "hub_document_id"), ("hub_record", "hub_document_id"), ("hub_history", "hub_document_id"))
NOT_LISTED = 0
LIST = "list"
DETAIL = "detail"
_TIMES = ("created_at", "updated_at")
_FIELDS = (
    "hub_id",
    "access_key",
    "type",
    "subtype",
    "cfop",
    "document_type_value",
    "marketplace",
    "order_id",
    *_TIMES,
)


class HubRecord(NamedTuple):
    """A record to write down: of the list, or the detail that was asked for.

    `asked_of` is the archive's number of the record that a detail was asked for, `NOT_LISTED` where it was asked for by
    an id that no record has yet, None for the list's own.
    """

    document: HubDocument
    asked_of: int | None = None

    @property
    def source(self) -> str:
        return LIST if self.asked_of is None else DETAIL

    @property
    def stored_fields(self) -> dict[str, str | None]:
        """What the archive keeps of the document in columns, by name; times are UTC text."""
        fields = {name: getattr(self.document, name) for name in _FIELDS}
        for name in _TIMES:
            fields[name] = utc_text(fields[name]) if fields[name] else None
        return fields


@dataclass(frozen=True, slots=True)
class Observed:
    """What observing one record did."""

    hub_document_id: int
    new: bool  # this account never listed it before
    changed: bool  # its record differs from the last one of the same source
    already: int  # items whose XML was here


@dataclass(slots=True)
class _Known:
    id: int
    identity: str
    fields: dict[str, str | None]
    digests: dict[str, bytes | None]


def observe(
    transaction: Transaction, vault: VaultWriter, account_id: int, run_id: int, records: Sequence[HubRecord]
) -> list[Observed]:
    """Write down these records, queue what they name and the archive lacks; one `Observed` for each."""
    known = _Index(transaction, account_id, records)
    digests = [digest_of(record.document.raw) for record in records]
    versions: list[tuple[int, HubRecord, bytes]] = []
    inserts: list[Row] = []
    updates: list[Row] = []
    latest: dict[int, HubDocument] = {}
    forsaken: set[str] = set()
    rekeyed: set[int] = set()
    outcome: list[Observed] = []
    for record, digest in zip(records, digests, strict=True):
        before = known.match(record)
        identity = record.document.identity
        fields = record.stored_fields
        if before is None:
            if not transaction.has_counted(hub_document):  # downloads may speak of a record that was lost
                transaction.count_from(hub_document, transaction.highest(_SPEAKERS))
            number = transaction.new_ids(hub_document, 1)[0]
            entry = _Known(number, identity, fields, {LIST: None, DETAIL: None})
            entry.digests[record.source] = digest
            known.add(entry)
            inserts.append(
                (
                    number,
                    account_id,
                    identity,
                    *fields.values(),
                    entry.digests[LIST],
                    entry.digests[DETAIL],
                    run_id,
                    run_id,
                    None,
                    None,
                )
            )
            changed = True
        else:
            entry = before
            changed = entry.digests[record.source] != digest
            if changed:
                if fields["access_key"] and entry.fields["access_key"]:
                    forsaken.add(entry.fields["access_key"])
                    if fields["access_key"] != entry.fields["access_key"]:
                        rekeyed.add(entry.id)
                listed_as = entry.fields["hub_id"]
                entry.fields = {name: fields[name] or entry.fields[name] for name in _FIELDS}
                if record.source == DETAIL and listed_as:
                    entry.fields["hub_id"] = listed_as  # what the list calls it is how it is known again
                entry.digests[record.source] = digest
                hub_id = record.document.hub_id
                if hub_id and hub_id == entry.fields["hub_id"] and known.is_free(identity):
                    entry.identity = identity  # its id is known now: it will be looked for by that
                known.add(entry)
            said = (*entry.fields.values(), entry.digests[LIST], entry.digests[DETAIL])
            updates.append((entry.identity, *said, run_id, entry.id))
        if changed:
            versions.append((entry.id, record, digest))
            latest[entry.id] = record.document
        outcome.append(Observed(entry.id, before is None, changed, 0))
    transaction.insert(hub_document, inserts)
    assignments = ", ".join(f"{name} = ?" for name in _FIELDS)
    transaction.execute_many(
        f"UPDATE hub_document SET identity = ?, {assignments}, list_digest = ?, detail_digest = ?,"
        " last_run_id = ? WHERE id = ?",
        updates,
    )
    _keep_versions(transaction, vault, run_id, versions)
    _restore_records(transaction, vault, outcome, records, digests)
    _replace_rows(transaction, latest)
    _claim(transaction, {number: known.by_id[number] for number in latest}, latest)
    keys = {key for number in latest if (key := known.by_id[number].fields["access_key"])}
    hub_columns.settle_keys(transaction, keys, forsaken=forsaken - keys)
    hub_columns.settle_downloads(transaction, latest)
    asked = [
        _asked_by(known.by_id[seen.hub_document_id])
        if seen.changed and record.source == LIST and not record.document.complete
        else None
        for seen, record in zip(outcome, records, strict=True)
    ]
    already = download_queue.enqueue(
        transaction,
        account_id,
        [
            download_queue.RequestedFiles(
                seen.hub_document_id, record.document.files, ask, other_key=seen.hub_document_id in rekeyed
            )
            for seen, record, ask in zip(outcome, records, asked, strict=True)
        ],
    )
    unreadable_records.judge(
        transaction,
        {
            seen.hub_document_id: unreadable_records.FilesNamed(
                len(record.document.files),
                record.document.unread,
                len(record.document.history),
                nameless=_asked_by(known.by_id[seen.hub_document_id]) is None,
            )
            for seen, record, ask in zip(outcome, records, asked, strict=True)
            if record.source == DETAIL or record.document.complete or (seen.changed and ask is None)
        },
    )
    return [
        Observed(seen.hub_document_id, seen.new, seen.changed, count)
        for seen, count in zip(outcome, already, strict=True)
    ]


class KnownRecord(NamedTuple):
    """A record that the archive has under an id of the hub, and the digests of what was last received of it."""

    id: int
    digests: frozenset[bytes | None]


def known_by_hub_id(transaction: Transaction, account_id: int, hub_ids: Collection[str]) -> dict[str, KnownRecord]:
    """The account's records that have these ids, by id."""
    identities = {f"id:{hub_id}": hub_id for hub_id in hub_ids}
    rows = transaction.named_in(
        "SELECT id, identity, list_digest, detail_digest FROM hub_document"
        f" WHERE account_id = {int(account_id)} AND identity IN {{}}",
        identities,
    )
    return {
        identities[row.identity]: KnownRecord(row.id, frozenset((row.list_digest, row.detail_digest))) for row in rows
    }


def _asked_by(entry: _Known) -> str | None:
    """What the record in full is asked for by; None where the hub gave neither an id nor a key."""
    return entry.fields["hub_id"] or entry.fields["access_key"]


class _Index:
    """The archive's records that a page may speak of: the one a detail was asked for, else by id, key, identity."""

    def __init__(self, transaction: Transaction, account_id: int, records: Sequence[HubRecord]) -> None:
        self.by_id: dict[int, _Known] = {}
        self._by_hub_id: dict[str, _Known] = {}
        self._by_key: dict[str, _Known] = {}
        self._by_identity: dict[str, _Known] = {}
        columns = ", ".join(("id", "identity", *_FIELDS, "list_digest", "detail_digest"))
        # The sign keeps SQLite from reading a whole account where the other column has the better index.
        wanted: list[tuple[str, set[str] | set[int]]] = [
            ("account_id = {} AND identity", {record.document.identity for record in records}),
            ("+account_id = {} AND access_key", {key for record in records if (key := record.document.access_key)}),
            ("+account_id = {} AND id", {record.asked_of for record in records if record.asked_of is not None}),
        ]
        for condition, values in wanted:
            for row in transaction.named_in(
                f"SELECT {columns} FROM hub_document WHERE {condition.format(int(account_id))} IN {{}}",
                values,
            ):
                known = self.by_id.get(row.id)
                if known is None:
                    fields = {name: getattr(row, name) for name in _FIELDS}
                    known = _Known(row.id, row.identity, fields, {LIST: row.list_digest, DETAIL: row.detail_digest})
                self.add(known)

    def is_free(self, identity: str) -> bool:
        """Whether no other record is called so."""
        return identity not in self._by_identity

    def add(self, entry: _Known) -> None:
        self.by_id[entry.id] = entry
        self._by_identity[entry.identity] = entry
        if entry.fields["hub_id"]:
            self._by_hub_id[entry.fields["hub_id"]] = entry
        if entry.fields["access_key"]:
            self._by_key.setdefault(entry.fields["access_key"], entry)

    def match(self, record: HubRecord) -> _Known | None:
        if record.asked_of in self.by_id:
            return self.by_id[record.asked_of]
        document = record.document
        if document.hub_id and document.hub_id in self._by_hub_id:
            return self._by_hub_id[document.hub_id]
        if document.access_key and document.access_key in self._by_key:
            known = self._by_key[document.access_key]
            if not (document.hub_id and known.fields["hub_id"]):  # two ids on one key are two records
                return known
        return self._by_identity.get(document.identity)


def _keep_versions(
    transaction: Transaction, vault: VaultWriter, run_id: int, versions: Sequence[tuple[int, HubRecord, bytes]]
) -> None:
    held = find(transaction, {digest for _, _, digest in versions})
    new = {digest: record.document.raw for _, record, digest in versions if digest not in held}
    ids = vault.put(transaction, [Blob(raw, digest, Family.JSON) for digest, raw in new.items()])
    held.update(zip(new, ids, strict=True))
    now = utc_now()
    numbers = transaction.new_ids(hub_record, len(versions))
    transaction.insert(
        hub_record,
        [
            (number, owner, record.source, held[digest], now, run_id)
            for number, (owner, record, digest) in zip(numbers, versions, strict=True)
        ],
    )


def _restore_records(
    transaction: Transaction,
    vault: VaultWriter,
    outcome: Sequence[Observed],
    records: Sequence[HubRecord],
    digests: Sequence[bytes],
) -> None:
    """Bring back what the vault lost of records that the hub gives as they were: their digest is known."""
    broken = damage.noted(transaction)
    if not broken:
        return
    unchanged = {
        (seen.hub_document_id, record.source): (record.document.raw, digest)
        for seen, record, digest in zip(outcome, records, digests, strict=True)
        if not seen.changed
    }
    latest: dict[tuple[int, str], int] = {}
    for owner, source, content_id in transaction.fetch_in(
        "SELECT hub_document_id, source, content_id FROM hub_record WHERE hub_document_id IN {} ORDER BY id",
        {owner for owner, _ in unchanged},
    ):
        latest[owner, source] = content_id
    for known, (raw, digest) in unchanged.items():
        content_id = latest.get(known)
        if content_id in broken:
            vault.restore(transaction, content_id, Blob(raw, digest, Family.JSON))
            damage.clear(transaction, [content_id])


def _replace_rows(transaction: Transaction, latest: dict[int, HubDocument]) -> None:
    with_history = {number: document for number, document in latest.items() if document.history}
    transaction.execute_many(
        "DELETE FROM hub_history WHERE hub_document_id = ?", [(number,) for number in with_history]
    )
    transaction.insert(
        hub_history,
        [row for number, document in with_history.items() for row in history_rows(number, document)],
    )
    transaction.execute_many(
        "INSERT INTO hub_metadata (hub_document_id, name, value) VALUES (?, ?, ?)"
        " ON CONFLICT (hub_document_id, name) DO UPDATE SET value = excluded.value",
        [(number, name, value) for number, document in latest.items() for name, value in document.metadata],
    )


def history_rows(hub_document_id: int, document: HubDocument) -> tuple[Row, ...]:
    """The rows of what the hub says happened to a document."""
    return tuple(
        (hub_document_id, position, line.status, line.at, line.protocol, line.item_id, line.description)
        for position, line in enumerate(document.history)
    )


def _claim(transaction: Transaction, known: dict[int, _Known], latest: dict[int, HubDocument]) -> None:
    relations: dict[tuple[str, str, str], None] = {}
    for number, document in latest.items():
        source = known[number].fields["access_key"]
        if source:
            for related in document.related:
                if related.access_key and related.access_key != source:
                    relations[(source, related.access_key, UNSPECIFIED)] = None
    claim_relations(transaction, relations, CLAIMED_BY_HUB)


def is_record(transaction: Transaction, content_id: int) -> bool:
    """Whether this content is a record as the hub gave it."""
    return transaction.scalar("SELECT 1 FROM hub_record WHERE content_id = ?", (content_id,)) is not None


def forget_versions(transaction: Transaction) -> None:
    """Take every record for new when it is listed next, so that each is asked for its files again."""
    transaction.execute("UPDATE hub_document SET list_digest = NULL, detail_digest = NULL")
