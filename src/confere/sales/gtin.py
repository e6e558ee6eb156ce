"""GTIN codes (EAN): whether one holds by its check digit.

Source: GS1 General Specifications, section 7.9 (standard check digit calculation, GTIN-8, -12, -13 and -14).
"""

from __future__ import annotations

import re
from typing import Final

_LENGTHS: Final = (8, 12, 13, 14)
_DIGITS: Final = re.compile(r"[0-9]+", re.ASCII)


def is_gtin(code: str) -> bool:
    """Whether `code` has 8, 12, 13 or 14 digits of which the last is the check digit of the others."""
    if len(code) not in _LENGTHS or _DIGITS.fullmatch(code) is None:
        return False
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(code)))
    return total % 10 == 0
