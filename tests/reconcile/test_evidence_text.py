"""How evidence names things."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from confere.reconcile import evidence_text
from confere.system.messages import set_language
from tests.reconcile.made import freight, key_of, note


def test_documents_by_kind_series_and_number() -> None:
    assert evidence_text.named(note(7, series=3)) == "NF-e 3/7"
    assert evidence_text.named(note(7, type="nfce")) == "NFC-e 1/7"
    assert evidence_text.named(freight(7)) == "CT-e 1/7"
    assert evidence_text.named(replace(note(7), number=None)) == f"NF-e {note(7).key}"


def test_keys_by_what_they_say() -> None:
    assert evidence_text.named_key(key_of(7)) == f"NF-e 1/7 ({key_of(7)})"
    assert evidence_text.named_key("123") == "123"


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_days_and_money_are_written_alike_in_every_language(language: str) -> None:
    set_language(language)
    try:
        assert evidence_text.day("2026-03-09") == "09/03/2026"
        assert evidence_text.money(123_456) == "R$ 1.234,56"
    finally:
        set_language("en")


@pytest.mark.parametrize(("text", "told"), [("2026-03", "03/2026"), ("", ""), ("soon", "soon")])
def test_months_and_what_is_no_day(text: str, told: str) -> None:
    assert evidence_text.day(text) == told


@pytest.mark.parametrize(("value", "told"), [("2.000", "2"), ("1.50", "1,5"), ("100", "100"), ("0", "0")])
def test_pieces(value: str, told: str) -> None:
    assert evidence_text.quantity(Decimal(value)) == told


def test_states_and_cfops_as_people_read_them() -> None:
    assert str(evidence_text.state(note(state="unregistered"))) == "authorized, cancellation not registered"
    assert str(evidence_text.state(note(state="new"))) == "new"
    assert evidence_text.cfops(["5102", "x"]) == "5.102, x"


def test_only_the_first_few_are_named_each_once() -> None:
    assert evidence_text.listed(["a", "b", "a"]) == "a, b"
    assert evidence_text.listed("abcdef") == "a, b, c, d, e …"
