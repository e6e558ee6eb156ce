"""CNPJ and CPF: check digits, letters included, and the forms they are written in."""

from __future__ import annotations

import re
from operator import mul
from typing import Final

CNPJ_SHAPE: Final = re.compile(r"[A-Z0-9]{12}[0-9]{2}")
CPF_SHAPE: Final = re.compile(r"[0-9]{11}")

# Modulus 11, weights 2 to 9 from the right for a CNPJ; 2 to 11 for a CPF.
_CNPJ_WEIGHTS: Final = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
_CPF_WEIGHTS: Final = (11, 10, 9, 8, 7, 6, 5, 4, 3, 2)
_MASK: Final = str.maketrans("", "", ".-/ \t\r\n")


def normalise(text: str) -> str:
    """`text` without the characters of a mask (`.`, `-`, `/`, space), upper-case.

    Nothing else is removed: since July 2026 a CNPJ can hold letters, so "all but digits" would corrupt it.

    Source: Instrução Normativa RFB 2.229/2024 (CNPJ with letters).
    """
    return text.translate(_MASK).upper()


def is_cnpj(text: str) -> bool:
    """Whether `text`, without mask, is a CNPJ whose two check digits hold.

    Source: Instrução Normativa RFB 2.229/2024 (CNPJ with letters, two check digits).
    """
    return CNPJ_SHAPE.fullmatch(text) is not None and len(set(text)) > 1 and text[12:] == cnpj_check_digits(text[:12])


def is_cpf(text: str) -> bool:
    """Whether `text`, without mask, is a CPF whose two check digits hold.

    Source: Receita Federal, check digits of the CPF (modulus 11).
    """
    return CPF_SHAPE.fullmatch(text) is not None and len(set(text)) > 1 and text[9:] == cpf_check_digits(text[:9])


def cnpj_check_digits(base: str) -> str:
    """The two check digits of the first 12 characters of a CNPJ; a letter counts as `ord(c) - 48`.

    Source: Instrução Normativa RFB 2.229/2024 (modulus 11, a letter by its ASCII code less 48).
    """
    first = _digit(base, _CNPJ_WEIGHTS[1:])
    return first + _digit(base + first, _CNPJ_WEIGHTS)


def cpf_check_digits(base: str) -> str:
    """The two check digits of the first 9 digits of a CPF.

    Source: Receita Federal, check digits of the CPF (modulus 11).
    """
    first = _digit(base, _CPF_WEIGHTS[1:])
    return first + _digit(base + first, _CPF_WEIGHTS)


def cnpj_root(cnpj: str) -> str:
    """The 8 characters that name the company, the same for all its establishments.

    Source: Instrução Normativa RFB 2.229/2024 (root of 8 characters, order of the establishment of 4).
    """
    return normalise(cnpj)[:8]


def format_tax_id(text: str) -> str:
    """`text` with the mask people read; what has neither shape (a foreign id) comes back as it is.

    Source: Receita Federal, masks of CNPJ (00.000.000/0000-00) and CPF (000.000.000-00).
    """
    plain = normalise(text)
    if CNPJ_SHAPE.fullmatch(plain):
        return f"{plain[:2]}.{plain[2:5]}.{plain[5:8]}/{plain[8:12]}-{plain[12:]}"
    if CPF_SHAPE.fullmatch(plain):
        return f"{plain[:3]}.{plain[3:6]}.{plain[6:9]}-{plain[9:]}"
    return text


def _digit(text: str, weights: tuple[int, ...]) -> str:
    total = sum(map(mul, (ord(character) - 48 for character in text), weights))
    remainder = total % 11
    return "0" if remainder < 2 else str(11 - remainder)
