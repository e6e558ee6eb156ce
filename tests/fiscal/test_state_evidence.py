"""What a state may stand on, case by case: everything that can be told of a document, and whether it is believed."""

from __future__ import annotations

import itertools

import pytest

from confere.fiscal.authenticity.verdict import Check
from confere.fiscal.model import State
from confere.fiscal.state import Ground, LaterDocument, StateEvent
from confere.fiscal.state_evidence import LoneProtocol, Own, ReportedEvent, answer_doubt, doubts, standing

CANCELLED = StateEvent("110111", True, "135", "1")
CANCELS = ReportedEvent(CANCELLED, 1)
REQUEST = ReportedEvent(CANCELLED._replace(registered=False, cstat=None), 1)
AUTHENTIC = ReportedEvent(CANCELLED._replace(is_authentic=True), 1)
LONE = CANCELS._replace(is_alone=True)
AUTHORIZED = Own("100", model="55", environment="1", digest="AAAA")
UNANSWERED = AUTHORIZED._replace(cstat=None)


def failing(*checks: Check) -> ReportedEvent:
    return CANCELS._replace(failed=frozenset(checks))


CASES: dict[str, tuple[Own, tuple[ReportedEvent, ...], State, Ground, int]] = {
    # name: own file, what is told, state, ground, how much of it is doubted
    "nothing": (AUTHORIZED, (), State.AUTHORIZED, Ground.ANSWER_ALONE, 0),
    "no answer": (UNANSWERED, (), State.NO_PROTOCOL, Ground.NOTHING, 0),
    "an answer about another": (
        AUTHORIZED._replace(answers_another=True), (), State.NO_PROTOCOL, Ground.CONTRADICTED, 0
    ),
    "not judged yet": (AUTHORIZED, (CANCELS,), State.CANCELLED, Ground.UNCHECKED_EVENT, 0),
    "authentic": (AUTHORIZED, (AUTHENTIC,), State.CANCELLED, Ground.AUTHENTIC_EVENT, 0),
    "without signature": (AUTHORIZED, (failing(Check.SIGNATURE),), State.AUTHORIZED, Ground.CONTRADICTED, 1),
    "altered": (AUTHORIZED, (failing(Check.DIGEST),), State.AUTHORIZED, Ground.CONTRADICTED, 1),
    "another's": (AUTHORIZED, (failing(Check.SIGNER),), State.AUTHORIZED, Ground.CONTRADICTED, 1),
    "of a chain to nobody": (AUTHORIZED, (failing(Check.CHAIN),), State.AUTHORIZED, Ground.CONTRADICTED, 1),
    "only the schema disagrees": (
        AUTHORIZED, (failing(Check.SCHEMA),), State.CANCELLED, Ground.UNCHECKED_EVENT, 0
    ),
    "answered about another": (AUTHORIZED, (failing(Check.PROTOCOL),), State.UNREGISTERED, Ground.CONTRADICTED, 1),
    "unjudgeable": (
        AUTHORIZED, (CANCELS._replace(is_unjudgeable=True),), State.AUTHORIZED, Ground.CONTRADICTED, 1
    ),
    "an answer alone": (AUTHORIZED, (LONE,), State.AUTHORIZED, Ground.CONTRADICTED, 1),
    "a request and its answer apart": (AUTHORIZED, (REQUEST, LONE), State.CANCELLED, Ground.UNCHECKED_EVENT, 0),
    "an answer to another request": (
        AUTHORIZED, (REQUEST._replace(sequence=2), LONE), State.UNREGISTERED, Ground.CONTRADICTED, 1
    ),
    "a forged request and an answer": (
        AUTHORIZED,
        (REQUEST._replace(failed=frozenset({Check.SIGNATURE})), LONE),
        State.AUTHORIZED,
        Ground.CONTRADICTED,
        2,
    ),
    "a forged copy beside the true one": (
        AUTHORIZED,
        (AUTHENTIC, failing(Check.SIGNATURE)),
        State.CANCELLED,
        Ground.AUTHENTIC_EVENT,
        1,
    ),
    "of the test environment": (
        AUTHORIZED, (ReportedEvent(CANCELLED._replace(environment="2"), 1),), State.AUTHORIZED, Ground.ANSWER_ALONE, 0
    ),
    "a letter of correction": (
        AUTHORIZED, (ReportedEvent(CANCELLED._replace(code="110110"), 1),), State.AUTHORIZED, Ground.ANSWER_ALONE, 0
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_in_any_order(name: str) -> None:
    own, told, state, ground, doubted = CASES[name]
    for ordered in itertools.permutations(told):
        found = standing(own, ordered)
        assert (found.state, found.ground) == (state, ground)
        assert sum(why is not None for why in doubts(ordered)) == doubted


ANSWERS: dict[str, tuple[Own, tuple[LoneProtocol, ...], State, Ground]] = {
    "fits": (UNANSWERED, (LoneProtocol("100", "AAAA", "1"),), State.AUTHORIZED, Ground.ANSWER_ALONE),
    "written with white space": (UNANSWERED, (LoneProtocol("100", "AA AA\n"),), State.AUTHORIZED, Ground.ANSWER_ALONE),
    "another digest": (UNANSWERED, (LoneProtocol("100", "BBBB"),), State.NO_PROTOCOL, Ground.CONTRADICTED),
    "no digest": (UNANSWERED, (LoneProtocol("100", None),), State.NO_PROTOCOL, Ground.CONTRADICTED),
    "a test": (UNANSWERED, (LoneProtocol("100", "AAAA", "2"),), State.NO_PROTOCOL, Ground.CONTRADICTED),
    "denied": (UNANSWERED, (LoneProtocol("302", "AAAA"),), State.DENIED, Ground.ANSWER_ALONE),
    "denied after an authorization": (
        UNANSWERED, (LoneProtocol("100", "AAAA"), LoneProtocol("302", "AAAA")), State.DENIED, Ground.ANSWER_ALONE
    ),
    "without a code": (UNANSWERED, (LoneProtocol(None, "AAAA"),), State.NO_PROTOCOL, Ground.NOTHING),
    "without a code beside one that has it": (
        UNANSWERED, (LoneProtocol(None, "AAAA"), LoneProtocol("204", "AAAA")), State.REJECTED, Ground.ANSWER_ALONE
    ),
    "beside its own": (AUTHORIZED, (LoneProtocol("302", "BBBB"),), State.AUTHORIZED, Ground.ANSWER_ALONE),
    "in place of another's": (
        AUTHORIZED._replace(answers_another=True), (LoneProtocol("100", "AAAA"),), State.AUTHORIZED, Ground.ANSWER_ALONE
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_in_a_file_of_its_own(name: str) -> None:
    own, answers, state, ground = ANSWERS[name]
    for ordered in itertools.permutations(answers):
        found = standing(own, answers=ordered)
        assert (found.state, found.ground) == (state, ground)
    is_doubted = any(answer_doubt(answer, own) for answer in answers)
    assert is_doubted is (ground is Ground.CONTRADICTED or name == "beside its own")
    assert not any(answer_doubt(answer, None) for answer in answers)  # its document is not here: nothing to hold it to


@pytest.mark.parametrize(
    ("digest", "model", "state"),
    [("AAAA", "59", State.AUTHORIZED), (None, "59", State.NO_PROTOCOL), ("AAAA", "55", State.NO_PROTOCOL)],
)
def test_a_coupon_that_is_signed_needs_no_answer(digest: str | None, model: str, state: State) -> None:
    assert standing(Own(None, model=model, environment="1", digest=digest)).state is state


def test_a_document_that_replaces_it_is_a_ground_of_its_own() -> None:
    change = LaterDocument("replaces", "35" * 22, State.AUTHORIZED.value, "1")
    found = standing(AUTHORIZED._replace(model="57"), changes=[change])
    assert (found.state, found.ground) == (State.REPLACED, Ground.OTHER_DOCUMENT)
