"""Reading what happened to a document: events of NF-e, CT-e and MDF-e, and the cancellations of before events."""

from __future__ import annotations

import re
from typing import Final

from lxml.etree import _Element

from confere.fiscal import keys
from confere.fiscal.model import Event, Warning
from confere.fiscal.reading.amounts import integer
from confere.fiscal.reading.common import check_key, tax_id
from confere.fiscal.reading.elements import LOCAL, child, texts
from confere.fiscal.reading.event_detail import EventDetail, read_detail
from confere.fiscal.state import is_registered
from confere.fiscal.traits import Trait

_BODIES: Final = ("infEvento", "infCanc")
_MODELS: Final = {"chNFe": "55", "chCTe": "57", "chMDFe": "58"}
_KNOWN_MODELS: Final = frozenset({"55", "57", "58", "65", "67"})
# Code, key and sequence; the last has two digits, three since layout 4.00 of the CT-e.
_ID: Final = re.compile(r"ID[0-9]{6}[0-9A-Z]{44}([0-9]{2,3})")
LEGACY_CODE: Final = "110111"
"""What a `procCancNFe` of the time before events amounts to."""

Identity = tuple[str | None, str | None, str | None]


def identity(element: _Element) -> Identity:
    """Key, code and sequence that an event and its answer share: they tell pairs apart within a lot."""
    fields = texts(_body(element))
    sequence = fields.get("nSeqEvento")
    # Some write 001 where others answer 1.
    return _document_key(fields), fields.get("tpEvento"), sequence.lstrip("0") if sequence is not None else None


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
    neither names a document, as in events of other families (NFS-e).
    """
    warnings = list(traits)
    asked_body = _body(request) if request is not None else None
    asked = texts(asked_body)
    told_body = _body(answer) if answer is not None else None
    told = texts(told_body)
    first = asked_body if asked_body is not None else told_body
    if first is None:
        return None
    key = _document_key(asked)
    answered_key = _document_key(told)
    if key is None:
        key = answered_key
    elif answered_key is not None and answered_key != key:
        warnings.append(Warning(Trait.PROTOCOL_KEY_DIFFERS, answered_key))
    if key is None:
        return None
    check_key(key, warnings)
    if first.tag[:1] != "{":
        warnings.append(Warning(Trait.NO_NAMESPACE))
    legacy = LOCAL[first.tag] == "infCanc"
    if legacy:
        warnings.append(Warning(Trait.LEGACY_CANCELLATION))
    environment = asked.get("tpAmb") or told.get("tpAmb")
    if environment == "2":
        warnings.append(Warning(Trait.TEST_ENVIRONMENT))

    model = _model(key, asked or told)
    code = LEGACY_CODE if legacy else asked.get("tpEvento") or told.get("tpEvento")
    group = asked_body if legacy else child(first, "detEvento")
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
        registered=is_registered(cstat, model),
        cstat=cstat,
        reason=told.get("xMotivo"),
        protocol=told.get("nProt"),
        registered_at=told.get("dhRegEvento") or told.get("dhRecbto"),
        text=detail.words,
        environment=environment,
        embedded=embedded,
        model=model,
        warnings=tuple(warnings),
        references=detail.references,
        fields=detail.fields,
    )


def _body(element: _Element) -> _Element | None:
    return next((part for part in element if LOCAL[part.tag] in _BODIES), None)


def sequence_of(identifier: str | None) -> str | None:
    """The sequence at the end of an event's `Id`."""
    found = _ID.fullmatch(identifier.strip()) if identifier else None
    return found[1] if found is not None else None


def _document_key(fields: dict[str, str]) -> str | None:
    return fields.get("chNFe") or fields.get("chCTe") or fields.get("chMDFe")


def _model(key: str, fields: dict[str, str]) -> str | None:
    """The model of the event's document: by its key, else by the tag that holds it."""
    parts = keys.parse(key)
    if parts is not None and parts.model in _KNOWN_MODELS:
        return parts.model
    return next((model for tag, model in _MODELS.items() if tag in fields), None)
