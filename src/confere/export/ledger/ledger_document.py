"""A document of the ledger: its row in the archive, and what its XML says beyond it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from confere.archive.documents.export_queries import DocumentSheet
from confere.errors import PaperError
from confere.fiscal.detail import FreightDetail, NoteDetail
from confere.fiscal.document_parts import Totals
from confere.fiscal.ledger.item_taxes import ItemTaxes, items_of
from confere.fiscal.model import IN_EFFECT, Document, Voiding
from confere.fiscal.reading.document import read

_EFFECTIVE = frozenset(state.value for state in IN_EFFECT)


class WrittenDocument(NamedTuple):
    """What a document's XML says. `regime` is the emitter's CRT; `recipient_state` `EX` abroad."""

    emitter_name: str | None
    recipient_name: str | None
    recipient_state: str | None
    regime: str | None
    operation: str | None  # natOp
    purpose: str | None  # finNFe
    final_consumer: str | None  # indFinal
    recipient_indicator: str | None  # indIEDest
    totals: Totals
    items: tuple[ItemTaxes, ...]
    voiding: Voiding | None = None


class LedgerDocument(NamedTuple):
    """A document of the company. `written` is None where its bytes cannot be read."""

    sheet: DocumentSheet
    written: WrittenDocument | None
    is_own: bool  # the company issued it

    @property
    def in_effect(self) -> bool:
        """Whether the document is authorized, and nothing registered took the effect away: only then it counts."""
        return self.sheet.state in _EFFECTIVE


Task = tuple[int, list[tuple[bytes | None, str | None]]]
"""The number of a stretch of documents, and of each its bytes (None where they are lost) and access key."""
Answer = tuple[int, list[WrittenDocument | None]]


def prepare() -> Callable[[Task], Answer]:
    """The work of a reading process, for `confere.system.processes.worker_pool`."""
    return _read_stretch


def _read_stretch(task: Task) -> Answer:
    number, documents = task
    return number, [None if data is None else written(data, access_key) for data, access_key in documents]


def written(data: bytes, access_key: str | None) -> WrittenDocument | None:
    """What the document `access_key` in `data` says; None where it cannot be read or is not in it."""
    try:
        paper = read(data, whole=True)
    except PaperError:
        return None
    document = next((document for document in paper.documents if document.access_key == access_key), None)
    if document is not None:
        return _of(document)
    if paper.voidings:
        return WrittenDocument(*(None,) * 8, Totals(), (), paper.voidings[0])
    return None


def _of(document: Document) -> WrittenDocument:
    detail = document.detail
    regime = indicator = consumer = None
    if isinstance(detail, NoteDetail):
        consumer = detail.final_consumer
        regime = next((full.tax_regime for full in detail.parties if full.party.role == "emitter"), None)
        indicator = next(
            (full.registration_indicator for full in detail.parties if full.party.role == "recipient"), None
        )
    elif isinstance(detail, FreightDetail):
        regime = next((full.tax_regime for full in detail.parties if full.party.role == "emitter"), None)
    emitter, recipient = document.party("emitter"), document.party("recipient")
    return WrittenDocument(
        emitter.name if emitter else None,
        recipient.name if recipient else None,
        recipient.uf if recipient else None,
        regime,
        document.operation,
        document.purpose,
        consumer,
        indicator,
        document.totals,
        items_of(document),
    )
