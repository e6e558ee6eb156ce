"""CPF, CNPJ and EAN numbers whose check digits hold."""

from __future__ import annotations

from collections.abc import Sequence

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _modulus_11(text: str, weights: Sequence[int]) -> str:
    """Each character counts as its code minus 48, letters included (the rule since July 2026)."""
    rest = sum((ord(c) - 48) * w for c, w in zip(text, weights, strict=True)) % 11
    return "0" if rest < 2 else str(11 - rest)


def cpf(number: int) -> str:
    """The CPF whose first nine digits are `number`."""
    body = f"{number % 10**9:09d}"
    for _ in range(2):
        body += _modulus_11(body, range(len(body) + 1, 1, -1))
    return body


def cnpj(root: str, branch: int = 1) -> str:
    """The CNPJ of eight characters of root and a branch number."""
    return _with_digits(f"{root}{branch:04d}")


def _with_digits(body: str) -> str:
    """The CNPJ that begins with these twelve characters."""
    for _ in range(2):
        weights = [2 + k % 8 for k in range(len(body))][::-1]
        body += _modulus_11(body, weights)
    return body


def tax_id_holds(text: str) -> bool:
    """Whether this is a CPF of eleven digits, or a CNPJ of fourteen characters, whose check digits are right."""
    if len(text) == 11 and text.isascii() and text.isdigit():
        return cpf(int(text[:9])) == text and len(set(text)) > 1
    plain = text.isascii() and text.isalnum() and text == text.upper() and text[-2:].isdigit()
    return len(text) == 14 and plain and len(set(text)) > 1 and _with_digits(text[:12]) == text


def digits_root(throw: int) -> str:
    """A CNPJ root of eight digits, not starting with 0."""
    return str(10_000_000 + throw % 90_000_000)


def lettered_root(throw: int) -> str:
    """A CNPJ root of eight characters, with letters at both ends."""
    letters = _ALPHABET[10:]
    middle = ""
    throw, first = divmod(throw, 26)
    throw, last = divmod(throw, 26)
    for _ in range(6):
        throw, k = divmod(throw, 36)
        middle += _ALPHABET[k]
    return letters[first] + middle + letters[last]


def ean13(number: int) -> str:
    """A GTIN-13 of Brazil's prefix 789."""
    body = f"789{number % 10**9:09d}"
    return body + _gtin_digit(body)


def gtin_digit_holds(text: str) -> bool:
    """False for a GTIN-8, 12, 13 or 14 whose check digit is wrong; True for it all right, and for every other text."""
    is_gtin = len(text) in (8, 12, 13, 14) and text.isascii() and text.isdigit()
    return not is_gtin or _gtin_digit(text[:-1]) == text[-1]


def _gtin_digit(body: str) -> str:
    """Weights 3 and 1 from the right."""
    triple, single = (sum(int(c) for c in body[::-1][k::2]) for k in (0, 1))
    return str(-(3 * triple + single) % 10)
