"""Reading what happened to a document: events of NF-e, CT-e and MDF-e, and the cancellations of before events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml.etree import _Element

from confere.fiscal import keys
from confere.fiscal.model import Event, Warning
from confere.fiscal.reading.amounts import integer
from confere.fiscal.reading.common import check_key, tax_id
from confere.fiscal.reading.elements import LOCAL, child, texts
from confere.fiscal.state import is_registered
from confere.fiscal.traits import Trait

_BODIES: Final = ("infEvento", "infCanc")
_MODELS: Final = {"chNFe": "55", "chCTe": "57", "chMDFe": "58"}
_KNOWN_MODELS: Final = frozenset({"55", "57", "58", "65", "67"})
_AUTHOR_WORDS: Final = ("xCorrecao", "xJust", "xObs")
LEGACY_CODE: Final = "110111"
"""What a `procCancNFe` of the time before events amounts to."""

Identity = tuple[str | None, str | None, str | None]


def identity(element: _Element) -> Identity:
    """Key, code and sequence that an event and its answer share: they tell pairs apart within a lot."""
    body = _body(element)
    fields = texts(body)
    return _document_key(fields), fields.get("tpEvento"), fields.get("nSeqEvento")


def read_event(
    request: _Element | None,
    answer: _Element | None,
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
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
    detail = child(first, "detEvento")
    description, words = _detail(detail) if detail is not None else (None, asked.get("xJust"))
    cstat = told.get("cStat")
    return Event(
        access_key=key,
        code=LEGACY_CODE if legacy else asked.get("tpEvento") or told.get("tpEvento"),
        sequence=integer(asked.get("nSeqEvento") or told.get("nSeqEvento"), "nSeqEvento", warnings),
        description=description or told.get("xEvento"),
        occurred_at=asked.get("dhEvento"),
        author=tax_id(asked),
        sent_to=asked.get("cOrgao") or told.get("cOrgao"),
        registered=is_registered(cstat, model),
        cstat=cstat,
        reason=told.get("xMotivo"),
        protocol=told.get("nProt"),
        registered_at=told.get("dhRegEvento") or told.get("dhRecbto"),
        text=words,
        environment=environment,
        embedded=embedded,
        model=model,
        warnings=tuple(warnings),
    )


def _body(element: _Element) -> _Element | None:
    return next((part for part in element if LOCAL[part.tag] in _BODIES), None)


def _document_key(fields: dict[str, str]) -> str | None:
    return fields.get("chNFe") or fields.get("chCTe") or fields.get("chMDFe")


def _model(key: str, fields: dict[str, str]) -> str | None:
    """The model of the event's document: by its key, else by the tag that holds it."""
    parts = keys.parse(key)
    if parts is not None and parts.model in _KNOWN_MODELS:
        return parts.model
    return next((model for tag, model in _MODELS.items() if tag in fields), None)


def _detail(detail: _Element) -> tuple[str | None, str | None]:
    """Description and the author's words; a CT-e's stand one level deeper, in a group named after the event."""
    description: str | None = None
    words: list[str] = []
    for name, value in _leaves(detail):
        if name == "descEvento":
            description = description or value
        elif name in _AUTHOR_WORDS:
            words.append(value)
    words += _corrections(detail)
    return description, "\n".join(words) or None


def _leaves(detail: _Element) -> Iterator[tuple[str, str]]:
    yield from texts(detail).items()
    for part in detail:
        yield from texts(part).items()


def _corrections(detail: _Element) -> Iterator[str]:
    """A CT-e's letter of correction names group, field, and the value that counts now."""
    for correction in detail.iter("{*}infCorrecao"):
        get = texts(correction).get
        place = "/".join(filter(None, (get("grupoAlterado"), get("campoAlterado"))))
        if place or get("valorAlterado"):
            yield f"{place}: {get('valorAlterado', '')}"
