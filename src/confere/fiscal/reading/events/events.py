"""Reading what happened to a document: events of all models, and the cancellations of before events."""

from __future__ import annotations

import re
from typing import Final

from lxml.etree import _Element

from confere.fiscal import access_keys, document_models
from confere.fiscal.document_parts import Warning
from confere.fiscal.model import Event
from confere.fiscal.reading.amounts import integer
from confere.fiscal.reading.common import check_key, named_key, tax_id
from confere.fiscal.reading.elements import LOCAL, child
from confere.fiscal.reading.events.event_detail import EventDetail, read_detail
from confere.fiscal.reading.events.nfse_events import detail_in, fields_of, is_sealed
from confere.fiscal.state import is_registered
from confere.fiscal.warnings import Trait

BODIES: Final = frozenset({"infEvento", "infCanc", "infPedReg"})
COUPON_BODIES: Final = BODIES | {"infCFe"}
"""The signed elements of events; a coupon is one only where it is a `CFeCanc`'s."""
# Code, key and sequence; the last has two digits, three since layout 4.00 of the CT-e.
_ID: Final = re.compile(r"ID[0-9]{6}[0-9A-Z]{44}([0-9]{2,3})")
LEGACY_CODE: Final = "110111"
"""What a `procCancNFe` of the time before events amounts to."""

Identity = tuple[str | None, str | None, str | None]


def identity(element: _Element) -> Identity:
    """Key, code and sequence that an event and its answer share: they tell pairs apart within a lot."""
    fields = fields_of(body_of(element))
    sequence = fields.get("nSeqEvento")
    # Some write 001 where others answer 1.
    return named_key(fields.get), fields.get("tpEvento"), sequence.lstrip("0") if sequence is not None else None


def read_event(
    request: _Element | None,
    answer: _Element | None,
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
    whole: bool = False,
) -> Event | None:
    """The event told by its `request` (`evento`, `cancNFe`), its `answer` (`retEvento`, `retCancNFe`), or both.

    Without an answer it is not registered; an answer alone is the authority's word and counts. None where
    neither names a document. What an NFS-e's system or a SAT equipment signed is its own answer.
    """
    warnings = list(traits)
    asked_body = body_of(request) if request is not None else None
    asked = fields_of(asked_body)
    told_body = body_of(answer) if answer is not None else None
    told = fields_of(told_body)
    sealed = request is not None and is_sealed(asked_body) and child(request, "Signature") is not None
    first = asked_body if asked_body is not None else told_body
    if first is None:
        return None
    key = named_key(asked.get)
    answered_key = named_key(told.get)
    if key is None:
        key = answered_key
    elif answered_key is not None and answered_key != key:
        warnings.append(Warning(Trait.PROTOCOL_KEY_DIFFERS, answered_key))
    if key is None:
        return None
    fields = asked or told
    check_key(key, warnings, access_keys.SERVICE_LENGTH if "chNFSe" in fields else access_keys.LENGTH)
    if first.tag[:1] != "{" and LOCAL[first.tag] != "infCFe":
        warnings.append(Warning(Trait.NO_NAMESPACE))
    legacy = LOCAL[first.tag] == "infCanc"
    if legacy:
        warnings.append(Warning(Trait.LEGACY_CANCELLATION))
    environment = asked.get("tpAmb") or told.get("tpAmb")
    if environment == "2":
        warnings.append(Warning(Trait.TEST_ENVIRONMENT))

    model = _model(key, fields)
    code = LEGACY_CODE if legacy else asked.get("tpEvento") or told.get("tpEvento")
    group = asked_body if legacy else detail_in(first)
    detail = read_detail(group, code, model, key, warnings, whole=whole) if group is not None else EventDetail()
    cstat = told.get("cStat")
    sequence = asked.get("nSeqEvento") or told.get("nSeqEvento") or sequence_of(first.get("Id"))
    return Event(
        access_key=key,
        code=code,
        sequence=integer(sequence, "nSeqEvento", warnings),
        description=detail.description or told.get("xEvento"),
        occurred_at=asked.get("dhEvento"),
        author=tax_id(asked),
        sent_to=asked.get("cOrgao") or told.get("cOrgao"),
        registered=sealed or is_registered(cstat, model),
        cstat=cstat,
        reason=told.get("xMotivo"),
        protocol=(asked if sealed else told).get("nProt"),
        registered_at=told.get("dhRegEvento") or told.get("dhRecbto") or asked.get("dhRegEvento"),
        text=detail.words,
        environment=environment,
        embedded=embedded,
        model=model,
        warnings=tuple(warnings),
        references=detail.references,
        fields=detail.fields,
    )


def body_of(element: _Element) -> _Element | None:
    """The signed element of an event, request or answer."""
    names = COUPON_BODIES if LOCAL[element.tag] == "CFeCanc" else BODIES
    return next((part for part in element if LOCAL[part.tag] in names), None)


def sequence_of(identifier: str | None) -> str | None:
    """The sequence at the end of an event's `Id`."""
    found = _ID.fullmatch(identifier.strip()) if identifier else None
    return found[1] if found is not None else None


def _model(key: str, fields: dict[str, str]) -> str | None:
    """The model of the event's document: by its key, else by the tag that holds it."""
    model = document_models.model_of(key) if access_keys.has_shape(key) else None
    if model in document_models.TYPE_OF_MODEL:
        return model
    return next((model for tag, model in document_models.MODEL_OF_TAG.items() if tag in fields), None)
