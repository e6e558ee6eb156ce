"""Which events and answers may change a document's state: only those whose own checks hold; others are just shown.

SEFAZ's answers are not signed, so whoever can edit a file can invent one; a signed request cannot be invented. An
answer counts where the request that it answers is here and holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from confere.errors import Message, message
from confere.fiscal import document_models
from confere.fiscal.authenticity import digests
from confere.fiscal.authenticity.verdict import NO_GATE, Check
from confere.fiscal.state import (
    AUTHORIZED,
    CANCELLED,
    DENIED,
    DocumentState,
    Ground,
    LaterDocument,
    StateEvent,
    effective_state,
)

_APART: Final = NO_GATE | {Check.ENVIRONMENT}
"""Lines that say nothing against an event: a test is compared with its document's environment elsewhere."""
_ANSWERS: Final = frozenset({Check.PROTOCOL})


class ReportedEvent(NamedTuple):
    """An event as a file tells it: `failed` are the lines of its verdict that failed, none before it was judged.

    `is_alone`: the file holds the authority's answer and not what was asked. `is_unjudgeable`: judging it was tried,
    and did not come to an end.
    """

    event: StateEvent
    sequence: int | None
    failed: frozenset[Check] = frozenset()
    is_alone: bool = False
    is_unjudgeable: bool = False


class LoneProtocol(NamedTuple):
    """The authority's answer to a document that came in a file of its own; `digest` is `digVal`."""

    cstat: str | None
    digest: str | None
    environment: str | None = None


class Own(NamedTuple):
    """What a document's own file says: `cstat` of its answer, `answers_another` where that is not about it.

    `digest` is the DigestValue of its signature.
    """

    cstat: str | None = None
    answers_another: bool = False
    model: str | None = None
    environment: str | None = None
    digest: str | None = None


def standing(
    own: Own,
    reports: Collection[ReportedEvent] = (),
    answers: Collection[LoneProtocol] = (),
    changes: Collection[LaterDocument] = (),
) -> DocumentState:
    """The effective state from what is believed, and its ground: `CONTRADICTED` where all reports give another state.

    An answer in a file of its own counts where the document's own file holds none about it, and where it names the
    digest of the document's signature, which proves that it is about the same text.

    Source: MOC 7.0 (`infProt` and `retEvento` are not signed for the taxpayer, the request of an event is; `digVal`
    repeats the DigestValue of the document's signature).
    """
    fitting = [answer for answer in answers if _fits(answer, own)]
    cstat = None if own.answers_another else own.cstat
    if cstat is None:
        cstat = _foremost(fitting)
    sealed = own.model == document_models.COUPON_MODEL and own.digest is not None
    state = effective_state(
        cstat, believed(reports), model=own.model, environment=own.environment, changes=changes, is_sealed=sealed
    )
    as_told = [report.event._replace(is_authentic=False) for report in reports]
    other = effective_state(
        cstat or own.cstat or _foremost(answers),
        as_told,
        model=own.model,
        environment=own.environment,
        changes=changes,
        is_sealed=sealed,
    )
    return state if other.state is state.state else replace(state, ground=Ground.CONTRADICTED)


def answer_doubt(answer: LoneProtocol, own: Own | None) -> Message | None:
    """Why an answer in a file of its own is not believed, or None; `own`: the document it names, where that is here.

    Source: MOC 7.0 (`protNFe/infProt/digVal`: the DigestValue of the document that was processed).
    """
    if own is None or _fits(answer, own):
        return None
    if own.digest is None or answer.digest is None:
        return message("Nothing ties the answer to the document: it names no digest of the document's signature.")
    return message("The answer is about another text or environment than the document here.")


def believed(reports: Collection[ReportedEvent]) -> tuple[StateEvent, ...]:
    """The events that may change the state, of all reported events of one document.

    Source: Ajuste SINIEF 7/05, cl. 15-A (events of an NF-e); MOC 7.0 (the request of an event is signed by its
    author).
    """
    return tuple(happened for _, happened, _ in _weighed(reports) if happened is not None)


def doubts(reports: Collection[ReportedEvent]) -> tuple[Message | None, ...]:
    """One entry for each reported event: why it is not believed, or only in part; None where it is believed.

    Source: as `believed`.
    """
    return tuple(why for _, _, why in _weighed(reports))


def is_refused(registered: bool, cstat: str | None, failed: Collection[Check]) -> bool:
    """Whether an event was asked for and the authority refused it: an honest paper without effect, and no forgery.

    `cstat` is the authority's answer, `failed` are the lines of its verdict that failed.

    Source: Ajuste SINIEF 7/05, cl. 13 and 15-A, and Ajuste SINIEF 9/07, cl. 14 (a cancellation is the registration of
    its event).
    """
    return not registered and cstat is not None and not set(failed) - NO_GATE - _ANSWERS


def _weighed(reports: Collection[ReportedEvent]) -> Iterator[tuple[ReportedEvent, StateEvent | None, Message | None]]:
    requested = {
        (report.event.code, report.sequence)
        for report in reports
        if not (report.is_alone or report.is_unjudgeable or _broken(report))
    }
    for report in reports:
        event = report.event
        if report.is_unjudgeable:
            yield report, None, message("It could not be judged to an end: it changes nothing.")
        elif _broken(report) or (report.is_alone and report.failed & _ANSWERS):
            yield report, None, message("It is not authentic: it changes nothing.")
        elif report.is_alone and (event.code, report.sequence) not in requested:
            yield report, None, message("An answer without the request that it answers: anybody could have written it.")
        elif event.registered and report.failed & _ANSWERS:
            unanswered = StateEvent(event.code, False, None, event.environment)
            yield report, unanswered, message("The answer in it does not hold: it counts as sent, not as registered.")
        else:
            yield report, event, None


def _broken(report: ReportedEvent) -> bool:
    """Whether what its author wrote fails, whatever the authority is said to have answered."""
    return bool(report.failed - _APART - _ANSWERS)


def _fits(answer: LoneProtocol, own: Own) -> bool:
    if own.digest is None or answer.digest is None or not digests.are_same(answer.digest, own.digest):
        return False
    return not answer.environment or not own.environment or answer.environment == own.environment


def _foremost(answers: Collection[LoneProtocol]) -> str | None:
    """Of several answers the one that takes most away: a denial or a cancellation is told after an authorization."""
    return max((answer.cstat for answer in answers if answer.cstat), key=_gravity, default=None)


def _gravity(cstat: str) -> tuple[bool, bool, bool, str]:
    return cstat in CANCELLED, cstat in DENIED, cstat in AUTHORIZED, cstat
