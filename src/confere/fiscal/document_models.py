"""The models of documents, defined once: type, elements, and where number, code and key of each stand.

With them what a list needs of a document: its type, its state and the proof of that, and the words that describe it.
What documents are made of is `confere.fiscal.model`, which a list does without.

Source: MOC of each model (NF-e 7.0, CT-e 4.00, MDF-e 3.00, NFCom 1.00, NF3e 1.00, BP-e 1.00, DC-e 1.00), the
specification of the SAT (CF-e, ER 2.x), and the schemas of the national NFS-e (`tiposSimples_v1.01`: TSIdNFSe).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from confere.errors import N_, NC_, Message
from confere.fiscal.law.model_names import model_name

SERVICE_MODEL: Final = "nfse"
"""What stands as the model of a national NFS-e, which has no number among the models."""
COUPON_MODEL: Final = "59"
_MODEL_END: Final = 22

KeyField = tuple[str, int, int]
"""A tag of `ide`, and the stretch of the access key that repeats it."""


class DocumentType(StrEnum):
    """What kind of paper a row of the archive is (the `type` of `confere list`)."""

    NFE = "nfe"  # model 55
    NFCE = "nfce"  # model 65
    CTE = "cte"  # model 57, normal and simplified
    CTEOS = "cteos"  # model 67
    # Of these the head is read: key, parties, date, value, and what they name.
    MDFE = "mdfe"  # model 58
    NFSE = "nfse"  # the national NFS-e
    NFCOM = "nfcom"  # model 62
    NF3E = "nf3e"  # model 66
    BPE = "bpe"  # model 63
    GTVE = "gtve"  # model 64
    DCE = "dce"  # model 99
    CFE = "cfe"  # model 59, CF-e-SAT
    VOIDING = "voiding"  # inutilização: a range of numbers that will never be used
    OTHER = "other"  # well-formed XML of a kind that Confere does not read


class State(StrEnum):
    """Effective state of a document, from its protocol, its events, and the documents that change it."""

    AUTHORIZED = "authorized"
    COMPLEMENTED = "complemented"  # in effect, and an authorized complement adds to it
    UNREGISTERED = "unregistered"  # in effect: a cancellation was sent, but is not registered
    CANCELLED = "cancelled"
    CANCELLED_LATE = "cancelled_late"  # out of term
    REPLACED = "replaced"  # a CT-e with an authorized substitute
    ANNULLED = "annulled"  # a CT-e whose value was taken back
    DENIED = "denied"
    REJECTED = "rejected"  # a protocol that is neither an authorization nor a denial
    NO_PROTOCOL = "no_protocol"  # nothing in the archive says that it was authorized
    VOIDED = "voided"  # a voiding that was registered
    UNKNOWN = "unknown"  # type `other`


STATE_WORDS: Final[Mapping[str, str]] = {
    State.AUTHORIZED: N_("authorized"),
    State.COMPLEMENTED: N_("complemented"),
    State.UNREGISTERED: N_("authorized, cancellation not registered"),
    State.CANCELLED: N_("cancelled"),
    State.CANCELLED_LATE: N_("cancelled out of term"),
    State.REPLACED: N_("replaced"),
    State.ANNULLED: N_("annulled"),
    State.DENIED: N_("denied"),
    State.REJECTED: N_("rejected"),
    State.NO_PROTOCOL: N_("no protocol"),
    State.VOIDED: N_("voided"),
    State.UNKNOWN: NC_("state", "unknown"),
}
"""What each state is called, wherever it is shown or written down."""
HUB_STATUS_WORDS: Final[Mapping[str, str]] = {
    **{state.value.upper(): STATE_WORDS[state] for state in State if state is not State.UNKNOWN},
    "AUTHORISED": STATE_WORDS[State.AUTHORIZED],
    "CANCELED": STATE_WORDS[State.CANCELLED],
    "CORRECTED": N_("corrected"),
    "DELIVERED": N_("delivered"),
    "NOT_DELIVERED": N_("not delivered"),
    "CONFIRMED": N_("operation confirmed"),
    "NOT_CARRIED_OUT": N_("operation not carried out"),
    "AGREED": N_("service agreed with"),
    "DISAGREED": N_("service disagreed with"),
    "EVENT_REFUSED": N_("event refused"),
    "PENDING": N_("pending"),
    "PROCESSING": N_("being processed"),
    "ERROR": N_("failed"),
}
"""What the statuses mean that hubs write into the history of a document; a state's own word where they mean one."""

IN_EFFECT = frozenset({State.AUTHORIZED, State.COMPLEMENTED, State.UNREGISTERED})
"""Authorized, and nothing registered took the effect away."""

CANCELLED = frozenset({State.CANCELLED, State.CANCELLED_LATE})
VOID = CANCELLED | {State.REPLACED, State.ANNULLED, State.DENIED, State.REJECTED, State.VOIDED}
"""Papers without effect: they count apart in every sum."""


class Ground(StrEnum):
    """The proof behind a state.

    The authority's answers are not signed, so an answer alone can be forged; the request of an event is signed by
    its author. `CONTRADICTED`: something is told of the document that would give it another state
    and that is not believed (see `confere.fiscal.state_evidence`), so a person should look.
    """

    AUTHENTIC_EVENT = "authentic_event"
    UNCHECKED_EVENT = "unchecked_event"  # its signature was not checked, or not to its end
    ANSWER_ALONE = "answer_alone"
    OTHER_DOCUMENT = "other_document"
    CONTRADICTED = "contradicted"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What names and dates a document."""

    access_key: str | None
    model: str | None
    series: int | None
    number: int | None
    issued_at: str | None  # as written
    environment: str | None  # tpAmb: "1" production, "2" test


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDescription(DocumentHead):
    """What a document says of itself in single words, as written."""

    layout: str | None  # `versao`
    direction: str | None  # tpNF: "0" in, "1" out
    purpose: str | None  # finNFe, tpCTe
    external_id: str | None  # obsCont external_id
    order_hint: str | None  # xPed
    credit_type: str | None = None  # tpNFCredito
    debit_type: str | None = None  # tpNFDebito
    intermediary: str | None = None  # infIntermed/CNPJ: the marketplace
    presence: str | None = None  # indPres


class FiscalModel(NamedTuple):
    """One kind of document. `elements` are what its author writes, `body` the signed one inside, `prefix` its Id's."""

    type: DocumentType
    model: str
    elements: tuple[str, ...]
    body: str
    prefix: str
    answer_tag: str  # names the key in answers and events
    number_tag: str = "nNF"
    code_tag: str = "cNF"
    key_fields: tuple[KeyField, ...] = ()  # of kinds whose keys are not made as an NF-e's


KINDS: Final = (
    FiscalModel(DocumentType.NFE, "55", ("NFe",), "infNFe", "NFe", "chNFe"),
    FiscalModel(DocumentType.NFCE, "65", ("NFe",), "infNFe", "NFe", "chNFe"),
    FiscalModel(DocumentType.CTE, "57", ("CTe", "CTeSimp"), "infCte", "CTe", "chCTe", "nCT", "cCT"),
    FiscalModel(DocumentType.CTEOS, "67", ("CTeOS",), "infCte", "CTe", "chCTe", "nCT", "cCT"),
    FiscalModel(DocumentType.GTVE, "64", ("GTVe",), "infCte", "CTe", "chCTe", "nCT", "cCT"),
    FiscalModel(DocumentType.MDFE, "58", ("MDFe",), "infMDFe", "MDFe", "chMDFe", "nMDF", "cMDF"),
    FiscalModel(
        DocumentType.NFCOM,
        "62",
        ("NFCom",),
        "infNFCom",
        "NFCom",
        "chNFCom",
        key_fields=(("serie", 22, 25), ("nNF", 25, 34), ("tpEmis", 34, 35), ("nSiteAutoriz", 35, 36), ("cNF", 36, 43)),
    ),
    FiscalModel(
        DocumentType.NF3E,
        "66",
        ("NF3e",),
        "infNF3e",
        "NF3e",
        "chNF3e",
        key_fields=(("serie", 22, 25), ("nNF", 25, 34), ("tpEmis", 34, 35), ("nSiteAutoriz", 35, 36), ("cNF", 36, 43)),
    ),
    FiscalModel(
        DocumentType.BPE,
        "63",
        ("BPe", "BPeTM", "BPeTA"),
        "infBPe",
        "BPe",
        "chBPe",
        "nBP",
        "cBP",
        (("serie", 22, 25), ("nBP", 25, 34), ("tpEmis", 34, 35), ("cBP", 35, 43)),
    ),
    FiscalModel(
        DocumentType.DCE,
        "99",
        ("DCe",),
        "infDCe",
        "DCe",
        "chDCe",
        "nDC",
        "cDC",
        (
            *(("serie", 22, 25), ("nDC", 25, 34), ("tpEmis", 34, 35)),
            *(("tpEmit", 35, 36), ("nSiteAutoriz", 36, 37), ("cDC", 37, 43)),
        ),
    ),
    FiscalModel(
        DocumentType.CFE,
        COUPON_MODEL,
        ("CFe",),
        "infCFe",
        "CFe",
        "chCanc",
        "nCFe",
        "cNF",
        (("nserieSAT", 22, 31), ("nCFe", 31, 37), ("cNF", 37, 43)),
    ),
    FiscalModel(
        DocumentType.NFSE,
        SERVICE_MODEL,
        ("NFSe",),
        "infNFSe",
        "NFS",
        "chNFSe",
        "nNFSe",
        "",
        (("cLocEmi", 0, 7), ("ambGer", 7, 8), ("nNFSe", 23, 36)),
    ),
)

TYPE_OF_MODEL: Final = {kind.model: kind.type for kind in KINDS}
"""By the two digits in an access key; a national NFS-e by `SERVICE_MODEL`."""
OF_MODEL: Final = {kind.model: kind for kind in KINDS}
ELEMENTS: Final = tuple(dict.fromkeys(name for kind in KINDS for name in kind.elements))
"""The elements that hold a document, protocol apart."""
BODIES: Final = {name: kind.body for kind in KINDS for name in kind.elements}
"""By the element of a document the signed one inside."""
PREFIXES: Final = {kind.body: kind.prefix for kind in KINDS}
"""By the signed element what its Id says before the key."""
KEY_TAGS: Final = tuple(dict.fromkeys(kind.answer_tag for kind in KINDS))
"""The tags by which answers and events name a document."""
MODEL_OF_TAG: Final = {kind.answer_tag: kind.model for kind in reversed(KINDS)}
SELF_AUTHORIZED: Final = frozenset({COUPON_MODEL, SERVICE_MODEL})
"""No answer stands beside these: the SAT equipment, or the system that made the NFS-e, signed the document itself."""
OTHERS: Final = frozenset(
    {
        *(DocumentType.NFSE, DocumentType.NFCOM, DocumentType.NF3E, DocumentType.BPE),
        *(DocumentType.GTVE, DocumentType.DCE, DocumentType.CFE, DocumentType.MDFE),
    }
)
"""Read in their heads alone; no rule of the reconciliation asks for them."""


def hub_status_message(status: str) -> Message:
    """What a status in a hub's history is called; one that is not known stays as the hub wrote it."""
    return Message(HUB_STATUS_WORDS.get(status.strip().upper().replace(" ", "_").replace("-", "_"), status))


def type_name(type: str) -> str | None:
    """What documents of a `DocumentType` are called: `NF-e`. None for a voiding, and for a kind that is not read."""
    return _type_names().get(type)


@cache
def _type_names() -> Mapping[str, str]:
    return {kind.type: model_name(kind.model) for kind in KINDS}


def differing(key: str, kind: FiscalModel, fields: Mapping[str, str]) -> list[str]:
    """The tags whose texts in `fields` are not what `key` says at their place; one that is absent disagrees not."""
    return [
        tag
        for tag, start, stop in kind.key_fields
        if (text := fields.get(tag)) is not None and text.rjust(stop - start, "0") != key[start:stop]
    ]


def model_of(access_key: str) -> str | None:
    """The model that a key names by itself; None for what has not the length of one."""
    from confere.fiscal import access_keys

    if len(access_key) == access_keys.SERVICE_LENGTH:
        return SERVICE_MODEL
    return access_key[20:22] if len(access_key) >= _MODEL_END else None
