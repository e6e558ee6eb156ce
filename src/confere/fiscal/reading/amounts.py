"""Numbers as the paper writes them: amounts into integer centavos, quantities into exact decimals."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

from confere.fiscal.document_parts import Warning
from confere.fiscal.warnings import Trait

# The layouts allow 13 digits before the point; 15 leave room and keep centavos inside 64 bits.
_AMOUNT: Final = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})")
_SPACES: Final = re.compile(r"[\s\u00a0]+")
# A context of its own: the caller's may round at fewer digits than the paper has.
_EXACT: Final = Context(prec=80)
_CENT: Final = Decimal("0.01")


def cents(text: str | None, field: str, warnings: list[Warning]) -> int | None:
    """`text` of the tag `field` in integer centavos; None and a warning where it is not an amount.

    More than two decimals are rounded half to even, and said, where that loses something.
    """
    if text is None:
        return None
    if text == "0.00":  # half of all amounts
        return 0
    # Nearly all others are digits, a point and two digits.
    if text[-3:-2] == "." and len(text) < 18:
        digits = text[:-3] + text[-2:]
        if digits.isdecimal() and digits.isascii():
            return int(digits)
    exact = _parse(text, field, warnings)
    if exact is None:
        return None
    rounded = exact.quantize(_CENT, ROUND_HALF_EVEN, _EXACT)
    if rounded != exact:
        warnings.append(Warning(Trait.MONEY_ROUNDED, f"{field}={text}"))
    return int(_EXACT.multiply(rounded, Decimal(100)))


def quantity(text: str | None, field: str, warnings: list[Warning]) -> Decimal | None:
    """`text` of the tag `field` as an exact decimal, trailing zeros kept; None and a warning otherwise."""
    if text is None:
        return None
    if len(text) < 32 and text.isascii() and text.replace(".", "", 1).isdecimal():
        return Decimal(text)
    return _parse(text, field, warnings)


def integer(text: str | None, field: str, warnings: list[Warning]) -> int | None:
    """`text` of the tag `field` as a whole number without sign; None and a warning otherwise."""
    if text is None:
        return None
    if len(text) <= 15 and text.isascii() and text.isdecimal():
        return int(text)
    warnings.append(Warning(Trait.UNREADABLE_NUMBER, f"{field}={text[:60]}"))
    return None


def _parse(text: str, field: str, warnings: list[Warning]) -> Decimal | None:
    plain = _SPACES.sub("", text)
    if "," in plain:
        warnings.append(Warning(Trait.COMMA_DECIMAL, f"{field}={text[:60]}"))
        # Whichever stands last is the decimal sign; the other one groups thousands.
        if plain.rfind(",") > plain.rfind("."):
            plain = plain.replace(".", "").replace(",", ".", 1)
        else:
            plain = plain.replace(",", "")
    if _AMOUNT.fullmatch(plain) is None:
        warnings.append(Warning(Trait.UNREADABLE_NUMBER, f"{field}={text[:60]}"))
        return None
    return Decimal(plain)
