"""Where a document stands and why, and where the hub says otherwise: computed when it is shown, from paper alone."""

from __future__ import annotations

from typing import Final

from confere.app.documents.full_document import FullDocument
from confere.archive.documents.details import HubWord
from confere.errors import Message, message
from confere.fiscal import document_models, state_evidence
from confere.fiscal.model import CANCELLED, IN_EFFECT, DocumentType, State
from confere.fiscal.state import DocumentState as DocumentState
from confere.fiscal.state import Ground as Ground
from confere.fiscal.state_evidence import LoneProtocol, Own
from confere.fiscal.warnings import ANSWER_OF_ANOTHER

# What hubs write into the history of a document, in capitals. Other words say nothing of its state.
_CANCELLED: Final = frozenset({"CANCELLED", "CANCELED"})
_AUTHORIZED: Final = frozenset({"AUTHORIZED", "AUTHORISED"})
_DENIED: Final = frozenset({"DENIED"})
_VOIDED: Final = frozenset({"VOIDED"})


def standing(full: FullDocument) -> DocumentState:
    """The state of a document with its reason; of a key with nothing but events, what those show."""
    row = full.row
    if row is not None and row.type == DocumentType.OTHER:
        return DocumentState(State.UNKNOWN, message("Confere does not read this kind of paper."), Ground.NOTHING)
    if row is not None and row.type == DocumentType.VOIDING:
        return _voiding(State(row.state), row.cstat)
    if row is None:
        own = Own(model=None if full.access_key is None else document_models.model_of(full.access_key))
    else:
        is_anothers = any(code in ANSWER_OF_ANOTHER for code, _ in row.warnings)
        own = Own(row.cstat, is_anothers, row.model, row.environment, full.signed_digest)
    answers = [LoneProtocol(entry.cstat, entry.digest, entry.environment) for entry in full.answers]
    return state_evidence.standing(own, full.told, answers, full.changes)


def disagreements(full: FullDocument) -> tuple[Message, ...]:
    """Where a hub's history and the paper contradict each other; each account's hub speaks for itself."""
    state = standing(full).state
    return tuple(said for word in full.hub if (said := _disagreement(word, state)) is not None)


def _disagreement(word: HubWord, state: State) -> Message | None:
    said = {(line.status or "").strip().upper() for line in word.history}
    if not said - {""}:
        return None
    if said & _CANCELLED and state in IN_EFFECT | {State.NO_PROTOCOL}:
        return message("The hub of {account} says that it is cancelled; the papers here do not.", account=word.account)
    if state in CANCELLED and not said & _CANCELLED and said & _AUTHORIZED:
        return message("The papers here say that it is cancelled; the hub of {account} does not.", account=word.account)
    if said & _DENIED and state is not State.DENIED:
        return message("The hub of {account} says that it was denied; the papers here do not.", account=word.account)
    if state is State.DENIED and said & _AUTHORIZED:
        return message(
            "The papers here say that it was denied; the hub of {account} calls it authorized.", account=word.account
        )
    if said & _VOIDED and state is not State.VOIDED:
        return message(
            "The hub of {account} says that its numbers are voided; the papers here do not.", account=word.account
        )
    if state is State.REJECTED and said & _AUTHORIZED:
        return message(
            "The hub of {account} calls it authorized; the answer of the authority on the paper does not.",
            account=word.account,
        )
    return None


def _voiding(state: State, cstat: str | None) -> DocumentState:
    if state is State.VOIDED:
        return DocumentState(state, message("The authority registered the voiding (cStat {cstat}).", cstat=cstat))
    if state is State.NO_PROTOCOL:
        return DocumentState(state, message("The archive holds no answer of the authority about it."), Ground.NOTHING)
    return DocumentState(state, message("The authority did not register the voiding (cStat {cstat}).", cstat=cstat))


__all__ = ["DocumentState", "disagreements", "standing"]
