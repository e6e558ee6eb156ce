"""The use case "save this XML": the exact bytes of the vault under the name that accounting systems expect."""

from __future__ import annotations

import hashlib
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse
from confere.app.documents.browse import DocumentRow
from confere.app.documents.full_document import EventRow
from confere.archive.documents.export_queries import DocumentSheet, EventSheet
from confere.errors import EnvironmentFault, message
from confere.export.months import month_of
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.name_templates import Templates
from confere.export.package.paper_names import Naming
from confere.fiscal import access_keys, document_models
from confere.fiscal.model import Voiding
from confere.system.files.atomic_file import storage_fault, write_bytes

_NOWHERE = "2000-01"  # the standard file names hold neither month nor company


def document_name(row: DocumentRow, voiding: Voiding | None = None) -> str:
    """The standard name of a document's file: `KEY-procNFe.xml` and its kin."""
    sheet = DocumentSheet(
        id=row.id,
        content_id=row.content_id,
        digest=bytes.fromhex(row.sha256),
        size=0,
        type=row.type,
        access_key=row.access_key,
        model=row.model,
        series=row.series,
        number=row.number,
        issued_at=row.issued_at,
        issued_on=row.issued_on,
        emitter_tax_id=row.emitter_tax_id,
        recipient_tax_id=row.recipient_tax_id,
        state=row.state,
        cstat=row.cstat,
        direction="",
        documents_in_file=1,
        events_in_file=0,
        verdict=None,
    )
    if row.type == "voiding":
        return _naming().voiding(sheet, voiding, registered=row.state == "voided")
    return _naming().document(sheet)


def event_name(event: EventRow) -> str:
    """The standard name of an event's file: `KEY-110111-1-procEventoNFe.xml` and its kin."""
    key = event.access_key or f"no-key-{event.sha256[:16]}"
    sheet = EventSheet(
        id=event.id,
        content_id=event.content_id,
        digest=bytes.fromhex(event.sha256),
        size=0,
        access_key=key,
        code=event.code,
        sequence=event.sequence,
        occurred_at=event.occurred_at,
        registered=int(event.registered),
        type="",
        model=document_models.model_of(key) if len(key) in access_keys.LENGTHS else None,
        state="",
        issued_on="",
        direction="",
        documents_in_file=0,
        events_in_file=1,
        verdict=None,
    )
    return _naming().event(sheet)


def save(opened: OpenArchive, sha256: str, path: Path) -> None:
    """Write the content with this SHA-256 to `path`, byte for byte, in place of what is there, and read it back.

    Raises `DiskFull` or `EnvironmentFault`, and what `browsing.content` raises.
    """
    write_bytes(path, browse.content(opened, sha256))
    try:
        written = path.read_bytes()
    except OSError as error:
        raise storage_fault(error, path) from error
    if hashlib.sha256(written).hexdigest() != sha256.lower():
        raise EnvironmentFault(
            message("What stands in {path} is not what was written there.", path=str(path)),
            message("The disk may be failing: save it on another one. The archive has the right bytes."),
        )


def _naming() -> Naming:
    return Naming("", month_of(_NOWHERE), Profile.WITH_CANCELLATIONS, Templates())
