"""Every code that the archive keeps has a word for people; what is new is shown as it stands; people can be hidden."""

from __future__ import annotations

import pytest

from confere.app.context import ENVIRONMENTS
from confere.app.documents.view import detail_text
from confere.app.labels import labels
from confere.app.labels.reconciliation_labels import evidence_line, shipper_word
from confere.errors import message
from confere.export.package.cancelled_profiles import Profile
from confere.fiscal.document_models import HUB_STATUS_WORDS, Ground
from confere.fiscal.law.tables import law_tables
from confere.fiscal.model import DocumentType, State
from confere.fiscal.operations import Operation
from confere.fiscal.references import RelationKind
from confere.system import messages
from confere.system.language_choice import LANGUAGES
from sandbox_hub.web import records

CPF = "12345678909"
CNPJ = "11444777000161"
JOURNEY = "35260811222333000181580010000047111000047110"


@pytest.mark.parametrize("kind", DocumentType)
def test_every_type_has_a_word(kind: DocumentType) -> None:
    assert kind.value in ("voiding", "other") or labels.type_word(kind) != kind.value
    assert labels.type_word(kind)


@pytest.mark.parametrize("state", State)
def test_every_state_has_a_word(state: State) -> None:
    assert state.value in labels.STATES
    assert "_" not in labels.state_word(state)


def test_no_state_ground_event_or_status_of_a_hub_is_shown_by_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for language in LANGUAGES:
        monkeypatch.setattr(messages._Choice, "code", language)
        words = [(code, labels.state_word(code)) for code in State]
        words += [(code, labels.ground_word(code)) for code in Ground]
        words += [(code, labels.verdict_word(code)) for code in labels.VERDICTS]
        words += [(code, detail_text.hub_status(code)) for code in HUB_STATUS_WORDS]
        events = law_tables("events")
        words += [(code, labels.event_word(code)) for code in events["documents"]]
        words += [(code, labels.event_word(code, None, JOURNEY)) for code in events["mdfe"]]
        assert [(code, word) for code, word in words if not word or _is_code(word)] == [], language


def test_a_hub_calls_a_state_as_the_document_itself_does() -> None:
    for state in State:
        if state is not State.UNKNOWN:
            assert detail_text.hub_status(state.value.upper()) == labels.state_word(state)
    assert detail_text.hub_status(" not-delivered ") == "not delivered"
    assert detail_text.hub_status("IN_ORBIT") == "IN_ORBIT", "what nobody knows stays as the hub wrote it"
    assert detail_text.hub_status(None) == ""


def test_every_status_of_the_sandbox_hub_is_known() -> None:
    said = {status for status, _ in records._EVENTS.values()}
    assert said | {"EVENT_REFUSED", "DENIED", "VOIDED", "AUTHORIZED"} <= HUB_STATUS_WORDS.keys()


def _is_code(word: str) -> bool:
    return "_" in word or word.isupper() or word.isdigit()


@pytest.mark.parametrize("operation", Operation)
def test_every_operation_has_a_word(operation: Operation) -> None:
    assert operation.value in labels.OPERATIONS
    assert "_" not in labels.operation_word(operation)


@pytest.mark.parametrize("kind", RelationKind)
def test_every_relation_has_a_word_each_way(kind: RelationKind) -> None:
    assert kind.value in labels.RELATIONS
    assert labels.relation_word(kind, reverse=False) != kind.value or "_" not in kind.value
    assert labels.relation_word(kind, reverse=True)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_environment_of_an_account_has_a_word(environment: str) -> None:
    assert environment in labels.ENVIRONMENTS
    assert labels.environment_word(environment)


@pytest.mark.parametrize("profile", Profile)
def test_every_profile_has_a_word(profile: Profile) -> None:
    assert profile.value in labels.PROFILES
    assert "-" not in labels.profile_word(profile)


@pytest.mark.parametrize("outcome", ["done", "partial", "failed", "stopped", "interrupted", "running"])
def test_every_outcome_has_a_word(outcome: str) -> None:
    assert outcome in labels.OUTCOMES
    assert labels.outcome_word(outcome)


@pytest.mark.parametrize("kind", ["sync", "notification", "import", "export"])
def test_every_kind_of_run_has_a_word(kind: str) -> None:
    assert labels.run_kind_word(kind) != kind
    assert labels.action_word(kind) == labels.run_kind_word(kind)


def test_what_a_newer_release_kept_is_shown_as_it_stands() -> None:
    assert labels.type_word("nfag") == "nfag"
    assert labels.relation_word("swallows", reverse=True) == "swallows"
    assert labels.claims_word(9) == ""
    assert labels.outcome_word("postponed") == "postponed"
    assert labels.run_kind_word("closing") == "closing"
    assert labels.direction_word("up") == "up"


def test_directions_and_environments_are_read_as_papers_and_accounts_write_them() -> None:
    assert labels.direction_word("0") == labels.direction_word("in") == "incoming"
    assert labels.direction_word("1") == labels.direction_word("out") == "outgoing"
    assert labels.direction_word(None) == ""
    assert labels.environment_word("1") == labels.environment_word("production")
    assert labels.environment_word("2") == "test, without fiscal value"
    assert labels.environment_word(None) == ""


def test_events_have_names_and_unknown_ones_their_own_words() -> None:
    assert labels.event_word("110111") == "cancellation"
    assert labels.event_word("110110") == "correction letter"
    assert labels.event_word("610110") == "disagreement about the service"
    assert labels.event_word("999999", "Evento novo") == "Evento novo"
    assert labels.event_word("999999") == "999999"
    assert labels.event_word(None) == ""
    assert all(len(code) == 6 and code.isdigit() for names in law_tables("events").values() for code in names)
    assert labels.event_word("110112") == "cancellation by substitution"
    assert labels.event_word("110112", None, JOURNEY) == "journey closed"
    assert labels.event_word("110111", None, JOURNEY) == "cancellation"
    assert labels.event_word("110111", None, "no key") == "cancellation"


def test_parties_and_numbers() -> None:
    assert labels.tax_id_word("12ABC34501DE35") == "12.ABC.345/01DE-35"
    assert labels.party_word(CNPJ, None) == "11.444.777/0001-61"
    assert labels.party_word(CNPJ, "Ipê") == "Ipê"
    assert labels.party_word(None, None) == ""
    assert labels.number_word(1, 4711) == "1/4711"
    assert labels.number_word(None, 4711) == "4711"
    assert labels.number_word(1, None) == ""


def test_people_can_be_hidden_and_companies_are_not() -> None:
    assert labels.tax_id_word(CPF) == "123.456.789-09"
    assert labels.tax_id_word(CPF, hidden=True) == "***.456.789-**"
    assert labels.tax_id_word("123.456.789-09", hidden=True) == "***.456.789-**"
    assert labels.tax_id_word(CNPJ, hidden=True) == "11.444.777/0001-61"
    assert labels.tax_id_word("PT-123", hidden=True) == "PT-123"
    assert labels.tax_id_word(None, hidden=True) == ""
    assert labels.person_name("Ana de  Ávila", CPF, hidden=True) == "A. D. Á."
    assert labels.person_name("Ana", None, hidden=True) == "A."
    assert labels.person_name("Ana", CPF) == "Ana"
    assert labels.person_name("Loja São João", CNPJ, hidden=True) == "Loja São João"
    assert labels.person_name(None, CPF, hidden=True) == ""
    assert labels.party_word(CPF, None, hidden=True) == "***.456.789-**"


def test_a_key_is_read_in_groups_of_four() -> None:
    key = "35260811222333000181550010000047111000047110"
    assert labels.key_groups(key) == "3526 0811 2223 3300 0181 5500 1000 0047 1110 0004 7110"
    assert labels.key_groups(labels.key_groups(key)) == labels.key_groups(key)
    assert labels.key_groups("12345") == "1234 5"


def test_months_have_names() -> None:
    assert labels.month_word("2026-10") == "October 2026"
    assert [labels.month_word(f"2026-{number:02d}").split()[0] for number in (1, 12)] == ["January", "December"]
    assert labels.month_word("2026-13") == "2026-13"
    assert labels.month_word("{year}") == "{year}"


def test_who_ships_is_a_word_where_the_hub_says_only_whether_the_marketplace_does() -> None:
    said = ("true", "false", "FULL", None)
    assert [shipper_word(word) for word in said] == ["the marketplace", "the seller", "FULL", None]


def test_the_parts_of_evidence_stand_apart() -> None:
    phrases = [message("{name} refers to it", name=name) for name in ("A", "B")]
    sentence = message("The total is another.")
    assert evidence_line([]) == ""
    assert evidence_line(phrases[:1]) == "A refers to it"
    assert evidence_line(phrases) == "A refers to it · B refers to it"
    assert evidence_line([sentence, *phrases]) == "The total is another. A refers to it · B refers to it"
