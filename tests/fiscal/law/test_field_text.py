"""Fields as people read them: names of tags told apart, codes with meaning, money, rates and moments."""

from __future__ import annotations

from decimal import Decimal

import pytest

from confere.fiscal.law import field_text
from confere.system.messages import set_language


@pytest.mark.parametrize(
    ("tag", "text", "said"),
    [
        ("vICMS", "1234.50", "R$ 1.234,50"),
        ("vICMS", "10", "R$ 10,00"),
        ("vUnCom", "5.1250000000", "R$ 5,125"),
        ("vDesc", "-0.05", "-R$ 0,05"),
        ("vICMS", "much", "much"),
        ("pICMS", "12.00", "12.00"),
        ("pICMS", "12", "12.00"),
        ("vAliq", "5.00", "5.00"),
        ("qCom", "1500.0000", "1,500.00"),
        ("verProc", "3.10", "3.10"),
        ("nLote", "7.50", "7.50"),
        ("tpAmb", "1", "1 – Production"),
    ],
)
def test_a_fields_text_as_people_read_it(tag: str, text: str, said: str) -> None:
    set_language("en")
    assert field_text.value(f"group/{tag}", text) == said


def test_in_portuguese_every_figure_has_its_comma() -> None:
    set_language("pt_BR")
    said = {tag: field_text.value(tag, text) for tag, text in (("vICMS", "1234.50"), ("pICMS", "12.00"))}
    assert said == {"vICMS": "R$ 1.234,50", "pICMS": "12,00"}
    assert field_text.value("qCom", "1500.0000") == "1.500,00"


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["vBC", "gX/vBC"], ["Base", "Base (gX)"]),
        (["gIBSUF/gDif/vDif", "gCBS/gDif/vDif"], ["Amount deferred (State IBS)", "Amount deferred (CBS)"]),
        (["dup/nDup", "dup/nDup"], ["Number of the instalment"] * 2),
        (["vST", "vICMSST"], ["ICMS-ST amount"] * 2),
        (["novo/@nItem", "infNFe/novo"], ["Item", "novo"]),
        (["rastro/@versao", "rastro/nLote"], ["Number of the batch"]),
    ],
)
def test_fields_called_alike_are_told_apart_by_their_groups(paths: list[str], said: list[str]) -> None:
    set_language("en")
    assert [label for label, _ in field_text.labelled((path, "1") for path in paths)] == said


@pytest.mark.parametrize(
    ("number", "least", "said"),
    [
        (None, 2, ""),
        (Decimal("1500.0000"), 0, "1.500"),
        (Decimal("1500.0000"), 2, "1.500,00"),
        (Decimal("0.12500"), 2, "0,125"),
        (Decimal("-7"), 1, "-7,0"),
        (Decimal("1E+999999"), 0, "1E+999999"),
        (Decimal("NaN"), 0, "NaN"),
    ],
)
def test_a_quantity_has_no_needless_zeros(number: Decimal | None, least: int, said: str) -> None:
    set_language("pt_BR")
    assert field_text.number(number, least) == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (None, ""),
        (Decimal("5.1250000000"), "R$ 5,125"),
        (Decimal("-0.05"), "-R$ 0,05"),
        (Decimal("1234"), "R$ 1.234,00"),
    ],
)
def test_a_price_keeps_its_decimals(amount: Decimal | None, said: str) -> None:
    assert field_text.price(amount) == said


def test_a_code_has_its_meaning_or_stands_alone() -> None:
    set_language("en")
    assert (field_text.coded("tpAmb", "1"), field_text.meaning("tpAmb", "1")) == ("1 – Production", "Production")
    assert (field_text.coded("tpAmb", "x"), field_text.meaning("tpAmb", "x")) == ("x", "x")
    assert (field_text.coded("tpAmb", None), field_text.meaning("tpAmb", None)) == ("", "")
    assert (field_text.group_name("ide"), field_text.group_name("ICMSTot")) == ("Identification", "ICMS totals")


def test_a_cep_is_written_as_people_do() -> None:
    assert field_text.postal_code("80042586") == "80042-586"
    assert [field_text.postal_code(text) for text in ("80042-586", "SW1A 1AA", None)] == ["80042-586", "SW1A 1AA", ""]
