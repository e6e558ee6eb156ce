"""Natural persons in rows and sentences: masked, and nothing else is."""

from __future__ import annotations

from confere.app.labels.people import hidden_text


def test_a_sentence_names_nobody_any_more() -> None:
    text = "José da Silva (529.982.247-25, jose@correio.example, (11) 98765-4321) paid; 52998224725 again"
    assert hidden_text(text, ["José da Silva"]) == "J. D. S. (***.982.247-**, •••, •••) paid; ***.982.247-** again"


def test_keys_companies_and_numbers_stay() -> None:
    for text in (
        "35261023656806000138550010000010621744371300",
        "11.222.333/0001-81",
        "11222333000181",
        "order 12345678901",  # no check digits
        "R$ 1.234.567,89",
        "1/52998224725",
    ):
        assert hidden_text(text) == text
