"""Every code that the archive keeps has a word for people; what is new is shown as it stands."""

from __future__ import annotations

import pytest

from confere.cli import words
from confere.fiscal.model import DocumentType, State
from confere.fiscal.operations import Operation
from confere.fiscal.references import Relation


@pytest.mark.parametrize("kind", DocumentType)
def test_every_type_has_a_word(kind: DocumentType) -> None:
    assert kind.value in words._TYPES
    assert words.type_word(kind)


@pytest.mark.parametrize("state", State)
def test_every_state_has_a_word(state: State) -> None:
    assert state.value in words._STATES
    assert "_" not in words.state_word(state)


@pytest.mark.parametrize("operation", Operation)
def test_every_operation_has_a_word(operation: Operation) -> None:
    assert operation.value in words._OPERATIONS
    assert "_" not in words.operation_word(operation)


@pytest.mark.parametrize("kind", Relation)
def test_every_relation_has_a_word_each_way(kind: Relation) -> None:
    assert kind.value in words._RELATIONS
    assert words.relation_word(kind, reverse=False) != kind.value or "_" not in kind.value
    assert words.relation_word(kind, reverse=True)


def test_what_a_newer_release_kept_is_shown_as_it_stands() -> None:
    assert words.type_word("nf3e") == "nf3e"
    assert words.relation_word("swallows", reverse=True) == "swallows"
    assert words.claims_word(9) == ""


def test_parties_and_numbers() -> None:
    assert words.tax_id_word("12ABC34501DE35") == "12.ABC.345/01DE-35"
    assert words.party_word("11444777000161", None) == "11.444.777/0001-61"
    assert words.party_word("11444777000161", "Ipê\x1b[31m") == "Ipê\ufffd[31m"
    assert words.party_word(None, None) == ""
    assert words.number_word(1, 4711) == "1/4711"
    assert words.number_word(None, 4711) == "4711"
    assert words.number_word(1, None) == ""
