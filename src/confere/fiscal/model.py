"""What was read from one file: documents, events and voided ranges as frozen values.

Units: money is an integer number of centavos (`*_cents`); quantities and unit prices are `Decimal`, exact as
written. Times are kept as written in the XML (ISO 8601, with the zone where the paper has one). A field that
the paper lacks is `None`, never an invented value. Traits worth telling are `warnings`, never refusals.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from confere.fiscal.document_models import CANCELLED as CANCELLED
from confere.fiscal.document_models import IN_EFFECT as IN_EFFECT
from confere.fiscal.document_models import VOID as VOID
from confere.fiscal.document_models import DocumentDescription as DocumentDescription
from confere.fiscal.document_models import DocumentHead as DocumentHead
from confere.fiscal.document_models import DocumentType as DocumentType
from confere.fiscal.document_models import State as State
from confere.fiscal.document_parts import Item, ItemReference, Party, Protocol, Reference, TaxSums, Totals, Warning

if TYPE_CHECKING:
    from confere.fiscal.detail import Detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(DocumentDescription):
    """One NF-e, NFC-e, CT-e, CT-e OS, or the head of another model."""

    type: DocumentType
    operation: str | None  # natOp
    destination: str | None  # idDest: 1 same state, 2 other state, 3 abroad
    cfops: tuple[str, ...]  # distinct, in order of first use
    parties: tuple[Party, ...]
    items: tuple[Item, ...]
    totals: Totals
    protocol: Protocol | None
    references: tuple[Reference, ...]
    digest: str | None  # DigestValue of the signature
    notes: str | None  # infCpl / xObs: search text
    warnings: tuple[Warning, ...] = ()
    detail: Detail | None = None  # what `read(data, whole=True)` adds
    freight_mode: str | None = None  # modFrete
    weight: Decimal | None = None  # gross, kilograms
    quoted: tuple[str, ...] = ()  # what looks like the number of an order in its notes
    taxes: tuple[TaxSums, ...] = ()  # in order of first use
    mismatches: tuple[str, ...] = ()  # totals to which the items do not add up, as `vProd:100.00:90.00`
    item_references: tuple[ItemReference, ...] = ()

    def party(self, role: str) -> Party | None:
        """The first party of `role`."""
        for party in self.parties:
            if party.role == role:
                return party
        return None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a document: cancellation, correction letter, manifestation…"""

    access_key: str | None  # the document it belongs to
    code: str | None  # tpEvento
    sequence: int | None
    description: str | None
    occurred_at: str | None
    author: str | None  # CNPJ or CPF
    sent_to: str | None  # cOrgao
    registered: bool  # the authority accepted it (see paper: 134, 135, 136, 155; legacy 101, 151)
    cstat: str | None
    reason: str | None
    protocol: str | None
    registered_at: str | None
    text: str | None  # correction or justification, in the author's words
    environment: str | None
    embedded: bool = False  # found inside the file of its document
    model: str | None = None
    warnings: tuple[Warning, ...] = ()
    references: tuple[Reference, ...] = ()  # keys that the event names beside its document's
    fields: tuple[tuple[str, str], ...] = ()  # `detEvento`, whole, where read so: tag paths with their texts


@dataclass(frozen=True, slots=True)
class Voiding:
    """A range of numbers declared unused (inutilização)."""

    uf_code: str | None
    year: str | None  # two digits
    emitter: str | None
    model: str | None
    series: int | None
    first: int | None
    last: int | None
    reason: str | None
    cstat: str | None
    protocol: str | None
    registered_at: str | None
    environment: str | None
    warnings: tuple[Warning, ...] = ()
    answer: str | None = None  # xMotivo, the authority's words; `reason` is the taxpayer's xJust

    @property
    def registered(self) -> bool:
        return self.cstat == "102"


@dataclass(frozen=True, slots=True)
class Paper:
    """Everything read from one file, in one pass. `root` is the local name of the root element."""

    root: str
    namespace: str
    documents: tuple[Document, ...] = ()
    events: tuple[Event, ...] = ()
    voidings: tuple[Voiding, ...] = ()
    warnings: tuple[Warning, ...] = ()
    answers: tuple[Protocol, ...] = ()  # of the authority, about documents that are not in this file
    text: str = ""  # of a kind that is not read: the words in it, for search

    @property
    def recognised(self) -> bool:
        return bool(self.documents or self.events or self.voidings)
