"""How the total of a note is built up, and what marketplaces are called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from confere.app.documents.view import nfe_sections
from confere.app.documents.view.facts import WARN, Section
from confere.app.labels.marketplace_labels import marketplace_word
from confere.fiscal.detail import NoteDetail
from confere.fiscal.law import field_text
from confere.system import formatting


def built(**amounts: str) -> Section:
    totals = (("ICMSTot", tuple(amounts.items())),)
    return nfe_sections.built_up(cast(NoteDetail, SimpleNamespace(totals=totals)))


def lines(of: Section) -> list[tuple[str, str]]:
    return [(fact.label, fact.lines[0].text) for fact in of.facts]


def test_goods_freight_taxes_and_discount_make_the_total() -> None:
    found = built(vProd="100.00", vDesc="10.00", vFrete="5.50", vST="4.50", vIPI="0.00", vICMS="18.00", vNF="100.00")
    name = field_text.name
    assert lines(found) == [
        (name("vProd"), "R$ 100,00"),
        (f"− {name('vDesc')}", "R$ 10,00"),
        (f"+ {name('vFrete')}", "R$ 5,50"),
        (f"+ {name('vST')}", "R$ 4,50"),
        (f"= {name('vNF')}", "R$ 100,00"),
    ]


def test_tax_that_was_relieved_counts_only_where_it_was_taken_off() -> None:
    taken = built(vProd="100.00", vFrete="10.00", vICMSDeson="18.00", vNF="92.00")
    assert (f"− {field_text.name('vICMSDeson')}", "R$ 18,00") in lines(taken)
    left = built(vProd="100.00", vFrete="10.00", vICMSDeson="18.00", vNF="110.00")
    assert field_text.name("vICMSDeson") not in str(lines(left))
    assert all(fact.lines[0].rank != WARN for fact in (*taken.facts, *left.facts))


def test_what_no_part_names_is_said() -> None:
    found = built(vProd="100.00", vFrete="10.00", vNF="113.00")
    assert [fact.lines[0].text for fact in found.facts if fact.lines[0].rank == WARN] == [formatting.money(300)]


@pytest.mark.parametrize(
    "amounts",
    [{"vProd": "100.00", "vNF": "100.00"}, {"vProd": "1", "vFrete": "x"}, {"vProd": "NaN", "vNF": "Infinity"}],
)
def test_what_needs_no_building_up_has_none(amounts: dict[str, str]) -> None:
    assert not built(**amounts).facts


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("MERCADO_AZUL", "Mercado Azul"),
        ("MERCADO_LIVRE", "Mercado Livre"),
        ("B2W", "B2W"),
        ("LOJA_DA_PRACA", "Loja da Praca"),
        ("Shopee", "Shopee"),
        (None, ""),
    ],
)
def test_a_marketplace_has_a_name(code: str | None, word: str) -> None:
    assert marketplace_word(code) == word
