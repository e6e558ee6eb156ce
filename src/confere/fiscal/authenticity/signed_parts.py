"""The parts of a document that its checks need, read once: key and fields, signature, and the authority's answer.

The rules of which element counts are the readers' own (`confere.fiscal.reading`): what is judged is what is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lxml.etree import _Element

from confere.fiscal import access_keys, document_models
from confere.fiscal.authenticity.verdict import SignedKind
from confere.fiscal.reading.common import named_key, tax_id
from confere.fiscal.reading.elements import LOCAL, child, texts, texts_within
from confere.fiscal.reading.envelopes import EnvelopePart
from confere.fiscal.reading.events.events import BODIES, COUPON_BODIES, LEGACY_CODE, sequence_of
from confere.fiscal.reading.events.nfse_events import fields_of, is_sealed
from confere.fiscal.reading.nfse import service_fields
from confere.fiscal.reading.other_models import head_fields


@dataclass(slots=True)
class Subject:
    """One paper under judgement. Texts are trimmed, fields that are absent or empty are not there."""

    kind: SignedKind
    element: _Element | None  # what its author wrote, signature included
    body: _Element | None  # the signed element in it, the one that readers read
    bodies: int  # how many elements there claim to be that one
    signatures: list[_Element]
    access_key: str | None
    identity: str | None  # its `Id`, as written
    fields: dict[str, str]  # of `ide`, `infEvento`, `infInut`
    author: str | None  # emitter's or event author's CNPJ or CPF
    answer: dict[str, str] | None  # what the authority said, None without any
    legacy: bool = False  # a cancellation of the time before events
    alone: bool = False  # the one paper of its file
    sealed: bool = False  # signed by whoever registered it (NFS-e, CF-e-SAT): no answer stands beside it
    beside: str = ""  # names of what stands beside the signed element and is shown, though no layout has it

    @property
    def answered_key(self) -> str | None:
        """The access key that the authority's answer names; None without an answer or a key in it."""
        return document_key(self.answer) if self.answer is not None else None


_VOIDING_BODIES: Final = frozenset({"infInut"})
_BESIDE: Final = frozenset(
    {*(f"inf{name}Supl" for name in ("NFe", "CTe", "MDFe", "NFCom", "NF3e", "BPe", "DCe")), "infSolicNFF", ""}
)
_LONGEST_NAMES: Final = 100
_AUTHOR_TAGS: Final = ("{*}CNPJ", "{*}CPF", "{*}idEstrangeiro")
_SHARED: Final = ("tpEvento", "nSeqEvento")
_DOCUMENT_BODIES: Final = {name: frozenset({body}) for name, body in document_models.BODIES.items()}


def read(part: EnvelopePart, kind: SignedKind) -> Subject | None:
    """The document, event or voided range in `part`; None exactly where the reader of that kind returns none.

    Source: MOC 7.0 and MOC of the CT-e 4.00 (`infNFe`, `infCte`, `infEvento`, `infInut`: the signed elements).
    """
    if kind is SignedKind.DOCUMENT:
        return _document(part)
    return _event(part) if kind is SignedKind.EVENT else _voiding(part)


def document_key(fields: dict[str, str]) -> str | None:
    """The access key in the `fields` (tag to text) of an answer or event; None where there is none.

    Source: MOC 7.0 (`chNFe`); MOC of the CT-e 4.00 (`chCTe`).
    """
    return named_key(fields.get)


def _parts(element: _Element, names: frozenset[str]) -> tuple[list[_Element], list[_Element]]:
    """The children called one of `names`, and the signatures beside them."""
    bodies: list[_Element] = []
    signatures: list[_Element] = []
    for candidate in element:
        name = LOCAL[candidate.tag]
        if name in names:
            bodies.append(candidate)
        elif name == "Signature":
            signatures.append(candidate)
    return bodies, signatures


def _document(part: EnvelopePart) -> Subject | None:
    element = part.element
    if element is None:
        return None
    bodies, signatures = _parts(element, _DOCUMENT_BODIES[LOCAL[element.tag]])
    if not bodies:
        return None
    body = bodies[-1]
    name = LOCAL[body.tag]
    fields = _fields(body, name)
    emitting = _last(body, "{*}emit")
    emitter = tax_id(texts_within(emitting, _AUTHOR_TAGS)) if emitting is not None else None
    answer = None
    if part.answer is not None:
        answer = texts(child(part.answer, "infProt")) or None
    identity = body.get("Id")
    key = access_keys.find(identity) if identity else None
    if key is None and answer is not None:
        key = document_key(answer)
    subject = Subject(
        SignedKind.DOCUMENT, element, body, len(bodies), signatures, key, identity, fields, emitter, answer
    )
    subject.sealed = name in _SEALED
    if len(element) > len(bodies) + len(signatures):
        subject.beside = _unsigned(element, body)
    return subject


_SEALED: Final = frozenset({"infNFSe", "infCFe"})


def _fields(body: _Element, name: str) -> dict[str, str]:
    if name == "infNFSe":
        return service_fields(body)
    return head_fields(body) if name == "infCFe" else texts(_last(body, "{*}ide"))


def _last(body: _Element, tag: str) -> _Element | None:
    """Of several the last one is read, as everywhere."""
    return next(body.iterchildren(tag, reversed=True), None)


def _unsigned(element: _Element, body: _Element) -> str:
    names = [LOCAL[part.tag] for part in element.iterchildren("*") if part is not body]
    odd = dict.fromkeys(name for name in names if name not in _BESIDE and name != "Signature")
    return ", ".join(odd)[:_LONGEST_NAMES]


def _event(part: EnvelopePart) -> Subject | None:
    request, answer = part.element, part.answer
    names = COUPON_BODIES if request is not None and LOCAL[request.tag] == "CFeCanc" else BODIES
    bodies, signatures = _parts(request, names) if request is not None else ([], [])
    answer_body = None
    if answer is not None:
        answers, _ = _parts(answer, BODIES)
        answer_body = answers[0] if answers else None
    request_body = bodies[0] if bodies else None
    body = request_body if request_body is not None else answer_body
    if body is None:
        return None
    asked_fields = fields_of(request_body)
    answer_fields = fields_of(answer_body) if answer_body is not None else None
    key = document_key(asked_fields) or (document_key(answer_fields) if answer_fields is not None else None)
    if key is None:
        return None
    legacy = LOCAL[body.tag] == "infCanc"
    fields = asked_fields if request_body is not None else dict(answer_fields or {})
    author = tax_id(asked_fields)
    if legacy:
        fields["tpEvento"] = LEGACY_CODE
        author = _emitter(key) if request_body is not None else None
    for name in _SHARED:
        if name not in fields and answer_fields is not None and name in answer_fields:
            fields[name] = answer_fields[name]
    if "nSeqEvento" not in fields and (sequence := sequence_of(body.get("Id"))) is not None:
        fields["nSeqEvento"] = sequence
    return Subject(
        SignedKind.EVENT,
        request if request_body is not None else None,
        request_body,
        len(bodies),
        signatures,
        key,
        request_body.get("Id") if request_body is not None else None,
        fields,
        author,
        answer_fields,
        legacy,
        sealed=is_sealed(request_body),
    )


def _emitter(key: str) -> str | None:
    """Who alone could cancel before there were events, which named nobody."""
    parts = access_keys.parse(key)
    return parts.emitter if parts is not None else None


def _voiding(part: EnvelopePart) -> Subject | None:
    request, answer = part.element, part.answer
    bodies, signatures = _parts(request, _VOIDING_BODIES) if request is not None else ([], [])
    answer_body = child(answer, "infInut") if answer is not None else None
    request_fields = texts(bodies[0]) if bodies else {}
    answer_fields = texts(answer_body) if answer_body is not None else None
    signed = "nNFIni" in request_fields or "nCTIni" in request_fields
    fields = request_fields if signed else dict(answer_fields or {})
    if "nNFIni" not in fields and "nCTIni" not in fields:
        return None
    body = bodies[0] if bodies else None
    return Subject(
        SignedKind.VOIDING,
        request if body is not None else None,
        body,
        len(bodies),
        signatures,
        None,
        body.get("Id") if body is not None else None,
        fields,
        tax_id(fields),
        answer_fields,
    )
