"""Check digits of CPF, CNPJ and EAN against their textbook definitions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox_hub.world.parties.tax_ids import cnpj, cpf, digits_root, ean13, lettered_root

FIRST = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
SECOND = [6, *FIRST]


def digit(total: int) -> int:
    return 0 if total % 11 < 2 else 11 - total % 11


@settings(deadline=None)
@given(st.integers(0, 10**12))
def test_cpf(number: int) -> None:
    text = cpf(number)
    digits = [int(c) for c in text]
    assert len(text) == 11
    assert digits[9] == digit(sum(d * w for d, w in zip(digits[:9], range(10, 1, -1), strict=True)))
    assert digits[10] == digit(sum(d * w for d, w in zip(digits[:10], range(11, 1, -1), strict=True)))


@settings(deadline=None)
@given(st.integers(0, 2**64), st.booleans())
def test_cnpj(throw: int, lettered: bool) -> None:
    text = cnpj(lettered_root(throw) if lettered else digits_root(throw))
    values = [ord(c) - 48 for c in text]
    assert len(text) == 14
    assert text[:12].isalnum()
    assert text.isdigit() != lettered
    assert values[12] == digit(sum(v * w for v, w in zip(values[:12], FIRST, strict=True)))
    assert values[13] == digit(sum(v * w for v, w in zip(values[:13], SECOND, strict=True)))


def test_known_numbers() -> None:
    assert cnpj("11222333") == "11222333000181"
    assert cpf(111_444_777) == "11144477735"
    assert ean13(0)[:3] == "789"


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_ean(number: int) -> None:
    digits = [int(c) for c in ean13(number)]
    assert len(digits) == 13
    assert (sum(digits[0::2]) + 3 * sum(digits[1::2])) % 10 == 0
