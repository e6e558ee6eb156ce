"""The effective state of a document, and the sentence that says where it comes from."""

from __future__ import annotations

import itertools

import pytest

from confere.fiscal.model import DocumentType, State
from confere.fiscal.references import RelationKind
from confere.fiscal.state import (
    CANCELLATION_CODES,
    Ground,
    LaterDocument,
    StateEvent,
    effective_state,
    is_registered,
    kind_of_change,
    may_change,
)

ANNULLED = LaterDocument("annuls", "9", "authorized")
REPLACED = LaterDocument("replaces", "8", "authorized")
COMPLEMENTED = LaterDocument("complements", "7", "authorized")
CANCELS = StateEvent("110111", True, "135")
LATE = StateEvent("110111", True, "155")
SENT = StateEvent("110111", False, "573")
UNANSWERED = StateEvent("110111", False, None)


@pytest.mark.parametrize(
    ("cstat", "events", "expected"),
    [
        ("100", [], State.AUTHORIZED),
        ("150", [], State.AUTHORIZED),
        *((code, [], State.DENIED) for code in ("110", "205", "301", "302", "303")),
        ("204", [], State.REJECTED),
        ("OK", [], State.REJECTED),
        (None, [], State.NO_PROTOCOL),
        ("101", [], State.CANCELLED),
        ("151", [], State.CANCELLED_LATE),
        ("100", [("110111", True)], State.CANCELLED),
        ("100", [("110112", True)], State.CANCELLED),
        ("100", [("110111", False)], State.UNREGISTERED),
        ("100", [("110110", True), ("210210", True), (None, True)], State.AUTHORIZED),
        ("100", [("110110", True), ("110111", False), ("110111", True)], State.CANCELLED),
        ("100", [LATE], State.CANCELLED_LATE),
        ("100", [LATE, CANCELS], State.CANCELLED),
        ("100", [StateEvent("110111", True, "151")], State.CANCELLED_LATE),
        ("100", [("110001", True)], State.AUTHORIZED),  # cancels one of the reform's own events
        ("100", [CANCELS, ("110001", True)], State.CANCELLED),
        (None, [("110111", True)], State.CANCELLED),
        (None, [("110111", False)], State.NO_PROTOCOL),
        ("204", [("110111", True)], State.CANCELLED),
        ("204", [("110111", False)], State.REJECTED),
        ("302", [("110111", True)], State.DENIED),
    ],
)
def test_of_protocol_and_events(
    cstat: str | None, events: list[tuple[str | None, bool] | StateEvent], expected: State
) -> None:
    for order in itertools.permutations(events):
        assert effective_state(cstat, order).state is expected


@pytest.mark.parametrize(
    ("cstat", "events", "changes", "expected"),
    [
        ("100", [], [COMPLEMENTED], State.COMPLEMENTED),
        ("100", [], [REPLACED], State.REPLACED),
        ("100", [], [ANNULLED], State.ANNULLED),
        ("100", [], [COMPLEMENTED, REPLACED, ANNULLED], State.ANNULLED),
        ("100", [], [COMPLEMENTED, REPLACED], State.REPLACED),
        ("100", [SENT], [COMPLEMENTED], State.UNREGISTERED),
        ("100", [SENT], [REPLACED], State.REPLACED),
        ("100", [CANCELS], [ANNULLED, REPLACED], State.CANCELLED),
        ("301", [CANCELS], [ANNULLED, REPLACED], State.DENIED),
        # A substitute proves an authorization that is not here; a complement leaves in effect, which wants proof.
        (None, [], [REPLACED], State.REPLACED),
        (None, [], [COMPLEMENTED], State.NO_PROTOCOL),
        ("204", [], [COMPLEMENTED], State.REJECTED),
    ],
)
def test_what_weighs_more(
    cstat: str | None, events: list[StateEvent], changes: list[LaterDocument], expected: State
) -> None:
    for order in itertools.permutations(changes):
        assert effective_state(cstat, events, changes=order).state is expected


@pytest.mark.parametrize(
    ("events", "code", "cstat"),
    [
        ([("110112", "135"), ("110111", "135"), ("110111", "136")], "110111", "135"),
        ([("110112", "135"), ("110111", "136")], "110111", "136"),
        ([("110112", "135"), ("110111", "155")], "110112", "135"),
        ([("110112", "155"), ("110111", "155")], "110111", "155"),
        ([("110111", None), ("110111", "135")], "110111", "-"),
    ],
)
def test_of_several_cancellations_the_same_is_named_however_they_came(
    events: list[tuple[str, str | None]], code: str, cstat: str
) -> None:
    for order in itertools.permutations(StateEvent(one, True, answer) for one, answer in events):
        assert effective_state("100", order).reason.params == {"code": code, "cstat": cstat}


def test_an_authentic_cancellation_is_named_before_another_in_time() -> None:
    events = [StateEvent("110111", True, "135"), StateEvent("110112", True, "135", is_authentic=True)]
    for order in itertools.permutations(events):
        assert effective_state("100", order).reason.params["code"] == "110112"


@pytest.mark.parametrize("state", State)
def test_only_what_was_authorized_and_not_cancelled_changes_another(state: State) -> None:
    now = effective_state("100", changes=[LaterDocument("replaces", "8", state.value)]).state
    counts = state in (State.AUTHORIZED, State.UNREGISTERED)
    assert now is (State.REPLACED if counts else State.AUTHORIZED)


@pytest.mark.parametrize(
    ("code", "expected"),
    [("240130", State.COMPLEMENTED), ("240140", State.REPLACED), ("240150", State.ANNULLED)],
)
def test_the_authoritys_word_counts_where_the_other_freight_is_not_here(code: str, expected: State) -> None:
    kind = {State.COMPLEMENTED: "complements", State.REPLACED: "replaces", State.ANNULLED: "annuls"}[expected]
    told = StateEvent(code, True, "134")
    assert effective_state("100", [told], model="57").state is expected
    assert effective_state("100", [told._replace(registered=False)], model="57").state is State.AUTHORIZED
    cancelled = LaterDocument(kind, "8", "cancelled")
    assert effective_state("100", [told], model="57", changes=[cancelled]).state is State.AUTHORIZED
    if code == "240130":
        taken_back = StateEvent("240131", True, "134")
        assert effective_state("100", [told, taken_back], model="57").state is State.AUTHORIZED


def test_papers_of_the_test_environment_change_nothing_in_production() -> None:
    test = CANCELS._replace(environment="2")
    assert effective_state("100", [test], environment="1").state is State.AUTHORIZED
    assert effective_state("100", [test], environment="2").state is State.CANCELLED
    assert effective_state("100", [test]).state is State.CANCELLED
    change = REPLACED._replace(environment="2")
    assert effective_state("100", changes=[change], environment="1").state is State.AUTHORIZED
    assert effective_state("100", changes=[change], environment="2").state is State.REPLACED


def test_closing_a_manifest_cancels_nothing() -> None:
    assert effective_state("100", [("110112", True)], model="58").state is State.AUTHORIZED
    assert effective_state("100", [("110112", False)], model="58").state is State.AUTHORIZED
    assert effective_state("100", [("110111", True)], model="58").state is State.CANCELLED


@pytest.mark.parametrize(
    ("cstat", "events", "changes", "said"),
    [
        ("100", [], [], "The authority authorized it (cStat 100)."),
        ("301", [], [], "The authority denied it (cStat 301)."),
        ("100", [CANCELS], [], "A cancellation is registered: event 110111, cStat 135."),
        ("100", [LATE], [], "A cancellation out of term is registered: event 110111, cStat 155."),
        ("100", [SENT], [], "A cancellation was sent and not registered: event 110111, cStat 573."),
        ("100", [UNANSWERED], [], "A cancellation was sent; the archive holds no answer of the authority to it."),
        ("100", [], [COMPLEMENTED], "It is authorized and complemented: by 7."),
        ("100", [], [REPLACED], "It is replaced: by 8."),
        ("100", [], [ANNULLED], "It is annulled: by 9."),
        (None, [], [], "The archive holds no answer of the authority about it."),
        ("204", [], [], "The authority's answer (cStat 204) is neither an authorization nor a denial."),
    ],
)
def test_the_reason_is_said(
    cstat: str | None, events: list[StateEvent], changes: list[LaterDocument], said: str
) -> None:
    assert str(effective_state(cstat, events, changes=changes).reason) == said


def test_which_references_change_a_state() -> None:
    for kind in RelationKind:
        for type in DocumentType:
            for purpose in (None, "1", "2", "4"):
                found = kind_of_change(kind, type, purpose)
                if type in (DocumentType.CTE, DocumentType.CTEOS):
                    assert found == (kind if kind in ("complements", "replaces", "annuls") else None)
                elif type in (DocumentType.NFE, DocumentType.NFCE) and (kind, purpose) == ("references", "2"):
                    assert found is RelationKind.COMPLEMENTS
                else:
                    assert found is None


def test_only_its_own_company_changes_a_document() -> None:
    target = "35261011222333000181550010000000011000000019"
    branch = "35261011222333000262550010000000011000000019"
    stranger = "35261044555666000181550010000000011000000019"
    assert may_change(branch, target)
    assert not may_change(stranger, target)
    assert not may_change(target, target)


@pytest.mark.parametrize(
    ("model", "registering"),
    [
        ("55", {"135", "136", "155", "101", "151"}),
        ("65", {"135", "136", "155", "101", "151"}),
        ("57", {"134", "135", "136", "101", "151"}),
        ("67", {"134", "135", "136", "101", "151"}),
        (None, {"134", "135", "136", "101", "151"}),
    ],
)
def test_registering_answers(model: str | None, registering: set[str]) -> None:
    assert {str(code) for code in range(1000) if is_registered(str(code), model)} == registering
    assert not is_registered(None, model)


def test_only_cancellations_cancel() -> None:
    for code in range(100000, 999999, 7):
        known = str(code) in CANCELLATION_CODES
        expected = State.CANCELLED if known else State.AUTHORIZED
        if str(code) not in ("240130", "240140", "240150"):
            assert effective_state("100", [(str(code), True)]).state is expected


def test_grounds_are_stored_under_these_names() -> None:
    """Archives and scripts hold them: another spelling would be a ground that none of them knows."""
    assert [ground.value for ground in Ground] == [
        "authentic_event",
        "unchecked_event",
        "answer_alone",
        "other_document",
        "contradicted",
        "nothing",
    ]


@pytest.mark.parametrize("answer", [None, "573"])
@pytest.mark.parametrize(
    ("authentic", "ground"),
    [
        ((True,), Ground.AUTHENTIC_EVENT),
        ((False,), Ground.UNCHECKED_EVENT),
        ((True, False), Ground.AUTHENTIC_EVENT),
        ((False, True), Ground.AUTHENTIC_EVENT),
        ((False, False), Ground.UNCHECKED_EVENT),
    ],
)
def test_one_authentic_request_is_enough_where_a_cancellation_was_sent(
    authentic: tuple[bool, ...], ground: Ground, answer: str | None
) -> None:
    events = [StateEvent("110111", False, answer, is_authentic=one) for one in authentic]
    state = effective_state("100", events)
    assert (state.state, state.ground) == (State.UNREGISTERED, ground)


@pytest.mark.parametrize("answers", [("573", "218"), ("218", "573"), ("218", None), (None, "218")])
def test_the_least_answer_to_a_cancellation_is_named(answers: tuple[str | None, ...]) -> None:
    events = [StateEvent("110111", False, answer) for answer in answers]
    assert str(effective_state("100", events).reason).endswith("event 110111, cStat 218.")


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_papers_that_change_a_document_the_least_key_is_named(order: int) -> None:
    papers = [LaterDocument("replaces", key, "authorized") for key in ("1", "2")][::order]
    assert str(effective_state("100", changes=papers).reason) == "It is replaced: by 1."


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        ("1", "1", State.CANCELLED),
        ("2", "2", State.CANCELLED),
        ("1", None, State.CANCELLED),
        (None, "1", State.CANCELLED),
        (None, None, State.CANCELLED),
        ("1", "2", State.AUTHORIZED),
        ("2", "1", State.AUTHORIZED),
    ],
)
def test_papers_of_another_environment_change_nothing(theirs: str | None, ours: str | None, expected: State) -> None:
    events = [StateEvent("110111", True, "135", theirs)]
    assert effective_state("100", events, environment=ours).state is expected


@pytest.mark.parametrize(
    ("codes", "papers", "expected"),
    [
        (("240130",), (), State.COMPLEMENTED),
        (("240130", "240131"), (), State.AUTHORIZED),
        (("240131",), (), State.AUTHORIZED),
        (("240131",), ("authorized",), State.COMPLEMENTED),
        (("240130",), ("cancelled",), State.AUTHORIZED),
        (("240140",), (), State.REPLACED),
        (("240140", "240131"), (), State.REPLACED),
        (("240150", "240140"), (), State.ANNULLED),
    ],
)
def test_the_authoritys_word_counts_where_the_archive_holds_no_paper(
    codes: tuple[str, ...], papers: tuple[str, ...], expected: State
) -> None:
    events = [StateEvent(code, True, "135") for code in codes]
    changes = [LaterDocument("complements", "7", state) for state in papers]
    assert effective_state("100", events, changes=changes).state is expected
    unregistered = [StateEvent(code, False, "135") for code in codes]
    alone = State.COMPLEMENTED if "authorized" in papers else State.AUTHORIZED
    assert effective_state("100", unregistered, changes=changes).state is alone
