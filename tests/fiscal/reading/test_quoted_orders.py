"""Order numbers in notes: what has the form of one, and what is surely something else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from confere.fiscal.reading.document import read
from confere.fiscal.reading.quoted_orders import MOST, quoted_in
from tests.fiscal import made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pedido 2000003456789012 no marketplace Vitrine.", ("2000003456789012",)),
        ("Pedidos LV-001001459, LV-001001460", ("LV-001001459", "LV-001001460")),
        ("pedido: 35-1001463-FD; obrigado", ("35-1001463-FD",)),
        ("Order #701-1234567-1234567!", ("701-1234567-1234567",)),
        ("220101ABCDEF12", ("220101ABCDEF12",)),
        ("Ped.1234567 e Nr.7654321", ("1234567", "7654321")),
        ("(12345)", ("12345",)),
        ("12345/67890", ("12345/67890", "12345", "67890")),
        ("12345 12345", ("12345",)),
        ("V-12345678/2", ("V-12345678/2", "V-12345678")),
        ("-- 12345.--", ("12345",)),
    ],
)
def test_numbers_of_orders(text: str, found: tuple[str, ...]) -> None:
    assert quoted_in([text]) == found


@pytest.mark.parametrize(
    "text",
    [
        "1234",  # too short
        "A12B3C",  # three digits
        "35261011222333000181550010000000011000000017",
        "NFe35261011222333000181550010000000011000000017",
        "11.222.333/0001-81",
        "12.ABC.345/01DE-35",
        "111.444.777-35",
        "01310-100",
        "01.310-100",
        "(11) 99999-9999",
        "4004-1234",
        "05/10/2026",
        "05-10-26",
        "2026-10-05",
        "2026-10-05T10:00:00",
        "10/2026",
        "R$ 1.234,56",
        "12345,67",
        "1234.56",
        "1.234.567",
        "Lei 12.741/2012",
        "LC 123/2006",
        "NCM 9021.10.10",
        "12/34",
        "x" * 60 + "12345",
        "1" * 41,
    ],
)
def test_what_is_something_else(text: str) -> None:
    assert quoted_in([text]) == ()


def test_only_the_first_ones_of_very_many() -> None:
    assert quoted_in([" ".join(str(number) for number in range(10_000, 10_100))]) == tuple(
        str(number) for number in range(10_000, 10_000 + MOST)
    )
    assert len(quoted_in([" ".join(f"{number}/{number + 1}" for number in range(10_000, 10_100))])) == MOST


def test_notes_of_all_places_in_their_order() -> None:
    assert quoted_in(["a 10001", None, "", "b 10002 10001"]) == ("10001", "10002")


@settings(max_examples=60, deadline=None)
@given(some.text(alphabet="0123456789ABab./-, ", max_size=80))
def test_whatever_is_found_stands_in_the_text_and_has_the_form(text: str) -> None:
    for word in quoted_in([text]):
        assert word in text
        assert len(word) >= 5
        assert sum(letter.isdigit() for letter in word) >= 4


@given(some.integers(10_000, 10**19))
def test_a_bare_number_is_always_found(number: int) -> None:
    assert quoted_in([f"Pedido {number}, obrigado"]) == (str(number),)


def test_a_word_longer_than_any_number_of_an_order_is_none_in_any_part_of_it() -> None:
    assert quoted_in(["a-" * 9_000 + "12345"]) == ()
    assert quoted_in(["a-" * 18 + "1234"]) == ("a-" * 18 + "1234",)


def test_the_notes_of_a_note() -> None:
    additional = (
        "<infAdic><infCpl>Pedido 10001</infCpl>"
        '<obsCont xCampo="external_id"><xTexto>SALE-sale-90001-1</xTexto></obsCont>'
        '<obsCont xCampo="pedido"><xTexto>10002</xTexto></obsCont><obsCont xCampo="vazio"/></infAdic>'
    )
    worded = made.item(after="<infAdProd>Pedido 10003</infAdProd>")
    (found,) = read(made.nfe_proc(made.note(items=[worded], additional=additional)).encode()).documents
    assert found.quoted == ("10001", "10003", "10002")
    assert found.external_id == "SALE-sale-90001-1"


def test_the_notes_of_a_cte() -> None:
    xml = (
        f'<CTe xmlns="{made.CTE}"><infCte versao="4.00"><ide><mod>57</mod></ide><compl><xObs>Pedido 10001</xObs>'
        '<ObsCont xCampo="pedido"><xTexto>10002</xTexto></ObsCont>'
        '<ObsCont xCampo="external_id"><xTexto>90001</xTexto></ObsCont></compl></infCte></CTe>'
    )
    (found,) = read(xml.encode()).documents
    assert (found.quoted, found.external_id) == (("10001", "10002"), "90001")
