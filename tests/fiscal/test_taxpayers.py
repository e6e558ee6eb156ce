"""CNPJ and CPF: check digits with letters, and masks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.fiscal import taxpayers

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def slow_digits(base: str, longest: int) -> str:
    """Modulus 11 by the rule's own words: weights from 2 at the right, starting again after `longest`."""
    found = base
    for _ in range(2):
        total, weight = 0, 2
        for character in reversed(found):
            total += (ord(character) - 48) * weight
            weight = 2 if weight == longest else weight + 1
        remainder = total % 11
        found += "0" if remainder < 2 else str(11 - remainder)
    return found[len(base) :]


@settings(deadline=None)
@given(st.text(LETTERS, min_size=12, max_size=12))
def test_cnpj_round_trip(base: str) -> None:
    cnpj = base + taxpayers.cnpj_check_digits(base)
    assert cnpj[12:] == slow_digits(base, 9)
    assert taxpayers.is_cnpj(cnpj) == (len(set(cnpj)) > 1)
    masked = taxpayers.format_tax_id(cnpj)
    assert len(masked) == 18
    assert taxpayers.normalise(masked.lower()) == cnpj
    assert not taxpayers.is_cnpj(base + f"{(int(cnpj[12:]) + 1) % 100:02d}")


@settings(deadline=None)
@given(st.text("0123456789", min_size=9, max_size=9))
def test_cpf_round_trip(base: str) -> None:
    cpf = base + taxpayers.cpf_check_digits(base)
    assert cpf[9:] == slow_digits(base, 11)
    assert taxpayers.is_cpf(cpf) == (len(set(cpf)) > 1)
    assert taxpayers.normalise(taxpayers.format_tax_id(cpf)) == cpf


@pytest.mark.parametrize("cnpj", ["12ABC34501DE35", "11222333000181", "34128745000152", "00000000000191"])
def test_known_cnpjs(cnpj: str) -> None:
    assert taxpayers.is_cnpj(cnpj)


@pytest.mark.parametrize(
    "text",
    ["", "00000000000000", "11222333000182", "12abc34501de35", "12ABC34501DEA5", "1122233300018", "１1222333000181"],
)
def test_no_cnpj(text: str) -> None:
    assert not taxpayers.is_cnpj(text)


@pytest.mark.parametrize("text", ["", "11111111111", "52998224724", "529982247250", "5299822472A"])
def test_no_cpf(text: str) -> None:
    assert not taxpayers.is_cpf(text)


def test_masks() -> None:
    assert taxpayers.format_tax_id("12abc34501de35") == "12.ABC.345/01DE-35"
    assert taxpayers.format_tax_id("52998224725") == "529.982.247-25"
    assert taxpayers.format_tax_id("EXTERIOR-7") == "EXTERIOR-7"
    assert taxpayers.normalise(" 12.ABC.345/01DE-35 ") == "12ABC34501DE35"
    assert taxpayers.cnpj_root("12.ABC.345/01DE-35") == "12ABC345"
