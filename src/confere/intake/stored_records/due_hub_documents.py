"""What the row of a hub's record of a document is to be, by every version of it that the archive keeps."""

from __future__ import annotations

from collections.abc import Sequence

from confere.archive.derived.record_rows import DueRecord
from confere.archive.hub.hub_records import DETAIL, LIST, HubRecord, history_rows
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row
from confere.archive.vault.vault import digest_of
from confere.hub.documents.document_record import document
from confere.hub.json.json_reader import of_text


def hub_document(row: NamedRow, versions: Sequence[tuple[str, bytes]]) -> DueRecord | None:
    """What these versions give, each by its source, oldest first; None where one of them is no record.

    As they came: a field that a newer version does not carry keeps its last value, and what the list calls a record is
    how it is known. A digest that is not there is asked for again, and not compared.
    """
    fields: dict[str, str | None] = {}
    digests: dict[str, bytes] = {}
    history: tuple[Row, ...] = ()
    metadata: dict[str, str | None] = {}
    identities: set[str] = set()
    for source, raw in versions:
        read = document(of_text(raw))
        if read is None:
            return None
        record = HubRecord(read, None if source == LIST else 0)
        identities.add(read.identity)
        said = record.stored_fields
        if fields:
            listed_as = fields["hub_id"]
            fields = {name: said[name] or fields[name] for name in said}
            if source == DETAIL and listed_as:
                fields["hub_id"] = listed_as
        else:
            fields = said
        digests[source] = digest_of(raw)
        if read.history:
            history = history_rows(row.id, read)
        metadata |= dict(read.metadata)
    if not fields:
        return None
    columns: dict[str, object] = dict(fields)
    if row.identity not in identities:
        columns["identity"] = min(identities)
    for column, digest in (("list_digest", digests.get(LIST)), ("detail_digest", digests.get(DETAIL))):
        if getattr(row, column) is not None:
            columns[column] = digest
    parts = {
        "hub_history": history,
        "hub_metadata": tuple(sorted((row.id, name, value) for name, value in metadata.items())),
    }
    return DueRecord(columns, parts)
