"""The effective state of a document: what its protocol says, what events changed since, and other documents after it.

A later document counts by its own protocol and events alone, never by what changes it in turn. So states do not
depend on the order in which documents arrive, and circular references cannot loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from confere.errors import Message, message
from confere.fiscal import document_models
from confere.fiscal.document_models import DocumentType, State
from confere.fiscal.document_models import Ground as Ground
from confere.fiscal.references import RelationKind

AUTHORIZED: Final = frozenset({"100", "150"})
DENIED: Final = frozenset({"110", "205", "301", "302", "303"})
CANCELLED: Final = frozenset({"101", "151"})
"""Answers of the time before events: 101 cancelled, 151 cancelled out of term."""

_AUTHORIZED_SERVICE: Final = frozenset({"100", "101", "102", "103", "107"})
"""Of a national NFS-e: made, as a substitute, by order of a court, by the city itself, by a sole trader (MEI)."""
CANCELLATION_CODES: Final = frozenset({"110111", "110112", "101101", "105102", "105104", "305101"})
"""110111 cancels; 110112 cancels an NF-e or NFC-e by substitution.

Of a national NFS-e: 101101 cancels, 105102 by substitution, 105104 after the city looked at it, 305101 by the city.
Source: `tiposEventos_v1.01.xsd`.
"""
CLOSING_MODEL: Final = "58"
"""On an MDF-e 110112 closes the journey and cancels nothing."""

_REGISTERED_NFE: Final = frozenset({"135", "136", "155"})
_REGISTERED_CTE: Final = frozenset({"134", "135", "136"})
KNOWN_ALREADY: Final = frozenset({"573", "631", "218", "420"})
"""Refusals of an event because the authority has registered one like it: the same event again (573; of a CT-e 631), or
the document is cancelled there (218, 420).

Source: MOC 7.0 and MOC of the CT-e 4.00 (tables of rejections).
"""
_LATE: Final = frozenset({"155", "151"})
_NOTES: Final = frozenset({DocumentType.NFE, DocumentType.NFCE})
_FREIGHTS: Final = frozenset({DocumentType.CTE, DocumentType.CTEOS})
# Authority's events on a CT-e: what it registered that another CT-e does, should the archive not hold that one.
_CHANGE_EVENTS: Final = {
    "240130": RelationKind.COMPLEMENTS,
    "240140": RelationKind.REPLACES,
    "240150": RelationKind.ANNULS,
}
_REVOKING_EVENTS: Final = {"240131": RelationKind.COMPLEMENTS}
EVENT_CODES: Final = CANCELLATION_CODES | set(_CHANGE_EVENTS) | set(_REVOKING_EVENTS)
"""All events that a state depends on."""
_CHANGING: Final = frozenset({RelationKind.COMPLEMENTS, RelationKind.REPLACES, RelationKind.ANNULS})
_COMPLEMENTARY: Final = "2"
_COUNTING: Final = frozenset({State.AUTHORIZED, State.UNREGISTERED})
"""Own states of a document that changes another one: authorized, and not cancelled itself."""
_ROOT: Final = slice(6, 14)  # of an access key: the company that issued it


class StateEvent(NamedTuple):
    """An event as far as states ask; `cstat` is the authority's answer to it, `environment` its tpAmb.

    `is_authentic`: every line of its verdict holds.
    """

    code: str | None
    registered: bool
    cstat: str | None = None
    environment: str | None = None
    is_authentic: bool = False


class LaterDocument(NamedTuple):
    """A document that complements, replaces or annuls; `state` is its own, from its protocol and its events."""

    kind: str
    access_key: str
    state: str
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentState:
    """An effective state with the sentence that says where it comes from, and what that stands on."""

    state: State
    reason: Message
    ground: Ground = Ground.ANSWER_ALONE


def is_authorized(cstat: str | None, model: str | None) -> bool:
    """Whether the authority's answer `cstat` authorized a document of this model.

    Source: MOC 7.0 and MOC of the CT-e 4.00 (cStat 100, 150); of an NFS-e `tiposSimples_v1.01.xsd` (TStat).
    """
    return cstat in (_AUTHORIZED_SERVICE if model == document_models.SERVICE_MODEL else AUTHORIZED)


def is_registered(cstat: str | None, model: str | None) -> bool:
    """Whether the authority's answer `cstat` to an event means that the event took effect.

    NF-e and NFC-e: 135, 136 and 155 (out of term). CT-e and its kin: 134, 135, 136. `101` and `151` answer the
    cancellations of the time before events. Anything else, an absent answer included, is "not registered".

    Source: MOC 7.0 (cStat 135, 136, 155 of an event; 101, 151 of the former cancellations); MOC of the CT-e 4.00 (cStat
    134, 135, 136).
    """
    if cstat in CANCELLED:
        return True
    return cstat in (_REGISTERED_NFE if model in ("55", "65") else _REGISTERED_CTE)


def effective_state(
    cstat: str | None,
    events: Iterable[tuple[str | None, bool] | StateEvent] = (),
    *,
    model: str | None = None,
    environment: str | None = None,
    changes: Collection[LaterDocument] = (),
    is_sealed: bool = False,
) -> DocumentState:
    """The effective state of a document from its protocol's `cstat`, its `events` and the later documents in `changes`.

    A registered cancellation wins over every protocol but a denial: only what was authorized can be cancelled, so it
    also proves an authorization that the archive does not hold; a substitute or an annulment does likewise. What
    leaves a document in effect (a complement, a cancellation without registration) says nothing of one that nothing
    shows authorized. Papers of the test environment change nothing in production, nor the other way round.

    Without protocol, events and changes nothing is known, which is a state of its own. `is_sealed`: the document is a
    CF-e-SAT with the signature of its equipment, which is all the authorization that it gets.

    Source: Ajuste SINIEF 7/05, cl. 7 (authorization and denial) and cl. 12 (cancellation); Ajuste SINIEF 9/07
    (complement, substitution and annulment of a CT-e); MOC 7.0 and MOC of the CT-e 4.00 (cStat); of a CF-e-SAT Ajuste
    SINIEF 11/10.
    """
    if cstat in DENIED:
        return DocumentState(State.DENIED, message("The authority denied it (cStat {cstat}).", cstat=cstat))
    if cstat in CANCELLED and not is_authorized(cstat, model):
        late = cstat in _LATE
        return DocumentState(
            State.CANCELLED_LATE if late else State.CANCELLED,
            message("The authority answers that it is cancelled out of term (cStat {cstat}).", cstat=cstat)
            if late
            else message("The authority answers that it is cancelled (cStat {cstat}).", cstat=cstat),
        )
    happened = _relevant(events, model, environment)
    sent = [event for event in happened if event.code in CANCELLATION_CODES]
    registered = [event for event in sent if event.registered]
    if registered:
        return _cancelled(registered)
    by = _changers([change for change in changes if _is_here(change.environment, environment)], happened)
    if RelationKind.ANNULS in by:
        return DocumentState(
            State.ANNULLED, message("It is annulled: {by}.", by=by[RelationKind.ANNULS]), Ground.OTHER_DOCUMENT
        )
    if RelationKind.REPLACES in by:
        reason = message("It is replaced: {by}.", by=by[RelationKind.REPLACES])
        return DocumentState(State.REPLACED, reason, Ground.OTHER_DOCUMENT)
    if is_authorized(cstat, model):
        return _in_effect(cstat, sent, by.get(RelationKind.COMPLEMENTS))
    if cstat is None and is_sealed:
        why = message("The SAT equipment signed it, which is all the authorization that a CF-e-SAT gets.")
        return DocumentState(State.AUTHORIZED, why)
    if cstat is None:
        reason = message("The archive holds no answer of the authority about it.")
        return DocumentState(State.NO_PROTOCOL, reason, Ground.NOTHING)
    return DocumentState(
        State.REJECTED,
        message("The authority's answer (cStat {cstat}) is neither an authorization nor a denial.", cstat=cstat),
    )


def kind_of_change(kind: str, type: str, purpose: str | None) -> RelationKind | None:
    """How a reference of `kind`, in a document of `type` and `purpose` (finNFe), changes the state of its target.

    A CT-e says it by the tag; an NF-e complements what it references where its purpose is 2. None: nothing.

    Source: MOC 7.0, annex I, B25 (`finNFe` 2: complementary); MOC of the CT-e 4.00 (`infCteComp`, `infCteSub`,
    `infCteAnu`).
    """
    if kind in _CHANGING:
        return RelationKind(kind) if type in _FREIGHTS else None
    if kind == RelationKind.REFERENCES and type in _NOTES and purpose == _COMPLEMENTARY:
        return RelationKind.COMPLEMENTS
    return None


def may_change(access_key: str, target_key: str) -> bool:
    """Whether the document `access_key` may change the state of `target_key`: only where one company issued both.

    Source: Ajuste SINIEF 7/05 and Ajuste SINIEF 9/07 (the emitter alone complements, replaces or annuls its
    document); MOC 7.0 (positions 7 to 20 of the access key: the emitter).
    """
    return access_key != target_key and access_key[_ROOT] == target_key[_ROOT]


def _relevant(
    events: Iterable[tuple[str | None, bool] | StateEvent], model: str | None, environment: str | None
) -> list[StateEvent]:
    codes = EVENT_CODES - {"110112"} if model == CLOSING_MODEL else EVENT_CODES
    relevant = [StateEvent(*event) for event in events if event[0] in codes]
    return [event for event in relevant if _is_here(event.environment, environment)]


def _changers(changes: Collection[LaterDocument], happened: Collection[StateEvent]) -> dict[str, Message]:
    """By kind what changes the document: a paper that counts; where the archive has none, the authority's word."""
    changers: dict[str, Message] = {}
    registered = {
        _CHANGE_EVENTS[event.code]: event.code
        for event in happened
        if event.registered and event.code in _CHANGE_EVENTS
    }
    taken_back = {
        _REVOKING_EVENTS[event.code] for event in happened if event.registered and event.code in _REVOKING_EVENTS
    }
    for kind in _CHANGING:
        papers = [change for change in changes if change.kind == kind]
        keys = [change.access_key for change in papers if change.state in _COUNTING]
        if keys:
            changers[kind] = message("by {key}", key=min(keys))
        elif not papers and kind in registered and kind not in taken_back:
            changers[kind] = message("the authority registered the event {code}", code=registered[kind])
    return changers


def _cancelled(registered: list[StateEvent]) -> DocumentState:
    # By content, so that the sentence is the same however the events came.
    best = min(
        registered,
        key=lambda event: (event.cstat in _LATE, not event.is_authentic, event.code or "", event.cstat or ""),
    )
    code, cstat, ground = best.code or "-", best.cstat or "-", _ground(best)
    if best.cstat in _LATE:
        return DocumentState(
            State.CANCELLED_LATE,
            message("A cancellation out of term is registered: event {code}, cStat {cstat}.", code=code, cstat=cstat),
            ground,
        )
    return DocumentState(
        State.CANCELLED,
        message("A cancellation is registered: event {code}, cStat {cstat}.", code=code, cstat=cstat),
        ground,
    )


def _ground(event: StateEvent) -> Ground:
    return Ground.AUTHENTIC_EVENT if event.is_authentic else Ground.UNCHECKED_EVENT


def _in_effect(cstat: str | None, sent: list[StateEvent], complement: Message | None) -> DocumentState:
    if sent:
        answers = [(event.code or "-", event.cstat) for event in sent if event.cstat is not None]
        if not answers:
            return DocumentState(
                State.UNREGISTERED,
                message("A cancellation was sent; the archive holds no answer of the authority to it."),
                _ground(max(sent, key=lambda event: event.is_authentic)),
            )
        code, answer = min(answers)
        return DocumentState(
            State.UNREGISTERED,
            message(
                "A cancellation was sent and not registered: event {code}, cStat {cstat}.", code=code, cstat=answer
            ),
            _ground(max(sent, key=lambda event: event.is_authentic)),
        )
    if complement is not None:
        reason = message("It is authorized and complemented: {by}.", by=complement)
        return DocumentState(State.COMPLEMENTED, reason, Ground.OTHER_DOCUMENT)
    return DocumentState(State.AUTHORIZED, message("The authority authorized it (cStat {cstat}).", cstat=cstat))


def _is_here(theirs: str | None, ours: str | None) -> bool:
    return theirs is None or ours is None or theirs == ours
