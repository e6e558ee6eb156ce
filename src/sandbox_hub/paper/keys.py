"""The 44 characters that name a document: composition and check digit, letters included.

Composition: state, year and month of issue, emitter, model, series, number, form of issue, random code, digit.
A letter counts as its ASCII code minus 48 (rule of the alphanumeric CNPJ, July 2026).
"""

from __future__ import annotations

from datetime import datetime

from sandbox_hub.paper.facts import Taxpayer
from sandbox_hub.paper.text import code as check

# Weights 2..9 from the right over the first 43 positions.
_WEIGHTS = tuple(2 + (42 - position) % 8 for position in range(43))


def check_digit(body: str) -> str:
    """Modulus 11 over 43 characters; a remainder of 0 or 1 gives 0."""
    remainder = sum((ord(c) - 48) * w for c, w in zip(body, _WEIGHTS, strict=True)) % 11
    return "0" if remainder < 2 else str(11 - remainder)


def compose(
    emitter: Taxpayer, issued_at: datetime, model: str, series: int, number: int, code: str, form: str = "1"
) -> str:
    """The key of a document; `form` is tpEmis, 1 for normal issue."""
    body = f"{emitter.address.uf_code}{issued_at:%y%m}{emitter.tax_id:>014}{model}{series:03d}{number:09d}{form}{code}"
    return check(body) + check_digit(body)
